"""The works that are measured: the question, the number of options, and the goal."""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from client.authoring.draft.mechanism_choice import best_subset_selection
from client.core.mechanisms import HadamardResponse, RandomizedResponse, SubsetSelection, Supporting
from client.core.primitives.domain import Choice
from estimators.simulation.kernels.samplers import Answers, answer_dtype
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.shares import zipf_shares

EPSILON = Decimal(1)
ZIPF = 1.1
# Enough bits for the best subset of every list here.
MAX_BITS = 2048
YES_NO, K_ARY, SUBSET, HADAMARD = (
    "yes/no",
    "k-ary randomized response",
    "subset selection",
    "Hadamard response",
)


@dataclass(frozen=True)
class Goal:
    """Respondents per second on two cores, and how many times the best peer's rate that is."""

    rate: float
    ratio: float


@dataclass(frozen=True)
class Work:
    """Perturb and estimate by one mechanism."""

    name: str
    mechanism: Supporting

    @property
    def options(self) -> int:
        domain = self.mechanism.domain
        assert isinstance(domain, Choice)
        return domain.options

    @property
    def goal(self) -> Goal | None:
        return GOALS.get((self.name, self.options))


GOALS = {
    (YES_NO, 2): Goal(1e9, 250),
    (K_ARY, 16): Goal(300e6, 100),
    (SUBSET, 16): Goal(60e6, 150),
    (SUBSET, 128): Goal(4e6, 50),
    (HADAMARD, 1024): Goal(60e6, 400),
}

WORKS = (
    # With two options, k-ary randomized response and subset selection are this same mechanism.
    Work(YES_NO, RandomizedResponse.at(EPSILON)),
    *(Work(K_ARY, SubsetSelection.at(EPSILON, options=k, size=1)) for k in (16, 128, 1024)),
    *(Work(SUBSET, best_subset_selection(k, EPSILON, MAX_BITS)) for k in (16, 128, 1024)),
    *(Work(HADAMARD, HadamardResponse.at(EPSILON, options=k)) for k in (2, 16, 128, 1024)),
)


def draw_truths(mechanism: Supporting, n: int, seed: int, *path: int) -> Answers:
    """Draw n true answers whose shares fall as 1 / rank^1.1."""
    shares = zipf_shares(mechanism.domain, ZIPF)
    drawn = stream(seed, *path).choice(len(shares), size=n, p=shares)
    answers: Answers = drawn.astype(answer_dtype(mechanism))
    return answers


def true_shares(answers: Answers, options: int, n: int) -> NDArray[np.float64]:
    """Return the shares of the first n respondents, so that only the randomizer's noise counts.

    If there are more respondents than answers, the answers are repeated.
    """
    times, rest = divmod(n, len(answers))
    counts = times * np.bincount(answers, minlength=options)
    return (counts + np.bincount(answers[:rest], minlength=options)) / n
