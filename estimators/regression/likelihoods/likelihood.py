"""What every likelihood has: rows with weights, and parameters in two coordinates.

`t` are the parameters of the fit, on orthogonal columns. The parameters that people read are
`matrix @ t + shift`.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from estimators.regression.likelihoods.newton import Evaluation, Maximum, maximise
from estimators.shares.spread import Array

# Second derivatives are differences of the gradient over steps of this size (math 16).
DIFFERENCE = 1e-5


@dataclass(frozen=True)
class Likelihood(ABC):
    """A log-likelihood; `weights` multiply the rows' contributions."""

    weights: Array

    @property
    @abstractmethod
    def start(self) -> Array:
        """Where the search begins."""

    @property
    @abstractmethod
    def matrix(self) -> Array:
        """The matrix that turns t into parameters."""

    @property
    def shift(self) -> Array:
        """What is added to the parameters after that."""
        return np.zeros(len(self.matrix))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about the maximum that was found."""
        return ()

    @abstractmethod
    def rows(self, t: Array) -> tuple[Array, Array]:
        """Return each row's log-likelihood and its gradient by t, without the weight."""

    def information(self, t: Array) -> Array:
        """Return minus the second derivatives at t, by central differences of the gradient."""
        columns = []
        for place in range(len(t)):
            size = DIFFERENCE * max(1.0, abs(t[place]))
            step = np.zeros(len(t))
            step[place] = size
            high, low = (self.weights @ self.rows(t + sign * step)[1] for sign in (1, -1))
            columns.append((low - high) / (2 * size))
        found = np.array(columns)
        return np.asarray((found + found.T) / 2)

    def evaluate(self, t: Array) -> Evaluation:
        """Return value, gradient and information; the value is -inf where it is undefined."""
        with np.errstate(all="ignore"):
            values, scores = self.rows(t)
            value = float(self.weights @ values)
            if not np.isfinite(value):
                return Evaluation(-np.inf, np.zeros(len(t)), np.eye(len(t)))
            return Evaluation(value, self.weights @ scores, self.information(t))

    def maximum(self) -> Maximum:
        """Return the maximum that the search reaches from the start."""
        return maximise(self, self.start)


def blocks(*parts: Array) -> Array:
    """Return the parts along the diagonal of one matrix; a part may be empty."""
    return np.asarray(block_diag(*parts), dtype=np.float64)
