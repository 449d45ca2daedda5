"""Does the promise hold? A survey asked of many synthetic samples, against the truth."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from client.question import Question
from client.refusal import require
from client.simulate.population import Population, draw_asked
from client.simulate.reports import numbers_of
from client.simulate.samplers import Answers, count_cells, randomize
from client.simulate.source import Source, batches, check_respondents
from estimators.intervals import check_confidence
from estimators.question import estimate_question
from estimators.shares import ShareEstimates
from estimators.simulation_errors import promised_variances, value_of_levels
from estimators.spread import Array
from estimators.tally import Tally

MAX_REPEATS = 10**6
MEAN = "mean"


@dataclass(frozen=True)
class Study:
    """One estimated figure over all repeats: what was found beside what the formulas promise.

    `errors` are estimate minus the population's truth, `noise_errors` estimate minus the truth
    among the respondents whom that repeat asked the question. Figures are NaN where no repeat had
    an estimate.
    """

    label: str
    truth: float
    promised_error: float
    promised_noise_error: float
    confidence: float
    errors: Array = field(default_factory=lambda: np.zeros(0))
    noise_errors: Array = field(default_factory=lambda: np.zeros(0))
    covered: int = 0

    @property
    def repeats(self) -> int:
        return len(self.errors)

    @property
    def mean_estimate(self) -> float:
        return self.truth + self.bias

    @property
    def bias(self) -> float:
        return _average(self.errors)

    @property
    def bias_error(self) -> float:
        """The standard error that the bias has by chance alone."""
        return self.promised_error / math.sqrt(self.repeats or math.nan)

    @property
    def rmse(self) -> float:
        """Root mean square error about the population: to be compared with promised_error."""
        return math.sqrt(_average(self.errors**2))

    @property
    def noise_rmse(self) -> float:
        """The same about the respondents: to be compared with promised_noise_error."""
        return math.sqrt(_average(self.noise_errors**2))

    @property
    def coverage(self) -> float:
        """How often the interval held the population's truth."""
        return self.covered / (self.repeats or math.nan)

    @property
    def coverage_error(self) -> float:
        """The Monte Carlo error of the coverage if the interval keeps its promise."""
        return math.sqrt(self.confidence * (1 - self.confidence) / (self.repeats or math.nan))


def check_repeats(repeats: int) -> None:
    """A number of samples that can be kept in memory."""
    require(
        type(repeats) is int and 1 <= repeats <= MAX_REPEATS,
        "bad_repeats",
        f"repeats must be an integer from 1 to {MAX_REPEATS}, got {repeats!r}",
        "repeats",
    )


def study_survey(
    population: Population,
    respondents: int,
    repeats: int,
    source: Source,
    confidence: float = 0.95,
    on_batch: Callable[[int], object] = lambda size: None,
) -> dict[str, tuple[Study, ...]]:
    """Ask `repeats` samples of `respondents` each; per question a study of every figure.

    A figure is the share of each option, or the mean where the goal is not shares.
    """
    check_respondents(respondents)
    check_repeats(repeats)
    check_confidence(confidence)
    samples = [_sample(population, respondents, source, on_batch) for _ in range(repeats)]
    truths = population.truths()
    return {
        question.id: _study(
            question,
            np.asarray(truths[question.id]),
            [sample[question.id] for sample in samples],
            respondents * population.survey.asked / len(population.survey.questions),
            confidence,
        )
        for question in population.survey.questions
    }


@dataclass
class Sample:
    """What one sample's respondents answered and reported to one question."""

    answers: NDArray[np.int64]
    cells: NDArray[np.int64]
    n: int = 0

    def add(self, question: Question, answers: Answers, source: Source) -> None:
        self.answers += _count_answers(answers, len(self.answers))
        self.cells += count_cells(
            question.mechanism, randomize(question.mechanism, answers, source)
        )
        self.n += len(answers)

    @property
    def tally(self) -> Tally:
        return Tally(tuple(self.cells.tolist()), self.n)


def _sample(
    population: Population,
    respondents: int,
    source: Source,
    on_batch: Callable[[int], object],
) -> Mapping[str, Sample]:
    survey = population.survey
    samples = {
        question.id: Sample(
            np.zeros(len(population.shares[question.id]), dtype=np.int64),
            np.zeros(question.mechanism.cells, dtype=np.int64),
        )
        for question in survey.questions
    }
    for size in batches(respondents, numbers_of(survey)):
        answers = population.draw(size, source)
        asked = draw_asked(survey, size, source)
        for position, question in enumerate(survey.questions):
            given = answers[question.id][asked[:, position]]
            samples[question.id].add(question, given, source)
        on_batch(size)
    return samples


def _count_answers(answers: Answers, count: int) -> NDArray[np.int64]:
    """How many answered each option or level, or ticked each box."""
    boxes = answers.ndim == 2
    counts: NDArray[np.int64] = (
        answers.sum(axis=0, dtype=np.int64) if boxes else np.bincount(answers, minlength=count)
    )
    return counts


def _study(
    question: Question, shares: Array, samples: list[Sample], expected: float, confidence: float
) -> tuple[Study, ...]:
    values = value_of_levels(question)
    truth = _in_unit(shares, values)
    # A sample in which nobody was asked the question estimates nothing.
    heard = [sample for sample in samples if sample.n]
    found = np.array([_figures(question, sample, confidence) for sample in heard])
    found = found.reshape(len(heard), 3, len(truth))
    own = np.array([_in_unit(sample.answers / sample.n, values) for sample in heard])
    noise, sampling = promised_variances(question, shares, max(1, round(expected)))
    labels = question.options if values is None else (MEAN,)
    return tuple(
        _figure_study(
            Study(
                label=label,
                truth=float(truth[i]),
                promised_error=math.sqrt(noise[i] + sampling[i]),
                promised_noise_error=math.sqrt(noise[i]),
                confidence=confidence,
            ),
            found[:, :, i],
            own.reshape(len(heard), len(truth))[:, i],
        )
        for i, label in enumerate(labels)
    )


def _in_unit(shares: Array, values: Array | None) -> Array:
    """The figures that are estimated: the shares themselves, or the mean alone."""
    return shares if values is None else np.array([shares @ values])


def _figure_study(promise: Study, found: Array, own: Array) -> Study:
    """What `found` (estimate, low, high per repeat) says beside the promise."""
    # A box that nobody was asked about has no estimate in that repeat.
    known = np.isfinite(found[:, 0])
    estimates, low, high = found[known].T
    return replace(
        promise,
        errors=estimates - promise.truth,
        noise_errors=estimates - own[known],
        covered=int(((low <= promise.truth) & (promise.truth <= high)).sum()),
    )


def _figures(question: Question, sample: Sample, confidence: float) -> tuple[Array, Array, Array]:
    """Estimates, then lows and highs of their intervals, clipped where they are shares."""
    estimates = estimate_question(question, sample.tally)
    if isinstance(estimates, ShareEstimates):
        low, high = estimates.intervals(confidence)
        return estimates.shares, np.clip(low, 0, 1), np.clip(high, 0, 1)
    interval = estimates.mean.interval(confidence)
    return np.array([estimates.mean.value]), np.array([interval.low]), np.array([interval.high])


def _average(values: Array) -> float:
    return math.fsum(values) / (len(values) or math.nan)
