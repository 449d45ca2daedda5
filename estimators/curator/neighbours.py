"""What "one person's data" means, and how far one person can move what a curator publishes."""

import math
from dataclasses import dataclass
from enum import Enum

from client.core.primitives.refusal import require


class Neighbours(Enum):
    """Which two data sets must be indistinguishable. A local survey protects like REPLACE_ONE."""

    ADD_OR_REMOVE_ONE = "one person is added or removed"
    REPLACE_ONE = "one person's answer is replaced"


@dataclass(frozen=True)
class Sensitivity:
    """How far apart neighbours can be: the sum of all changes, and the root of their squares.

    Laplace noise depends on the first, Gaussian noise on the second.
    """

    absolute: float
    euclidean: float

    def __post_init__(self) -> None:
        for name in ("absolute", "euclidean"):
            check_positive(getattr(self, name), name)


def check_positive(value: float, name: str) -> float:
    """Raise unless the value is a finite number above zero; return it as a float."""
    require(
        isinstance(value, int | float) and 0 < value < math.inf,
        f"bad_{name}.positive",
        name,
        value=value,
    )
    return float(value)


def counting_queries(queries: int) -> Sensitivity:
    """Return the sensitivity of any `queries` counts: one person may be in all of them."""
    return _steps_of_one(queries)


def histogram(neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of counts of which each person is in exactly one.

    A person who is replaced leaves one count and enters another.
    """
    return _steps_of_one(1 if neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2)


def ticked_boxes(boxes: int, at_most: int, neighbours: Neighbours) -> Sensitivity:
    """Return the sensitivity of check-box counts if a person ticks up to `at_most` boxes.

    A person who replaces another may tick entirely different boxes.
    """
    moved = at_most if neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2 * at_most
    return _steps_of_one(min(boxes, moved))


def sum_above(lo: float, hi: float) -> Sensitivity:
    """Return the sensitivity of the sum of numbers minus lo: each adds at most hi - lo."""
    return Sensitivity(hi - lo, hi - lo)


def _steps_of_one(counts: int) -> Sensitivity:
    """Return the sensitivity if this many counts move, each by one."""
    return Sensitivity(counts, math.sqrt(counts))
