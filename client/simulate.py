"""Synthetic respondents in bulk: vectorised, reproducible, and never used for a real answer.

The generator is fast and not secure. Each mechanism brings a bulk sampler that keeps to its
integer threshold; one sampler is a function from answers to an array of tally cells.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from client.mechanisms import RandomizedResponse, TwoLevel
from client.refusal import Refusal, require
from client.report import Report
from client.survey import Survey
from client.words import WORD_RANGE

Cells = NDArray[np.int64]
# One row per respondent, holding the cells that the report adds to: what the wire carries.
BulkSampler = Callable[[TwoLevel, Cells, np.random.Generator], Cells]

# Respondents per step: large enough for numpy, small enough for a cache and a progress bar.
BATCH = 2**18
MAX_SEED = 2**64
MAX_RESPONDENTS = 10**10


def generator(seed: int) -> np.random.Generator:
    """The same seed gives the same respondents."""
    require(
        type(seed) is int and 0 <= seed < MAX_SEED,
        "bad_seed",
        f"seed must be an integer from 0 to 2^64 - 1, got {seed!r}",
        "seed",
    )
    return np.random.Generator(np.random.SFC64(seed))


def check_respondents(n: int) -> None:
    """A number of respondents that can be simulated."""
    require(
        type(n) is int and 1 <= n <= MAX_RESPONDENTS,
        "bad_n",
        f"respondents must be an integer from 1 to {MAX_RESPONDENTS:,}, got {n!r}",
        "respondents",
    )


def draw_answers(shares: Sequence[float], n: int, source: np.random.Generator) -> Cells:
    """The truth of n respondents drawn from a population with these shares."""
    bounds = np.cumsum(shares)[:-1]
    return np.searchsorted(bounds, source.random(n), side="right")


def randomize(mechanism: TwoLevel, answers: Cells, source: np.random.Generator) -> Cells:
    """One randomized answer for each answer."""
    if mechanism.name not in SAMPLERS:
        raise Refusal("no_bulk_sampler", f"{mechanism.name} cannot be simulated in bulk")
    return SAMPLERS[mechanism.name](mechanism, answers, source)


def count_cells(mechanism: TwoLevel, reports: Cells) -> Cells:
    """How many reports add to each cell."""
    return np.bincount(reports.ravel(), minlength=mechanism.cells)


def batches(n: int) -> Iterator[int]:
    """The sizes of the steps in which n respondents are simulated."""
    for start in range(0, n, BATCH):
        yield min(BATCH, n - start)


def simulate_reports(
    survey: Survey, shares: Mapping[str, Sequence[float]], n: int, source: np.random.Generator
) -> Iterator[Report]:
    """Whole reports of n synthetic respondents, as the wire carries them."""
    ids = [question.id for question in survey.questions]
    for size in batches(n):
        columns = [
            randomize(q.mechanism, draw_answers(shares[q.id], size, source), source).tolist()
            for q in survey.questions
        ]
        for row in zip(*columns, strict=True):
            yield Report(survey.fingerprint, dict(zip(ids, row, strict=True)))


def _randomized_response(mechanism: TwoLevel, answers: Cells, source: np.random.Generator) -> Cells:
    words = source.integers(WORD_RANGE, size=answers.shape, dtype=np.uint32)
    flipped = words >= np.uint32(mechanism.threshold)
    return answers ^ flipped


SAMPLERS: dict[str, BulkSampler] = {RandomizedResponse.name: _randomized_response}
