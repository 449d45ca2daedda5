"""How much protection an epsilon is: a level word, and natural frequencies that people can read."""

from decimal import Decimal
from fractions import Fraction

Chances = tuple[Fraction, Fraction]

# The fixed scale of level words: the largest total epsilon that still deserves each of them.
LEVELS = {"strong": Decimal(1), "good": Decimal(2), "moderate": Decimal(4), "weak": Decimal("inf")}
# Epsilons this far apart never read the same; a finer difference would need larger numbers than
# anybody wants to read, and is told by the epsilon itself.
_STEPS = (Decimal(1), Decimal("0.1"), Decimal("0.01"))


def frequencies(p: Fraction, q: Fraction, *others: Chances) -> tuple[int, int, int]:
    """`p` and `q` as natural frequencies: (many, few, whole), such as 73 and 27 of 100.

    The whole is the smallest of 100, 1,000, 10,000, ... for which neither number rounds to nothing
    or to everybody, and a difference stays visible: that between the two, and that to the `others`.
    """
    whole = 100
    while True:
        many, few = _rounded((p, q), whole)
        within = 0 < few < whole and 0 < many < whole
        # A narrow window holds the report less often than not, so `few` may be the larger one.
        apart = many != few or p == q
        if within and apart and all(_rounded(other, whole) != (many, few) for other in others):
            return many, few, whole
        whole *= 10


def _rounded(chances: Chances, whole: int) -> tuple[int, int]:
    return round(chances[0] * whole), round(chances[1] * whole)


def neighbours(epsilon: Decimal) -> list[Decimal]:
    """One less and one more in the last decimal of epsilon, or in its hundredths.

    All chances move one way with epsilon, so what differs from its neighbours differs from all.
    """
    step = next((step for step in _STEPS if epsilon % step == 0), _STEPS[-1])
    return [neighbour for neighbour in (epsilon - step, epsilon + step) if neighbour > 0]


def level_name(total_epsilon: Decimal) -> str:
    """The level of a total epsilon, on a scale that no author can change; a name for programs."""
    return next(name for name, most in LEVELS.items() if total_epsilon <= most)


def is_weak(total_epsilon: Decimal) -> bool:
    """Beyond the scale: whoever sees the report can guess the answer."""
    return level_name(total_epsilon) == "weak"
