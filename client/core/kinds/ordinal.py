"""Kinds whose answers have an order and a distance: rating scales and numbers on a grid."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from client.core.kinds.kind import DISTRIBUTION, MEAN, SHARES, Grid, Kind, any_text, either
from client.core.primitives.domain import MAX_TOP, Choice, Levels
from client.core.primitives.refusal import require

MAX_SCALE = 101
# Estimating a distribution takes a matrix with this many rows and columns.
MAX_DISTRIBUTION = 1000


def _level(value: Any, field: str) -> None:
    require(type(value) is int and abs(value) <= 1000, "bad_scale.whole", field, value=value)


def _decimal(value: Any, field: str) -> None:
    require(isinstance(value, Decimal), "bad_number.decimal", field)


def _above_zero(value: Any, field: str) -> None:
    _decimal(value, field)
    require(value > 0, "bad_number.step", field, step=value)


@dataclass(frozen=True, kw_only=True)
class Scale(Kind):
    """Whole levels from lo to hi, with a label at each end. The goal is the shares or the mean."""

    lo: int
    hi: int
    lo_label: str = ""
    hi_label: str = ""
    goal: str = SHARES

    name: ClassVar = "scale"
    can_reverse: ClassVar = True
    text_fields: ClassVar = (*Kind.text_fields, "lo_label", "hi_label")
    rules: ClassVar = {
        **Kind.rules,
        "lo": _level,
        "hi": _level,
        "lo_label": any_text,
        "hi_label": any_text,
        "goal": either(SHARES, MEAN),
    }

    def check(self) -> None:
        fits = 1 <= self.hi - self.lo < MAX_SCALE
        require(fits, "bad_scale.order", "hi", most=MAX_SCALE - 1, lo=self.lo, hi=self.hi)

    @property
    def own_labels(self) -> tuple[str, ...]:
        return tuple(str(level) for level in range(self.lo, self.hi + 1))

    @property
    def domain(self) -> Choice | Levels:
        if self.goal == SHARES:
            return Choice(len(self.labels))
        return Levels(self.hi - self.lo, len(self.silence))

    @property
    def grid(self) -> Grid:
        return Grid(Decimal(self.lo), Decimal(self.hi), Decimal(1))


@dataclass(frozen=True, kw_only=True)
class Number(Kind):
    """A number from lo to hi in steps. The goal is the mean or the whole distribution."""

    lo: Decimal
    hi: Decimal
    step: Decimal
    unit: str = ""
    goal: str = MEAN

    name: ClassVar = "number"
    text_fields: ClassVar = (*Kind.text_fields, "unit")
    rules: ClassVar = {
        **Kind.rules,
        "lo": _decimal,
        "hi": _decimal,
        "step": _above_zero,
        "unit": any_text,
        "goal": either(MEAN, DISTRIBUTION),
    }

    def check(self) -> None:
        require(self.lo < self.hi, "bad_number.order", "hi", hi=self.hi)
        divides = (self.hi - self.lo) % self.step == 0
        require(divides, "bad_number.divide", "step", lo=self.lo, hi=self.hi, step=self.step)
        most = MAX_TOP if self.goal == MEAN else MAX_DISTRIBUTION
        require(self.top <= most, "bad_number.steps", "step", most=most, steps=self.top)

    @property
    def top(self) -> int:
        return int((self.hi - self.lo) / self.step)

    @property
    def own_labels(self) -> tuple[str, ...]:
        return ()

    @property
    def domain(self) -> Levels:
        return Levels(self.top, len(self.silence))

    @property
    def hidden_answer(self) -> int:
        return self.domain.count - 1

    @property
    def grid(self) -> Grid:
        return Grid(self.lo, self.hi, self.step)
