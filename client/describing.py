"""One question in plain words: its odds, an answer, and what will be sent instead.

Every number comes from the mechanism's integers. The page says the same (`describing.js`).
"""

from decimal import Decimal
from typing import Any

from client.decimals import decimal_text
from client.domain import Levels
from client.kinds import Number, Scale
from client.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
)
from client.question import Question
from client.wording import frequencies, say


def odds_sentences(question: Question) -> list[str]:
    """Both sides of a question's odds, out of the same number of people."""
    mechanism = question.mechanism
    values: dict[str, str | int]
    match mechanism:
        case RandomizedResponse():
            key, values = "rr", {"other": question.options[0], "option": question.options[1]}
        case SubsetSelection(size=1):
            key, values = "one", {}
        case SubsetSelection(size=size, options=options):
            key, values = "some", {"size": size, "options": options}
        case HadamardResponse():
            key, values = "half", {}
        case SampledChecks(asked=asked, options=options):
            key, values = "boxes", {"asked": asked, "options": options}
        case PrivateSet(size=size, items=items):
            key, values = "set", {"size": size, "items": items}
        case RandomThreshold():
            key, values = "limit", {}
        case SlidingWindow(width=width, cells=cells):
            key, values = "window", {"near": width + 1, "cells": cells}
        case _:
            raise TypeError(f"no words for {mechanism}")
    if isinstance(mechanism, SlidingWindow):
        p, q = mechanism.keep, 1 - mechanism.keep
    else:
        p, q = mechanism.p, mechanism.q
    many, few, whole = frequencies(p, q)
    values |= {"many": many, "few": few, "whole": whole}
    return [say(f"odds.{key}.truth", **values), say(f"odds.{key}.other", **values)]


def describe_answer(question: Question, answer: Any) -> str:
    """A true answer, for the one who gave it."""
    if isinstance(answer, list):
        ticked = ", ".join(question.options[option] for option in answer)
        return ticked or say("answer.none")
    if isinstance(question.domain, Levels):
        return _level(question, answer)
    return str(question.options[answer])


def describe_report(question: Question, randomized: Any) -> str:
    """What will be sent, for the one who sends it."""
    match question.mechanism:
        case RandomizedResponse():
            return str(question.options[randomized])
        case HadamardResponse(columns=columns):
            return say("sent.half", number=randomized, columns=columns)
        case SampledChecks():
            return ", ".join(
                say("sent.ticked" if bit else "sent.unticked", option=question.options[box])
                for box, bit in randomized
            )
        case RandomThreshold():
            limit, bit = randomized
            key = "sent.reached" if bit else "sent.below"
            return say(key, limit=_level(question, limit))
        case SlidingWindow(cells=cells):
            return say("sent.window", number=randomized, last=cells - 1)
        case _:
            blank = say("sent.blank")
            labels = (*question.options, *[blank] * len(question.options))
            return ", ".join(labels[item] for item in randomized)


def _level(question: Question, level: int) -> str:
    kind = question.kind
    assert isinstance(kind, Scale | Number)
    value = decimal_text(Decimal(kind.lo) + level * Decimal(kind.step))
    return f"{value} {kind.unit}".rstrip() if isinstance(kind, Number) else value
