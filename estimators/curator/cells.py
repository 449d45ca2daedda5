"""How a curator reads the cells of a file: whatever they hold, a cell never ends a release.

A refusal would tell of one person without noise. So an answer that is none of the options counts
for none of them, a number beyond the range counts as its end, and what is no number as the lowest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal, InvalidOperation
from fractions import Fraction
from functools import partial

from client.core.kinds import Grid
from client.core.primitives.domain import Checks, Levels
from client.core.question import Question
from estimators.curator.selection import Auction
from estimators.simulation.people.people_file import BOXES_APART, check_apart, numbers_of

# Beyond every range of a question and every price, and finer than any of their steps.
LARGEST = Decimal(10**12)
FINEST = Decimal("1e-12")


@dataclass(frozen=True)
class Cell:
    """What a cell says: an option, a level or the ticked boxes; None is none of the options."""

    answer: int | tuple[int, ...] | None
    understood: bool = True

    @property
    def given(self) -> int | list[int]:
        """The answer as a question takes it."""
        assert self.answer is not None
        return self.answer if isinstance(self.answer, int) else sorted(self.answer)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The options, boxes or levels that it counts for."""
        if self.answer is None:
            return ()
        return (self.answer,) if isinstance(self.answer, int) else self.answer


ReadCell = Callable[[str], Cell]


def reader_of(question: Question) -> ReadCell:
    """How the cells of a column are read as answers to the question."""
    grid = question.kind.grid
    match question.domain:
        case Levels() if grid is not None:
            return partial(_level, grid)
        case Checks(at_most=at_most):
            check_apart(question.options)
            return partial(_boxes, numbers_of(question.options), at_most)
    return partial(_option, numbers_of(question.options))


def value_reader(labels: Sequence[str]) -> ReadCell:
    """Which of the labels stand in a cell; it may hold others, too."""
    check_apart(labels)
    numbers = numbers_of(labels)
    return lambda cell: Cell(_boxes(numbers, len(labels), cell).answer)


def one_value_reader(label: str) -> ReadCell:
    """1 if the label stands in a cell, else 0."""
    read = value_reader([label])
    return lambda cell: Cell(len(read(cell).numbers))


def bid_reader(auction: Auction) -> ReadCell:
    """How many of the prices a bidder would pay; none, if the cell is no number."""

    def read(cell: str) -> Cell:
        bid = read_number(cell)
        return Cell(0, False) if bid is None else Cell(auction.level_of(Fraction(bid)))

    return read


def read_number(cell: str) -> Decimal | None:
    """A cell as a number, rounded down to twelve decimals; None if it is none."""
    try:
        value = Decimal(cell)
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    if not -LARGEST <= value <= LARGEST:
        return LARGEST.copy_sign(value)
    return value.quantize(FINEST, ROUND_FLOOR)


def _option(numbers: dict[str, int], cell: str) -> Cell:
    found = numbers.get(cell, numbers.get(cell.casefold()))
    return Cell(found, found is not None)


def _boxes(numbers: dict[str, int], at_most: int, cell: str) -> Cell:
    parts = [part.strip() for part in cell.split(BOXES_APART)] if cell else []
    found = [numbers.get(part, numbers.get(part.casefold())) for part in parts]
    known = tuple(dict.fromkeys(number for number in found if number is not None))
    return Cell(known[:at_most], None not in found and len(known) <= at_most)


def _level(grid: Grid, cell: str) -> Cell:
    value = read_number(cell)
    if value is None:
        return Cell(0, False)
    inside = min(max(value, grid.lo), grid.hi)
    level = (inside - grid.lo) / grid.step
    return Cell(int(level.to_integral_value()), inside == value and level % 1 == 0)
