"""The local survey that a curator is compared with: same question and epsilon, nobody to trust."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.domain import Choice
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.intervals import hoeffding_margin, normal_quantile
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array
from estimators.simulation.people.shares import even_shares
from estimators.tables.promised_errors import promised_variances
from estimators.tables.question import estimate_question


@dataclass(frozen=True)
class LocalSurvey:
    """What the randomized reports of n people say; without a tally, what to expect of them."""

    question: Question
    n: int
    tally: Tally | None = None

    @cached_property
    def _estimates(self) -> ShareEstimates | LevelEstimates | None:
        return None if self.tally is None else estimate_question(self.question, self.tally)

    @property
    def totals(self) -> Array | None:
        """The estimated number of people per option; None without a tally."""
        found = self._estimates
        return found.totals if isinstance(found, ShareEstimates) else None

    @property
    def mean(self) -> float | None:
        """The estimated mean; None without a tally."""
        found = self._estimates
        if isinstance(found, LevelEstimates) and found.mean.is_known:
            return found.mean.value
        return None

    def largest_total_error(self, confidence: float) -> float:
        """Return a bound that no total's error among the respondents exceeds, at this confidence.

        It holds for any n and any truth, by Hoeffding's inequality and the union bound. If a report
        is about some of the boxes only and none are drawn yet, the expected number of reports per
        box is used.
        """
        # Of two options, one total says both.
        figures = 1 if self.question.domain == Choice(2) else len(self.question.options)
        margin = hoeffding_margin(figures, self._asked, 1 - confidence)
        return self.n * margin / self._alpha

    def largest_tail_error(self, weights: Array, confidence: float) -> float:
        """Return such a bound for weights[j] times the number of people at option j + 1 or more."""
        tails = np.arange(len(weights), 0, -1)
        # So many options of a tail a report can support: its score is that wide.
        reach = np.minimum(tails, self.question.mechanism.shape.get("size", len(weights)))
        margin = hoeffding_margin(len(weights), self.n, 1 - confidence)
        return float((weights * reach).max()) * self.n * margin / self._alpha

    def mean_error(self, confidence: float) -> float:
        """Return the margin of the mean among the respondents; if planned, for even answers."""
        found = self._estimates
        if isinstance(found, LevelEstimates) and found.mean.is_known:
            return normal_quantile(confidence) * found.mean.noise_error
        even = np.array(even_shares(self.question.domain))
        noise, _ = promised_variances(self.question, even, self.n)
        return normal_quantile(confidence) * math.sqrt(noise[0])

    @property
    def _alpha(self) -> float:
        support = self.question.mechanism.support
        assert support is not None
        p, q = support
        return float(p - q)

    @property
    def _asked(self) -> float:
        """The reports about an option: about the rarest one if drawn, else the expected number."""
        if isinstance(self._estimates, ShareEstimates):
            return int(self._estimates.asked.min())
        return self.n * analysis_of(self.question.mechanism).asked_part
