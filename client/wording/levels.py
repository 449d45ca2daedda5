"""How well others can guess at an epsilon: as a word, as a level, as frequencies to read."""

from decimal import Decimal
from fractions import Fraction

from client.core.primitives import channel
from client.core.primitives.words import WORD_RANGE

Chances = tuple[Fraction, Fraction]

# The fixed scale of level words, each with the largest total epsilon it covers.
LEVELS = {"strong": Decimal(1), "good": Decimal(2), "moderate": Decimal(4), "weak": Decimal("inf")}
# Whether others can see an answer, each word with the best chance of a guess that it covers: a bare
# "no" where a 50:50 guess improves to at most 75:25, "well" above 90:10.
VERDICTS = {"no": Fraction(3, 4), "guess": Fraction(9, 10), "well": Fraction(1)}
# Epsilons that differ by a step never read the same. Telling finer differences apart would take
# larger numbers than anybody wants to read; the epsilon itself shows them.
_STEPS = (Decimal(1), Decimal("0.1"), Decimal("0.01"))


def frequencies(p: Fraction, q: Fraction, *others: Chances) -> tuple[int, int, int]:
    """Return `p` and `q` as natural frequencies (many, few, whole), such as 73 and 27 of 100.

    The whole is the smallest of 100, 1,000, 10,000, ... for which neither number rounds to nobody
    or to everybody, and the pair differs within itself and from the `others`.
    """
    whole = 100
    while True:
        many, few = _rounded((p, q), whole)
        within = 0 < few < whole and 0 < many < whole
        # A narrow window contains the report less often than not, so `few` may be the larger
        # number.
        apart = many != few or p == q
        if within and apart and all(_rounded(other, whole) != (many, few) for other in others):
            return many, few, whole
        whole *= 10


def _rounded(chances: Chances, whole: int) -> tuple[int, int]:
    return round(chances[0] * whole), round(chances[1] * whole)


def neighbours(epsilon: Decimal) -> list[Decimal]:
    """Return epsilon minus and plus one unit of its last decimal, or 0.01 if it has more.

    All chances grow or shrink with epsilon, so what differs from both neighbours differs from all.
    """
    step = next((step for step in _STEPS if epsilon % step == 0), _STEPS[-1])
    return [neighbour for neighbour in (epsilon - step, epsilon + step) if neighbour > 0]


def best_chance(total_epsilon: Decimal) -> Fraction:
    """Return how often a guess can be right that would be right half of the time without reports.

    The odds become e^epsilon to 1 at most (math 6). The integer threshold is exact enough for every
    epsilon of a document: the next one is about 500 integers away, even at 75:25.
    """
    return Fraction(channel.threshold(total_epsilon, 1, 1), WORD_RANGE)


def verdict(total_epsilon: Decimal) -> str:
    """Return whether others can see an answer, a name for programs: no, guess or well."""
    chance = best_chance(total_epsilon)
    return next(name for name, most in VERDICTS.items() if chance <= most)


def level_name(total_epsilon: Decimal) -> str:
    """Return the level of a total epsilon, a name for programs, on the fixed scale."""
    return next(name for name, most in LEVELS.items() if total_epsilon <= most)


def is_weak(total_epsilon: Decimal) -> bool:
    """Return whether the level is weak: anybody who sees the report can guess the answer."""
    return level_name(total_epsilon) == "weak"
