"""Does the promise hold? One question asked of many synthetic samples, against the truth."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from client.mechanisms import TwoLevel
from client.refusal import require
from client.simulate import batches, check_respondents, count_cells, draw_answers, randomize
from estimators.estimate import Estimate, estimate_options
from estimators.intervals import check_confidence
from estimators.spread import noise_per_respondent, sampling_per_respondent
from estimators.tally import Tally

MAX_REPEATS = 10**6


@dataclass(frozen=True)
class OptionStudy:
    """One option over all repeats: what was found beside what the formulas promise.

    `errors` are estimate minus the population's share, `noise_errors` estimate minus the share
    among that repeat's own respondents.
    """

    share: float
    promised_error: float
    promised_noise_error: float
    errors: tuple[float, ...]
    noise_errors: tuple[float, ...]
    covered: int
    confidence: float

    @property
    def repeats(self) -> int:
        return len(self.errors)

    @property
    def mean_estimate(self) -> float:
        return self.share + self.bias

    @property
    def bias(self) -> float:
        return math.fsum(self.errors) / self.repeats

    @property
    def bias_error(self) -> float:
        """The standard error that the bias has by chance alone."""
        return self.promised_error / math.sqrt(self.repeats)

    @property
    def rmse(self) -> float:
        """Root mean square error about the population: to be compared with promised_error."""
        return _root_mean_square(self.errors)

    @property
    def noise_rmse(self) -> float:
        """The same about the respondents: to be compared with promised_noise_error."""
        return _root_mean_square(self.noise_errors)

    @property
    def coverage(self) -> float:
        return self.covered / self.repeats

    @property
    def coverage_error(self) -> float:
        """The standard error that the coverage has by chance alone, if the promise holds."""
        return math.sqrt(self.confidence * (1 - self.confidence) / self.repeats)


def check_repeats(repeats: int) -> None:
    """A number of samples that can be kept in memory."""
    require(
        type(repeats) is int and 1 <= repeats <= MAX_REPEATS,
        "bad_repeats",
        f"repeats must be an integer from 1 to {MAX_REPEATS}, got {repeats!r}",
        "repeats",
    )


def study_question(
    mechanism: TwoLevel,
    shares: Sequence[float],
    respondents: int,
    repeats: int,
    source: np.random.Generator,
    confidence: float = 0.95,
    on_batch: Callable[[int], object] = lambda size: None,
) -> tuple[OptionStudy, ...]:
    """Ask `repeats` samples of `respondents` each; one study per option."""
    check_respondents(respondents)
    check_repeats(repeats)
    check_confidence(confidence)
    samples = [_sample(mechanism, shares, respondents, source, on_batch) for _ in range(repeats)]
    return tuple(
        _study_option(
            share,
            [(truths[option], estimates[option]) for truths, estimates in samples],
            confidence,
        )
        for option, share in enumerate(shares)
    )


def _sample(
    mechanism: TwoLevel,
    shares: Sequence[float],
    respondents: int,
    source: np.random.Generator,
    on_batch: Callable[[int], object],
) -> tuple[NDArray[np.float64], tuple[Estimate, ...]]:
    """The shares among one sample's respondents, and their estimates."""
    truths = np.zeros(len(shares), dtype=np.int64)
    counts = np.zeros(mechanism.cells, dtype=np.int64)
    for size in batches(respondents):
        answers = draw_answers(shares, size, source)
        truths += np.bincount(answers, minlength=len(shares))
        counts += count_cells(mechanism, randomize(mechanism, answers, source))
        on_batch(size)
    tally = Tally(tuple(counts.tolist()), respondents)
    return truths / respondents, estimate_options(mechanism, tally)


def _study_option(
    share: float, samples: list[tuple[float, Estimate]], confidence: float
) -> OptionStudy:
    _, any_estimate = samples[0]
    n, p, q = any_estimate.n, any_estimate.p, any_estimate.q
    noise = noise_per_respondent(share, p, q)
    return OptionStudy(
        share=share,
        promised_error=math.sqrt((noise + sampling_per_respondent(share)) / n),
        promised_noise_error=math.sqrt(noise / n),
        errors=tuple(estimate.share - share for _, estimate in samples),
        noise_errors=tuple(estimate.share - float(truth) for truth, estimate in samples),
        covered=sum(estimate.interval(confidence).clipped.covers(share) for _, estimate in samples),
        confidence=confidence,
    )


def _root_mean_square(errors: Sequence[float]) -> float:
    return math.sqrt(math.fsum(error**2 for error in errors) / len(errors))
