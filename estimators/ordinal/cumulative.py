"""Cumulative shares F(v) = P(answer <= v) with 95 % limits, and the quantiles read off them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from estimators.shares.intervals import Interval
from estimators.shares.spread import Array

# The 99 % quantile of chi-square(1) gives 95 % intervals: shares that cannot be negative make the
# deviance heavier than chi-square(1). Measured for 95 % only, so no other level is offered.
CUT = 6.6349


class Limits(ABC):
    """Lower and upper limits of F(v) for v = 0 .. top - 1."""

    @property
    @abstractmethod
    def top(self) -> int: ...

    @abstractmethod
    def low(self, level: int) -> float: ...

    @abstractmethod
    def high(self, level: int) -> float: ...

    @abstractmethod
    def first_reaching(self, chance: float) -> int:
        """Return the first level whose upper limit reaches a chance; F(top) = 1 always does."""

    @abstractmethod
    def last_after(self, chance: float) -> int:
        """Return the last level before which the lower limit is at most a chance; F(-1) = 0."""


@dataclass(frozen=True, eq=False)
class SearchedLimits(Limits, ABC):
    """Limits that cost a search each, and never fall from one level to the next.

    A level is searched once, and only if it is needed.
    """

    _lows: dict[int, float] = field(default_factory=dict, init=False, repr=False)
    _highs: dict[int, float] = field(default_factory=dict, init=False, repr=False)

    @abstractmethod
    def find_low(self, level: int) -> float: ...

    @abstractmethod
    def find_high(self, level: int) -> float: ...

    def low(self, level: int) -> float:
        if level not in self._lows:
            self._lows[level] = self.find_low(level)
        return self._lows[level]

    def high(self, level: int) -> float:
        if level not in self._highs:
            self._highs[level] = self.find_high(level)
        return self._highs[level]

    def first_reaching(self, chance: float) -> int:
        return first_place(self.top, lambda level: self.high(level) >= chance)

    def last_after(self, chance: float) -> int:
        return first_place(self.top, lambda level: self.low(level) > chance)


@dataclass(frozen=True, eq=False)
class FixedLimits(Limits):
    """Limits that are known for all levels, and may fall from one level to the next."""

    lows: Array
    highs: Array

    @property
    def top(self) -> int:
        return len(self.lows)

    def low(self, level: int) -> float:
        return float(self.lows[level])

    def high(self, level: int) -> float:
        return float(self.highs[level])

    def first_reaching(self, chance: float) -> int:
        return int(np.append(self.highs >= chance, True).argmax())

    def last_after(self, chance: float) -> int:
        return self.top - int(np.append((self.lows <= chance)[::-1], True).argmax())


@dataclass(frozen=True, eq=False)
class Cumulative:
    """The fitted F(v) for v = 0 .. top - 1, and its limits: the widest of one or more kinds."""

    fitted: Array
    limits: Sequence[Limits]
    # Whether neighbouring levels were grouped, because there are many.
    is_grouped: bool = False

    def interval(self, level: int) -> Interval:
        """Return the 95 % interval of F at a level."""
        return Interval(
            min(part.low(level) for part in self.limits),
            max(part.high(level) for part in self.limits),
        )

    def quantile(self, chance: float) -> tuple[int, int, int]:
        """Return the first level with F >= chance, and the ends of its interval (math 4).

        The interval holds every v with high(F(v)) >= chance and low(F(v - 1)) <= chance.
        """
        return (
            first_place(len(self.fitted), lambda level: bool(self.fitted[level] >= chance)),
            min(part.first_reaching(chance) for part in self.limits),
            max(part.last_after(chance) for part in self.limits),
        )


def first_place(count: int, holds: Callable[[int], bool]) -> int:
    """Return the first of so many places where something holds that stays true once it is."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
