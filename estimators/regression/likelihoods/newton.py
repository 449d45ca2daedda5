"""Newton's method on the observed information, safe where the likelihood is not concave."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from estimators.shares.spread import Array

# Eigenvalues of the information below this part of the largest are raised to it.
SMALLEST_EIGENVALUE = 1e-8
LONGEST_STEP = 5.0
# A step this short, relative to 1 + |theta|, ends the search.
SHORTEST_STEP = 1e-11
MOST_STEPS = 60
MOST_HALVINGS = 40
# A log-likelihood is a sum of many rounded numbers: this relative fall is none.
ROUNDING = 1e-13
# Less than this to gain in the log-likelihood is nothing.
LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class Evaluation:
    """A log-likelihood at one place, with its gradient and minus its second derivatives."""

    value: float
    gradient: Array
    information: Array


class Objective(Protocol):
    """A log-likelihood that can be maximised."""

    def evaluate(self, t: Array) -> Evaluation:
        """Return value, gradient and information; the value is -inf where it is undefined."""


@dataclass(frozen=True)
class Maximum:
    """Where the search ended."""

    t: Array
    evaluation: Evaluation
    steps: int
    converged: bool


def maximise(objective: Objective, start: Array) -> Maximum:
    """Climb from a start until Newton's step vanishes (math 16)."""
    t, here = start, objective.evaluate(start)
    for steps in range(MOST_STEPS):
        step = _step(here)
        if np.linalg.norm(step) <= SHORTEST_STEP * (1 + np.linalg.norm(t)):
            return Maximum(t, here, steps, converged=True)
        for _ in range(MOST_HALVINGS):
            there = objective.evaluate(t + step)
            if there.value >= here.value - ROUNDING * abs(here.value):
                break
            step = step / 2
        else:
            return Maximum(t, here, steps, converged=_is_flat(here))
        t, here = t + step, there
    return Maximum(t, here, MOST_STEPS, converged=False)


def _step(here: Evaluation) -> Array:
    """Return an uphill step: curvatures count by their size, and none as nearly zero."""
    values, vectors = np.linalg.eigh((here.information + here.information.T) / 2)
    sizes = np.abs(values)
    sizes = np.maximum(sizes, max(SMALLEST_EIGENVALUE * sizes.max(initial=0), 1e-300))
    step: Array = vectors @ ((vectors.T @ here.gradient) / sizes)
    length = np.linalg.norm(step)
    return step if length <= LONGEST_STEP else step * (LONGEST_STEP / length)


def _is_flat(here: Evaluation) -> bool:
    """Say whether no step goes up because rounding hides what is left to gain."""
    return bool(here.gradient @ _step(here) / 2 <= LEAST_GAIN)
