"""What "one person's data" means, and how far one person can move what a curator publishes."""

import math
from dataclasses import dataclass
from enum import Enum

from client.core.primitives.refusal import require


class Neighbours(Enum):
    """Which two data sets must look alike. A local survey protects as REPLACE_ONE does."""

    ADD_OR_REMOVE_ONE = "one person is added or removed"
    REPLACE_ONE = "one person's answer is replaced"


@dataclass(frozen=True)
class Sensitivity:
    """The farthest that neighbours can be apart: the sum of all changes, and their root of squares.

    Laplace noise follows the first, Gaussian noise the second.
    """

    absolute: float
    euclidean: float

    def __post_init__(self) -> None:
        for name in ("absolute", "euclidean"):
            check_positive(getattr(self, name), name)


def check_positive(value: float, name: str) -> float:
    """A finite number above zero."""
    require(
        isinstance(value, int | float) and 0 < value < math.inf,
        f"bad_{name}.positive",
        name,
        value=value,
    )
    return float(value)


def counting_queries(queries: int) -> Sensitivity:
    """Any `queries` counts: one person may be in all of them, under either relation."""
    return _steps_of_one(queries)


def histogram(neighbours: Neighbours) -> Sensitivity:
    """Counts of which a person is in exactly one; who is replaced leaves one for another."""
    return _steps_of_one(1 if neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2)


def ticked_boxes(boxes: int, at_most: int, neighbours: Neighbours) -> Sensitivity:
    """Counts of check-boxes of which a person ticks `at_most`; a new person may tick others."""
    moved = at_most if neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2 * at_most
    return _steps_of_one(min(boxes, moved))


def sum_above(lo: float, hi: float) -> Sensitivity:
    """The sum of everybody's number minus lo: at most hi - lo each, under either relation."""
    return Sensitivity(hi - lo, hi - lo)


def _steps_of_one(counts: int) -> Sensitivity:
    """So many counts move, each by one person."""
    return Sensitivity(counts, math.sqrt(counts))
