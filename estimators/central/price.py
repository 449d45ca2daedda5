"""The price of trusting nobody: what local protection costs beside a trusted curator (math 10)."""

import math
from dataclasses import dataclass

from client.core.kinds.kind import MEAN
from client.core.question import Question
from estimators.central.curator import curated_variances
from estimators.central.neighbours import Neighbours
from estimators.planning.promised_errors import promised_variances, value_of_levels
from estimators.planning.target import check_n
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Price:
    """One share or mean from the same respondents, asked locally and by a trusted curator."""

    label: str
    respondents: float
    local_noise_variance: float
    central_noise_variance: float
    sampling_variance: float

    @property
    def local_error(self) -> float:
        return math.sqrt(self.local_noise_variance + self.sampling_variance)

    @property
    def central_error(self) -> float:
        return math.sqrt(self.central_noise_variance + self.sampling_variance)

    @property
    def ratio(self) -> float:
        """How many times the curator's respondents the local survey needs for its error.

        With n/r respondents the curator's noise variance is r^2 times that with n, the sampling
        variance r times: r solves r^2 central + r sampling = local + sampling.
        """
        both = self.local_noise_variance + self.sampling_variance
        root = math.sqrt(self.sampling_variance**2 + 4 * self.central_noise_variance * both)
        return 2 * both / (self.sampling_variance + root)

    @property
    def curator_respondents(self) -> float:
        """As many would give the curator the error that the local survey has with all of them."""
        return self.respondents / self.ratio


def price_of_distrust(
    question: Question,
    shares: Array,
    n: int,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE_ONE,
) -> tuple[Price, ...]:
    """For every option's share, or for the mean alone, if n respondents answer the question."""
    local, sampling = promised_variances(question, shares, check_n(n))
    central, _ = curated_variances(question, shares, n, neighbours)
    labels = question.options if value_of_levels(question) is None else (MEAN,)
    return tuple(
        Price(label, n, float(local[i]), float(central[i]), float(sampling[i]))
        for i, label in enumerate(labels)
    )
