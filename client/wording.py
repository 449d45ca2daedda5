"""Plain words for what a threshold protects: the same sentences as the page (`wording.js`).

Every number comes from the integers that the mechanism uses, never from a text or a float. All
texts stand in one catalogue, which the page and the terminal client share.
"""

import json
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

from client import channel
from client.decimals import decimal_text
from client.words import WORD_RANGE

_TEXTS = Path(__file__).parent / "browser" / "texts"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
# The fixed scale of level words: the largest total epsilon that still deserves each of them.
_LEVELS = ((Decimal(1), "strong"), (Decimal(2), "good"), (Decimal(4), "moderate"))
_WHO = (("researchers", "no"), ("burglar", "no"), ("readers", "no"), ("you", "yes"))


@cache
def _catalogue(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((_TEXTS / f"{language}.json").read_text("utf-8"))
    return texts


def say(key: str, **values: str | int) -> str:
    """The text under `key` with its {placeholders} filled in; an unknown one is an error."""
    return _PLACEHOLDER.sub(lambda name: _written(values[name[1]]), _catalogue("en")[key])


def _written(value: str | int) -> str:
    """Texts as they are, numbers grouped in threes."""
    if isinstance(value, str):
        return value
    return f"{value:,}".replace(",", _catalogue("en")["format.thousands"])


def frequencies(p: Fraction, q: Fraction) -> tuple[int, int, int]:
    """`p` and `q` as natural frequencies: (many, few, whole), such as 73 and 27 of 100.

    The whole is the smallest of 100, 1,000, 10,000, ... for which neither number rounds to nothing
    or to everybody, and a difference stays visible.
    """
    whole = 100
    while True:
        many, few = round(p * whole), round(q * whole)
        # A narrow window holds the report less often than not, so `few` may be the larger one.
        if 0 < few < whole and 0 < many < whole and (many != few or p == q):
            return many, few, whole
        whole *= 10


def best_guess(total_epsilon: Decimal) -> str:
    """How far anybody's even odds about one person can move: e^epsilon to 1 at most (math 6)."""
    p = Fraction(channel.threshold(total_epsilon, 1, 1), WORD_RANGE)
    many, few, whole = frequencies(p, 1 - p)
    return say("guess", half=whole // 2, many=many, few=few)


def whole_survey(questions: int, total_epsilon: Decimal) -> str:
    """What all reports of one person together can give away."""
    key = "whole.one" if questions == 1 else "whole.several"
    return say(key, questions=questions, guess=best_guess(total_epsilon))


def level(total_epsilon: Decimal) -> str:
    """One word for a total epsilon, on a scale that no author can change."""
    word = next((word for most, word in _LEVELS if total_epsilon <= most), "weak")
    return say(f"level.{word}")


def is_weak(total_epsilon: Decimal) -> bool:
    """Beyond the scale: whoever sees the report can guess the answer."""
    return level(total_epsilon) == say("level.weak")


def level_sentence(total_epsilon: Decimal) -> str:
    """The level word beside the number itself, so that two epsilons never read the same."""
    epsilon = decimal_text(total_epsilon)
    return say("level.sentence", level=level(total_epsilon), epsilon=epsilon)


def process(total_epsilon: Decimal) -> str:
    """What the device does with an answer."""
    return say("process.weak" if is_weak(total_epsilon) else "process")


def consequences(total_epsilon: Decimal) -> list[tuple[str, str]]:
    """Who can see the true answer: (who, yes or no, or a warning where protection is weak)."""
    hidden = say("label.guess" if is_weak(total_epsilon) else "label.no")
    return [
        (say(f"label.{who}"), hidden if answer == "no" else say(f"label.{answer}"))
        for who, answer in _WHO
    ]
