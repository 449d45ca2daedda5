"""What the estimators know about a mechanism: the interface that every module here implements.

An analysis wraps one published mechanism. Its base class is `ChoiceAnalysis`, `ChecksAnalysis` or
`LevelAnalysis`. They supply what follows from p and q or from the domain alone, and leave the rest
abstract.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from client.core.mechanisms import Supporting, TwoLevel
from estimators.counting.tally import Tally
from estimators.ordinal.em import channel_matrix
from estimators.ordinal.levels import LevelEstimates
from estimators.shares import spread
from estimators.shares.checks import CheckEstimates
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array, Counts
from estimators.shares.support import Support, check_cells

AnyMechanism = TypeVar("AnyMechanism", bound=TwoLevel)
AnySupporting = TypeVar("AnySupporting", bound=Supporting)
# What the export says about the covariance of two options: a rule, and the numbers in it.
CovarianceRule = dict[str, Any]

_OF_CHOICES = (
    " noise_covariance = N[u,v] / n. sampling_covariance = ((s[u] if u = v, else 0) - s[u] s[v] "
    "+ noise_covariance) / (n - 1). N[u,u] = s[u] p (1-p) / (p-q)^2 + (1 - s[u]) q (1-q) / (p-q)^2."
)
_OF_CHECKS = (
    " noise_covariance = N[u,v] / n; sampling_covariance = 0. Both hold if the boxes are ticked "
    "independently of each other. u = v: noise_variance and sampling_variance in estimates.csv."
)


@dataclass(frozen=True)
class Analysis(ABC, Generic[AnyMechanism]):
    """One mechanism as the estimators, the planner and the export see it."""

    mechanism: AnyMechanism

    # How a report is made, for the export: `name` is a number of the shape, T the threshold.
    rule: ClassVar[str]

    @abstractmethod
    def estimates(
        self, tally: Tally, lo: float = 0.0, step: float = 1.0
    ) -> ShareEstimates | LevelEstimates:
        """Return the estimates from a tally; lo and step are for levels."""

    @abstractmethod
    def promised_noise(self, shares: Array, n: int) -> Array:
        """Return n times the noise variance of every share, or of the mean, at this truth."""

    @abstractmethod
    def lever(self) -> float:
        """Return L: forging the part f of the reports moves a share, or the mean, by f L at most.

        Of the reports about that option, where a report is about some of them (math 11).
        """

    @abstractmethod
    def far_from_both(self) -> int | Fraction:
        """Return how many reports of a draw are far from both of two answers, counted as `far` is.

        The two answers are those that share the fewest reports (math 9).
        """

    @abstractmethod
    def regression(self, id: str, covariates: str) -> list[str]:
        """Return the R calls that fit a model of the true answers to the question `id`."""

    @abstractmethod
    def report_scores(self, reports: Sequence[Any]) -> Array:
        """Return a row per report and a column per option, box or level (math 0.5).

        E(score | truth) is 1 for the truth, or for a ticked box, and 0 for all others. The score is
        NaN for a box that the report is not about.
        """

    def value_scores(self, reports: Sequence[Any], values: Array) -> Array:
        """Return for each report an unbiased score of the number that the truth stands for."""
        return self.report_scores(reports) @ values

    def answer_scores(self, reports: Sequence[Any]) -> Array | None:
        """Return for each report an unbiased score of "answered"; None if a number must be given.

        Where people can be silent, `value_scores` count them as 0, and a mean is the sum of these
        divided by the sum of those.
        """
        return None

    @abstractmethod
    def report_chances(self, reports: Sequence[Any]) -> Array | None:
        """Return P(report | truth) with a column per truth; None if truths are sets of boxes."""

    @property
    def asked_part(self) -> float:
        """The part of all reports that are about a given option."""
        return 1.0

    def drawn(self, tally: Tally) -> Counts | None:
        """Return the reports about each thing that is drawn for a report; None if nothing is."""
        return None

    def covariance_rule(self) -> CovarianceRule | None:
        """Return how the estimated shares vary together; None if they are not shares of options."""
        return None

    def count_reports(self) -> int:
        """Return how many different reports there are."""
        return self.mechanism.cells

    def reports(self) -> list[Any]:
        """Return every possible report, in the order of the export's matrix."""
        return list(range(self.mechanism.cells))

    def chances(self, reports: Sequence[Any], truth: Any) -> list[Fraction]:
        """Return P(report | truth) for all reports: all near ones are equal, and all far ones."""
        keep = self.mechanism.keep
        near = [self.mechanism.near_draws(truth, report) for report in reports]
        inside, outside = sum(near), len(near) - sum(near)
        return [keep / inside if is_near else (1 - keep) / outside for is_near in near]


@dataclass(frozen=True)
class ShareAnalysis(Analysis[AnySupporting], ABC):
    """A mechanism that estimates the share of every option or box."""

    def support(self, tally: Tally) -> Support:
        """Count the reports that support each option; by default the cells are the options."""
        cells = self.cells(tally)
        return Support(cells, np.full(len(cells), tally.n))

    def cells(self, tally: Tally) -> spread.Counts:
        """Return the tally's cells; raise if this mechanism's reports could not have made them."""
        check_cells(self.mechanism, tally)
        return np.array(tally.counts, dtype=np.int64)

    @abstractmethod
    def supports(self, reports: Sequence[Any]) -> Array:
        """Return 1 where a report supports an option, 0 where not, NaN where it says nothing."""

    def report_scores(self, reports: Sequence[Any]) -> Array:
        p, q = float(self.mechanism.p), float(self.mechanism.q)
        return (self.supports(reports) - q) / (p - q)

    def promised_noise(self, shares: Array, n: int) -> Array:
        return spread.noise_per_respondent(shares, float(self.mechanism.p), float(self.mechanism.q))

    def lever(self) -> float:
        return spread.share_lever(float(self.mechanism.p), float(self.mechanism.q))

    def regression(self, id: str, covariates: str) -> list[str]:
        return supported_regression(self.mechanism, id, 1, "supports option 1", covariates)


@dataclass(frozen=True)
class ChoiceAnalysis(ShareAnalysis[AnySupporting], ABC):
    """A mechanism for one choice out of several: shares sum to one."""

    def estimates(self, tally: Tally, lo: float = 0.0, step: float = 1.0) -> ChoiceEstimates:
        return ChoiceEstimates.of(self, tally)

    def report_chances(self, reports: Sequence[Any]) -> Array:
        """All reports that support the truth are equally likely, and so are all others."""
        near = self.count_supporting()
        keep, far = float(self.mechanism.keep), self.count_reports() - near
        return np.where(self.supports(reports) == 1, keep / near, (1 - keep) / far)

    @abstractmethod
    def count_supporting(self) -> int:
        """Return how many of all different reports support a given option."""

    @abstractmethod
    def noise_times(self, shares: Array, targets: Array) -> Array:
        """Return the noise covariance of all options, per respondent, times each target column."""

    def noise_with(self, shares: Array, option: int) -> Array:
        """Return the noise covariance of one option with all of them, per respondent."""
        one = np.zeros(len(shares))
        one[option] = 1
        return self.noise_times(shares, one)

    @abstractmethod
    def pair_rule(self) -> CovarianceRule:
        """Return the export's rule for N[u,v], the noise covariance of two options times n."""

    def covariance_rule(self) -> CovarianceRule:
        found = self.pair_rule()
        return {**found, "rule": found["rule"] + _OF_CHOICES}


@dataclass(frozen=True)
class ChecksAnalysis(ShareAnalysis[AnySupporting], ABC):
    """A mechanism for check-boxes: shares need not sum to one."""

    def estimates(self, tally: Tally, lo: float = 0.0, step: float = 1.0) -> CheckEstimates:
        return CheckEstimates.of(self, tally)

    def report_chances(self, reports: Sequence[Any]) -> None:
        """A truth is a set of boxes, and shares of boxes do not tell how sets are made up."""

    @abstractmethod
    def spread_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the covariance of two boxes' shares times n, if the share `both` ticks both."""

    def noise_of_pairs(self, shares: Array, both: Array) -> Array:
        """Return the part of that covariance that remains if the answers are fixed."""
        return self.spread_of_pairs(shares, both) - (both - np.outer(shares, shares))

    @abstractmethod
    def pair_rule(self) -> CovarianceRule:
        """Return the export's rule for N[u,v], the noise covariance of two boxes times n."""

    def covariance_rule(self) -> CovarianceRule:
        found = self.pair_rule()
        return {**found, "rule": found["rule"] + _OF_CHECKS}


@dataclass(frozen=True)
class LevelAnalysis(Analysis[AnyMechanism], ABC):
    """A mechanism for levels with an order and a distance: mean and distribution."""

    @property
    @abstractmethod
    def top(self) -> int:
        """The highest level."""

    @property
    def truths(self) -> int:
        """The number of levels, and of options for silence after them."""
        return self.top + 1

    @abstractmethod
    def forward(self, shares: Array) -> Array:
        """Return M pi, the share of each report, with M[y, x] = P(report y | level x)."""

    @abstractmethod
    def backward(self, ratio: Array) -> Array:
        """Return M' r, with the same matrix M as `forward`."""

    def report_chances(self, reports: Sequence[Any]) -> Array:
        """Compute the columns of the channel for all levels, and take the reports' rows."""
        return channel_matrix(self)[self._cells(reports)]

    def _cells(self, reports: Sequence[Any]) -> Counts:
        cells = [self.mechanism.cells_of(report)[0] for report in reports]
        return np.array(cells, dtype=np.int64)

    def value_noise(self, truth: int, lo: float, step: float) -> float:
        """Return the variance of the value score of a person at this level, or silent."""
        return step**2 * self.mechanism.noise(truth)

    def answer_noise(self, truth: int) -> float:
        """Return the variance of the score of "answered" at this level, or for silence."""
        return 0.0

    def promised_noise(self, shares: Array, n: int) -> Array:
        noise = [self.mechanism.noise(level) for level in range(self.top + 1)]
        return np.array([float(shares @ np.array(noise))])


def members(reports: Sequence[Sequence[int]], items: int) -> Array:
    """Return a row per report, 1 in the columns of the items that its set holds, else 0."""
    held = np.zeros((len(reports), items))
    if len(reports):
        np.put_along_axis(held, np.array(reports, dtype=np.int64), 1.0, axis=1)
    return held


def supported_regression(
    mechanism: Supporting, id: str, option: int, meaning: str, covariates: str
) -> list[str]:
    """Return R calls of a logistic regression through the link with this mechanism's p and q."""
    p, q = float(mechanism.p), float(mechanism.q)
    return [
        f'y <- reported("{id}", {option})  # {meaning}; NA: not asked',
        f"glm(y ~ {covariates}, family = binomial(randomized(p = {p!r}, q = {q!r})), "
        "control = to_the_last_digit)",
    ]
