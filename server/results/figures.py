"""What the results page shows of one question: bars, a histogram, and a few plain facts."""

import math
from dataclasses import dataclass
from functools import lru_cache

from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.shares.intervals import Interval
from estimators.shares.leading import Leader
from estimators.shares.shares import ShareEstimates
from estimators.tables.forging import forging_lever
from estimators.tables.question import estimate_question
from estimators.tables.rows import LEVEL, MEAN, MEDIAN, NET_PROMOTERS, SHARE, Row
from estimators.tables.table import question_rows

# Of a longer list only the largest shares are drawn; the download has them all.
MOST_BARS = 20
# How many forged reports are weighed: a handful, and these parts of all reports.
FORGED = 10
FORGED_PARTS = (0.01, 0.05, 0.1)
# An interval wider than this part of what is possible says too little, to name a leader too.
WIDE = 0.5


@dataclass(frozen=True)
class Forgery:
    """How far so many forged reports could move a share, or the mean, at the most."""

    reports: int
    part: float
    move: float


@dataclass(frozen=True)
class Figure:
    """One question's estimates, arranged for a reader."""

    question: Question
    tally: Tally
    rows: tuple[Row, ...]
    leader: Leader | None
    lever: Interval

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def bars(self) -> list[Row]:
        """The options' shares: all in their order, or the largest of a long list."""
        # Of a box that nobody was asked about nothing is known.
        shares = [row for row in self._with(SHARE) if row["value"] is not None]
        if len(shares) <= MOST_BARS:
            return shares
        return sorted(shares, key=lambda row: -row["value"])[:MOST_BARS]

    @property
    def hidden(self) -> int:
        return len(self._with(SHARE)) - len(self.bars)

    @property
    def levels(self) -> list[Row]:
        return self._with(LEVEL)

    @property
    def facts(self) -> list[Row]:
        return [row for row in self.rows if row["quantity"] in (MEAN, MEDIAN, NET_PROMOTERS)]

    @property
    def rivals(self) -> list[str]:
        """The options that the leader cannot be told from."""
        return [self.question.options[rival] for rival in self.leader.rivals] if self.leader else []

    @property
    def says_nothing(self) -> bool:
        """Some interval is as wide as all shares that are possible, or half of them."""
        return any(row["high"] - row["low"] > WIDE for row in self.bars)

    @property
    def mean_says_nothing(self) -> bool:
        """The same of the mean, whose range is its own."""
        grid = self.question.kind.grid
        if grid is None:
            return False
        widest = WIDE * float(grid.hi - grid.lo)
        return any(row["high"] - row["low"] > widest for row in self._with(MEAN))

    @property
    def worth(self) -> tuple[float, ...]:
        """As how many unprotected answers the reports say: of the worst and of the best option."""
        known = [row["effective_n"] for row in self.rows if row["effective_n"] is not None]
        return (min(known), max(known)) if known else ()

    @property
    def forgeries(self) -> list[Forgery]:
        lever = max(self.lever.high, -self.lever.low)
        counts = {FORGED, *(math.ceil(part * self.n) for part in FORGED_PARTS)}
        return [Forgery(m, m / self.n, lever * m / self.n) for m in sorted(counts) if m <= self.n]

    def _with(self, quantity: str) -> list[Row]:
        return [row for row in self.rows if row["quantity"] == quantity]


@lru_cache(maxsize=256)
def figure(question: Question, tally: Tally, drawn_by: str) -> Figure:
    """Computed once per tally: a distribution with its bootstrap takes a moment."""
    estimates = estimate_question(question, tally) if tally.n else None
    comparable = isinstance(estimates, ShareEstimates) and len(question.options) > 2
    return Figure(
        question,
        tally,
        tuple(question_rows(question, tally)),
        estimates.leader() if comparable and isinstance(estimates, ShareEstimates) else None,
        forging_lever(question, drawn_by),
    )
