"""What the results page shows for one question: bars, a histogram and some key figures."""

from array import array
from dataclasses import dataclass, replace
from hashlib import sha256

from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.cross.crossing import cross_question, is_table, label_table
from estimators.cross.table import CrossTable
from estimators.shares.draws import Draw
from estimators.shares.leading import Leaders
from estimators.shares.shares import ShareEstimates
from estimators.tables.forging import BOXES, THRESHOLDS, forging_rows, question_draws
from estimators.tables.level_rows import AT_MOST, LEVEL, QUANTILES
from estimators.tables.question import estimate_question
from estimators.tables.rows import FEWEST_OPTIONS, MEAN, NET_PROMOTERS, SHARE, SILENT, Row
from estimators.tables.table import question_rows
from server.results.kept import KEPT

# Only this many of the largest shares are drawn; the downloads have all of them.
MOST_BARS = 20
# An interval wider than this part of the possible range says too little to name a leader.
WIDE = 0.5


@dataclass(frozen=True)
class Figure:
    """One question's estimates, arranged for a reader."""

    question: Question
    n: int
    rows: tuple[Row, ...]
    leaders: Leaders | None
    # What forged reports could do, and whether what the reports are about was drawn evenly.
    forging: tuple[Row, ...]
    draws: tuple[Row, ...]
    # The table of a question whose options are cells.
    cross: CrossTable | None = None

    @property
    def bars(self) -> list[Row]:
        """The shares of all options in their order, or the largest shares of a long list."""
        # Nothing is known about a box that nobody was asked about.
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
        rows = [row for row in self.rows if row["quantity"] in (MEAN, NET_PROMOTERS)]
        return [row for row in rows if row["value"] is not None]

    @property
    def silent(self) -> list[Row]:
        """The shares of options for silence where a number is asked for."""
        return [row for row in self._with(SILENT) if row["value"] is not None]

    @property
    def quantiles(self) -> list[Row]:
        """The five quantiles of a box plot; empty for shares and for very fine grids."""
        return [
            row | {"part": QUANTILES[row["quantity"]]}
            for row in self.rows
            if row["quantity"] in QUANTILES and row["value"] is not None
        ]

    @property
    def cumulative(self) -> list[Row]:
        """Shares of the answers up to a level."""
        return self._with(AT_MOST)

    @property
    def best(self) -> list[str]:
        """The options that may have the largest share, the largest estimate first."""
        return [self.question.options[o] for o in self.leaders.options] if self.leaders else []

    @property
    def totals(self) -> list[Row]:
        """The rows with a total that is shown: numbers of people, and the sum behind a mean."""
        rows = [*self.bars, *self._with(MEAN), *self.silent]
        return [row for row in rows if row["total"] is not None]

    @property
    def says_nothing(self) -> bool:
        """Whether some share's interval is too wide to say much."""
        return any(row["high"] - row["low"] > WIDE for row in self.bars)

    @property
    def mean_says_nothing(self) -> bool:
        """Whether the mean's interval is too wide, measured by the question's own range."""
        grid = self.question.kind.grid
        if grid is None:
            return False
        widest = WIDE * float(grid.hi - grid.lo)
        means = [row for row in self.facts if row["quantity"] == MEAN]
        return any(row["high"] - row["low"] > widest for row in means)

    @property
    def mean_is_unknown(self) -> bool:
        """Whether there is no mean because it is not clear that anybody answered."""
        return bool(self.silent) and not self.facts

    @property
    def worth(self) -> tuple[float, ...]:
        """The effective sample sizes of the worst and of the best option; empty if unknown."""
        shares = self._with(SHARE)
        known = [row["effective_n"] for row in shares if row["effective_n"] is not None]
        return (min(known), max(known)) if known else ()

    @property
    def without_forged(self) -> list[list[Row]]:
        """What honest reports alone would give, every part, for each estimate that is shown.

        These are shares, or the mean and the shares of silence.
        """
        shown = [row["option"] for row in self.bars] or [
            None,
            *(row["option"] for row in self.silent),
        ]
        found: dict[int | None, list[Row]] = {option: [] for option in shown}
        for row in self.forging:
            found.get(row["option"], []).append(row)
        return [rows for rows in found.values() if rows]

    @property
    def forged_moves(self) -> list[Row]:
        """For each part of forged reports the estimate that they can move most, then silence."""
        worst: dict[float, Row] = {}
        silent = [row for row in self.forging if row["quantity"] == SILENT]
        for row in (row for row in self.forging if row["quantity"] != SILENT):
            known = worst.setdefault(row["part"], row)
            worst[row["part"]] = row if row["move"] > known["move"] else known
        return [*worst.values(), *silent]

    @property
    def is_aimed(self) -> bool:
        """Whether forgers choose what their reports are about."""
        return any(row["aimed"] for row in self.forging)

    @property
    def has_limit(self) -> bool:
        """Whether the counts limit how many forged reports can be about one box or question."""
        return any(draw["drawn"] != THRESHOLDS for draw in self.draws)

    @property
    def uneven(self) -> list[Row]:
        """The draws that honest reports would hardly make."""
        return [draw for draw in self.draws if draw["flag"]]

    def _with(self, quantity: str) -> list[Row]:
        return [row for row in self.rows if row["quantity"] == quantity]

    def labelled(self, question: Question) -> "Figure":
        """Return the same figures with the labels of the question in another language."""
        labels = dict(zip(self.question.options, question.options, strict=True))
        if labels == dict(zip(labels, labels, strict=True)):
            return replace(self, question=question)
        return replace(
            self,
            question=question,
            rows=tuple(_labelled(row, labels) for row in self.rows),
            forging=tuple(_labelled(row, labels) for row in self.forging),
            draws=tuple(
                draw | {"uneven": [item | {"label": labels[item["label"]]} for item in items]}
                if draw["drawn"] == BOXES and (items := draw["uneven"])
                else draw
                for draw in self.draws
            ),
            cross=self.cross and label_table(self.cross, question),
        )


def _labelled(row: Row, labels: dict[str, str]) -> Row:
    return row | {"label": labels[row["label"]]} if row["quantity"] in (SHARE, SILENT) else row


def figure(question: Question, tally: Tally, questions: Draw) -> Figure:
    """Estimate a question; the intervals of a distribution take a moment."""
    estimates = estimate_question(question, tally) if tally.n else None
    comparable = isinstance(estimates, ShareEstimates) and len(question.options) >= FEWEST_OPTIONS
    return Figure(
        question,
        tally.n,
        tuple(question_rows(question, tally)),
        estimates.leaders() if comparable and isinstance(estimates, ShareEstimates) else None,
        tuple(forging_rows(estimates, question.options, questions)) if estimates else (),
        tuple(question_draws(question, tally, questions)) if estimates else (),
        cross_question(question, tally) if is_table(question) and tally.n > 1 else None,
    )


def kept_figure(fingerprint: str, question: Question, tally: Tally, questions: Draw) -> Figure:
    """Return the figure of a survey's question, in the survey's own language; computed once."""
    counts = sha256(array("q", tally.counts).tobytes()).digest()
    key = ("figure", fingerprint, question.id, tally.n, counts, questions)
    return KEPT.get(key, lambda: figure(question, tally, questions))
