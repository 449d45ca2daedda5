"""Compare the estimates of many synthetic samples with the truth, and with what was promised."""

import math
from dataclasses import replace

import numpy as np

from client.core.question import Question
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.shares.intervals import check_confidence
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array
from estimators.simulation.people.truths import Sample, SurveySample, Truths
from estimators.study.study import MEAN, Study
from estimators.tables.promised_errors import mean_of_levels, promised_variances, value_of_levels
from estimators.tables.question import estimate_question


class Comparison:
    """The samples finished so far, estimated and compared with the truth.

    A figure is the share of each option, or the mean where the goal is not shares.
    """

    def __init__(self, truths: Truths, respondents: int, confidence: float = CONFIDENCE) -> None:
        check_confidence(confidence)
        survey, shares = truths.survey, truths.truths()
        expected = respondents * survey.asked / len(survey.questions)
        self.repeats = 0
        self._questions = {
            question.id: QuestionComparison(
                question, np.array(shares[question.id]), expected, truths.size, confidence
            )
            for question in survey.questions
        }

    def add(self, sample: SurveySample) -> None:
        """Add one finished sample."""
        self.repeats += 1
        for id, comparison in self._questions.items():
            comparison.add(sample[id])

    def studies(self) -> dict[str, tuple[Study, ...]]:
        """Return per question a study of every figure, over the samples so far."""
        return {id: comparison.studies() for id, comparison in self._questions.items()}


class QuestionComparison:
    """The comparison for one question, with `expected` reports in each sample.

    `size` is the number of people if each of them answers once, else None.
    """

    def __init__(
        self,
        question: Question,
        shares: Array,
        expected: float,
        size: int | None,
        confidence: float,
    ) -> None:
        self._question = question
        self._confidence = confidence
        # If everybody answers, only the randomizer is random.
        self._everybody = size is not None and expected >= size
        self._values = value_of_levels(question)
        self._promises = self._promised(shares, max(1, round(expected)), size)
        # Sums over the samples, so that memory does not grow with their number.
        self._sums = np.zeros((5, len(self._promises)))

    def add(self, sample: Sample) -> None:
        # A sample in which nobody was asked the question estimates nothing.
        if sample.n:
            truth = np.array([promise.truth for promise in self._promises])
            own = self._in_unit(sample.answers / sample.n)
            self._sums += _addends(self._figures(sample), truth, own)

    def studies(self) -> tuple[Study, ...]:
        return tuple(
            replace(
                promise,
                repeats=int(repeats),
                errors=float(errors),
                squared_errors=float(squares),
                squared_noise_errors=float(noise_squares),
                covered=int(covered),
            )
            for promise, (repeats, errors, squares, noise_squares, covered) in zip(
                self._promises, self._sums.T, strict=True
            )
        )

    def _in_unit(self, shares: Array) -> Array:
        """Return the figures that are estimated: the shares themselves, or the mean alone."""
        if self._values is None:
            return shares
        return np.array([mean_of_levels(self._values, shares)])

    def _promised(self, shares: Array, n: int, size: int | None) -> list[Study]:
        labels = self._question.options if self._values is None else (MEAN,)
        noise, sampling = promised_variances(self._question, shares, n, size)
        return [
            Study(
                label=label,
                truth=float(truth),
                promised_error=math.sqrt(noise_variance + sampling_variance),
                promised_noise_error=math.sqrt(noise_variance),
                confidence=self._confidence,
            )
            for label, truth, noise_variance, sampling_variance in zip(
                labels, self._in_unit(shares), noise, sampling, strict=True
            )
        ]

    def _figures(self, sample: Sample) -> Array:
        """Return estimates and the ends of their intervals, clipped if they are shares."""
        tally = Tally(tuple(sample.cells.tolist()), sample.n)
        found = estimate_question(self._question, tally)
        if isinstance(found, ShareEstimates):
            ends = found.respondents_intervals if self._everybody else found.intervals
            low, high = ends(self._confidence)
            return np.stack([found.shares, np.clip(low, 0, 1), np.clip(high, 0, 1)])
        mean = found.mean
        if not mean.is_known:
            return np.full((3, 1), np.nan)
        interval = (mean.respondents_interval if self._everybody else mean.interval)(
            self._confidence
        )
        return np.array([[mean.value], [interval.low], [interval.high]])


def _addends(found: Array, truth: Array, own: Array) -> Array:
    """Return what one sample adds per figure: itself, error, both squared errors, and coverage."""
    estimates, low, high = found
    # A box that nobody was asked about has no estimate, nor a mean if nobody may have answered.
    known = np.isfinite(estimates)
    error, noise_error = estimates - truth, estimates - own
    covers = (low <= truth) & (truth <= high)
    return np.where(known, [known, error, error**2, noise_error**2, covers], 0.0)
