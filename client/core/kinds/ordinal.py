"""Answers with an order and a distance: rating scales and numbers on a grid."""

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from client.core.kinds.kind import DISTRIBUTION, MEAN, SHARES, Grid, Kind
from client.core.primitives.domain import MAX_TOP, Choice, Levels
from client.core.primitives.refusal import require
from client.core.primitives.values import check_text

MAX_SCALE = 101
# A distribution is estimated with a matrix of this many squared.
MAX_DISTRIBUTION = 1000


@dataclass(frozen=True, kw_only=True)
class Scale(Kind):
    """Whole levels from lo to hi with a label at each end. The goal is the shares, or the mean."""

    lo: int
    hi: int
    lo_label: str = ""
    hi_label: str = ""
    goal: str = SHARES

    name: ClassVar[str] = "scale"
    title: ClassVar[str] = "Rating scale"
    text_fields: ClassVar[tuple[str, ...]] = (*Kind.text_fields, "lo_label", "hi_label")

    def check(self) -> None:
        for field in ("lo", "hi"):
            value = getattr(self, field)
            require(
                type(value) is int and abs(value) <= 1000,
                "bad_scale",
                f"{field} must be a whole number, got {str(value)[:40]}",
                field,
            )
        require(
            1 <= self.hi - self.lo < MAX_SCALE,
            "bad_scale",
            f"hi must be above lo, by at most {MAX_SCALE - 1}, got {self.lo} to {self.hi}",
            "hi",
        )
        check_text(self.lo_label, "lo_label", required=False)
        check_text(self.hi_label, "hi_label", required=False)
        check_goal(self, (SHARES, MEAN))

    @property
    def own_labels(self) -> tuple[str, ...]:
        return tuple(str(level) for level in range(self.lo, self.hi + 1))

    @property
    def domain(self) -> Choice | Levels:
        return Choice(len(self.labels)) if self.goal == SHARES else Levels(self.hi - self.lo)

    @property
    def grid(self) -> Grid:
        return Grid(Decimal(self.lo), Decimal(self.hi), Decimal(1))


@dataclass(frozen=True, kw_only=True)
class Number(Kind):
    """A number from lo to hi in steps. The goal is the mean, or the whole distribution."""

    lo: Decimal
    hi: Decimal
    step: Decimal
    unit: str = ""
    goal: str = MEAN

    name: ClassVar[str] = "number"
    title: ClassVar[str] = "Number"
    text_fields: ClassVar[tuple[str, ...]] = (*Kind.text_fields, "unit")

    def check(self) -> None:
        for field in ("lo", "hi", "step"):
            require(
                isinstance(getattr(self, field), Decimal),
                "bad_number",
                f"{field} must be a decimal such as 0.5",
                field,
            )
        require(self.step > 0, "bad_number", f"step must be above 0, got {self.step}", "step")
        require(self.lo < self.hi, "bad_number", f"hi must be above lo, got {self.hi}", "hi")
        require(
            (self.hi - self.lo) % self.step == 0,
            "bad_number",
            f"step must divide the range from {self.lo} to {self.hi}, got {self.step}",
            "step",
        )
        check_goal(self, (MEAN, DISTRIBUTION))
        most = MAX_TOP if self.goal == MEAN else MAX_DISTRIBUTION
        require(
            self.top <= most,
            "bad_number",
            f"the grid has at most {most} steps for this goal, got {self.top}",
            "step",
        )
        check_text(self.unit, "unit", required=False)

    @property
    def top(self) -> int:
        return int((self.hi - self.lo) / self.step)

    @property
    def own_labels(self) -> tuple[str, ...]:
        return ()

    @property
    def domain(self) -> Levels:
        return Levels(self.top)

    @property
    def grid(self) -> Grid:
        return Grid(self.lo, self.hi, self.step)


def check_goal(kind: Scale | Number, goals: tuple[str, str]) -> None:
    """A known goal, and no option for silence where an answer is a number."""
    require(
        kind.goal in goals,
        "bad_goal",
        f"goal must be {goals[0]} or {goals[1]}, got {str(kind.goal)[:40]!r}",
        "goal",
    )
    require(
        kind.goal == SHARES or not (kind.decline or kind.not_applicable),
        "no_room_for_silence",
        f"a question with the goal {kind.goal} has no option for silence; "
        "offer none, or use a scale with the goal shares, or one_of with bands",
        "goal",
    )
