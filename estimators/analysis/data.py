"""A data set in Python: estimates, comparisons, cross-tables and regressions of its questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from estimators.columns.design_file import MatrixDesign, RowDesign
from estimators.columns.estimates import estimate_by, estimate_frame
from estimators.columns.frame import Frame
from estimators.columns.reading import read_frame
from estimators.confidence import CONFIDENCE
from estimators.counting.group_columns import GROUP
from estimators.counting.tally import Tally

if TYPE_CHECKING:
    from estimators.compare.result import Comparison
    from estimators.cross.table import CrossTable

# The known parts of the levels of a plain column.
Parts = Mapping[str, float]


@dataclass(frozen=True)
class Data:
    """Reports and covariates, as `candor.read` returns them.

    A question is named by its id, a covariate by its column. Bad input raises a `Refusal`.
    """

    frame: Frame

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.frame.n

    @property
    def questions(self) -> list[str]:
        """The names of the randomized questions."""
        return list(self.frame.randomized)

    @property
    def covariates(self) -> list[str]:
        """The names of the columns that were not randomized."""
        return list(self.frame.plain)

    @property
    def tally(self) -> dict[str, Tally]:
        """The counts of every question, which `candor.estimate` takes."""
        return self.frame.tallies()

    @property
    def reports(self) -> Any:
        """All rows: each report as it was sent, None if not asked, and the covariates.

        A DataFrame if pandas is installed, else lists by column.
        """
        columns: dict[str, Any] = {}
        for name, column in self.frame.randomized.items():
            sent = column.reports
            if isinstance(column.channel, MatrixDesign | RowDesign):
                sent = [column.channel.as_written(report) for report in sent]
            columns[name] = [None if code < 0 else sent[code] for code in column.codes.tolist()]
        return _table(columns | {name: list(values) for name, values in self.frame.plain.items()})

    def scores(self) -> Any:
        """Return unbiased numbers per row, to average or to regress: `smokes__1` is option 1.

        A question about a number has one column, in its own unit. If people can be silent, it
        counts them as 0, and `income__answered` is about whether they answered: a mean is the sum
        of the one divided by the sum of the other. What was not asked is NaN. A DataFrame if pandas
        is installed, else arrays by column.
        """
        columns: dict[str, Any] = dict(self.frame.plain)
        for name, column in self.frame.randomized.items():
            if column.question is not None and column.mean_scores is not None:
                columns[name] = column.by_row(column.mean_scores)
                if column.answer_scores is not None:
                    columns[f"{name}__answered"] = column.by_row(column.answer_scores)
            else:
                scores = column.by_row(column.scores)
                columns |= {
                    f"{name}__{option}": scores[:, option] for option in range(scores.shape[1])
                }
        return _table(columns)

    def estimate(
        self, by: str | None = None, confidence: float = CONFIDENCE, exact: bool = False
    ) -> list[dict[str, Any]]:
        """Estimate every question: one row for each quantity, as in `estimates.csv`.

        `by` names a covariate; then there are rows for each of its values, in the column `group`.
        Rows in which it is missing are in none.
        """
        if by is None:
            return estimate_frame(self.frame, confidence, exact)
        return estimate_by(self.frame, by, confidence, exact)

    def compare(
        self,
        question: str,
        by: str = GROUP,
        *,
        option: str | None = None,
        reference: str | None = None,
        parts: Parts | None = None,
        margins: Mapping[str, Parts] | None = None,
        confidence: float = CONFIDENCE,
    ) -> "Comparison":
        """Compare a question between the values of a covariate.

        `option` limits it to one option or box, `reference` is the value that the others are
        compared with. `parts` are the known parts of the values in the population, for
        post-stratification; `margins` those of several covariates, for raking.
        """
        from estimators.compare.groups import compare_frame

        return compare_frame(
            self.frame, question, by, option, reference, parts, margins, confidence
        )

    def cross(
        self, first: str, second: str | None = None, *, confidence: float = CONFIDENCE
    ) -> "CrossTable":
        """Cross two questions of the same people, or show a `cross` question as a table."""
        from estimators.cross.crossing import cross

        return cross(self.frame, first, second, confidence)

    def regress(self, formula: str, model: str | None = None, **settings: Any) -> Any:
        """Fit a model of the true answers, such as "smokes ~ age"; needs statsmodels.

        The result has statsmodels' names: params, bse, conf_int(), predict(), summary() and so on.
        `model` is logit, multinomial, ordinal or linear; by default what suits the outcome. The
        settings are weights, freq_weights, cluster, cov, correction and predictors_on.
        """
        from estimators.regression.regress import regress

        fit: Any = regress
        return fit(self.frame, formula, model, **settings)


def read_data(
    path: Path,
    survey: Path | None = None,
    design: Path | None = None,
    attributes: Path | None = None,
) -> Data:
    """Open a data set for analysis."""
    return Data(read_frame(path, survey, design, attributes))


def _table(columns: dict[str, Any]) -> Any:
    """Return a DataFrame of the columns, or the columns if pandas is not installed."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)
