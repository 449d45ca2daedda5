"""One question in plain words: its odds, an answer, and what will be sent instead.

Every number comes from the mechanism's integers. The page says the same (`describing.js`).
"""

from decimal import Decimal
from typing import Any

from client.core.kinds import Number, Scale
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    Supporting,
    TwoLevel,
)
from client.core.primitives import channel
from client.core.primitives.domain import Levels
from client.core.question import Question
from client.wording.catalogue import Wording
from client.wording.levels import Chances, frequencies, neighbours


def odds_sentences(question: Question, wording: Wording) -> list[str]:
    """Both sides of a question's odds, out of the same number of people."""
    values: dict[str, str | int]
    match question.mechanism:
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
        case SlidingWindow(width=0):
            key, values = "number", {}
        case SlidingWindow(width=width):
            key, values = "range", {"size": width + 1}
        case mechanism:
            raise TypeError(f"no words for {mechanism}")
    many, few, whole = odds(question)
    return [
        wording.say(f"odds.{key}.truth", count=many, whole=whole, **values),
        wording.say(f"odds.{key}.rest", count=few, whole=whole, **values),
    ]


def odds(question: Question) -> tuple[int, int, int]:
    """(many, few, whole), with a whole so large that a neighbouring epsilon has other odds."""
    mechanism = question.mechanism
    others = (
        chances(type(mechanism).at(epsilon, **mechanism.shape))
        for epsilon in neighbours(question.epsilon)
        if epsilon <= channel.MAX_EPSILON
    )
    return frequencies(*chances(mechanism), *others)


def chances(mechanism: TwoLevel) -> Chances:
    """How often a report supports the truth, and how often another answer.

    The report of a sliding window supports the numbers in it: there are no options to tell apart.
    """
    if isinstance(mechanism, Supporting):
        return mechanism.p, mechanism.q
    return mechanism.keep, 1 - mechanism.keep


def describe_answer(question: Question, answer: Any, wording: Wording) -> str:
    """A true answer, for the one who gave it."""
    if isinstance(answer, list):
        ticked = wording.listed(question.options[option] for option in answer)
        return ticked or wording.say("answer.none")
    if isinstance(question.domain, Levels):
        return _level(question, answer, wording)
    return str(question.options[answer])


def describe_report(question: Question, randomized: Any, wording: Wording) -> str:
    """What will be sent, for the one who sends it."""
    say = wording.say
    match question.mechanism:
        case RandomizedResponse():
            return str(question.options[randomized])
        case HadamardResponse(columns=columns):
            return say("sent.half", number=randomized, columns=columns)
        case SampledChecks():
            return wording.listed(
                say("sent.ticked" if bit else "sent.unticked", option=question.options[box])
                for box, bit in randomized
            )
        case RandomThreshold():
            limit, bit = randomized
            key = "sent.reached" if bit else "sent.below"
            return say(key, limit=_level(question, limit, wording))
        case SlidingWindow(top=top, width=width):
            return _range(question, max(randomized - width, 0), min(randomized, top), wording)
        case _:
            blank = say("sent.blank")
            labels = (*question.options, *[blank] * len(question.options))
            return wording.listed(labels[item] for item in randomized)


def _range(question: Question, low: int, high: int, wording: Wording) -> str:
    """The numbers that a sliding window's report is near to: those it may have come from."""
    if low == high:
        return _level(question, high, wording)
    first = wording.decimal(_value(question, low))
    return wording.say("sent.range", low=first, high=_level(question, high, wording))


def _level(question: Question, level: int, wording: Wording) -> str:
    value = wording.decimal(_value(question, level))
    kind = question.kind
    return f"{value} {kind.unit}".rstrip() if isinstance(kind, Number) else value


def _value(question: Question, level: int) -> Decimal:
    kind = question.kind
    assert isinstance(kind, Scale | Number)
    return Decimal(kind.lo) + level * Decimal(kind.step)
