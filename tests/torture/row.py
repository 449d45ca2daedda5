"""A row of TORTURE.md: what is tried, how often, and what must come of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Progress(Protocol):
    """What a trial tells about itself while it runs."""

    def advance(self, steps: int = 1) -> None: ...


@dataclass(frozen=True)
class Outcome:
    """What came of a row: the figure in words, whether it reaches the goal, and why not."""

    figure: str
    met: bool
    reason: str = ""


@dataclass(frozen=True)
class Row:
    """One figure to reach.

    `run(amount, seed, progress)` tries `amount` times and advances the progress by one for each
    try. `amount` is the full scale; the tests call `run` with a small one.
    """

    name: str
    title: str
    goal: str
    amount: int
    unit: str
    run: Callable[[int, int, Progress], Outcome]


class Silent:
    """Shows nothing: for the small runs of the tests."""

    def advance(self, steps: int = 1) -> None:
        pass
