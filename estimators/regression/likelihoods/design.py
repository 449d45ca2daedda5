"""The design of a regression: named columns, and the coordinates in which they are fitted.

Fits run on orthogonal columns of variance one, so that neither an income in cents nor a year of
birth can slow Newton's steps or look like a flat likelihood.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.refusal import Refusal
from estimators.shares.spread import Array

# What is left of a column's square after the columns before it, if it says nothing of its own.
NOTHING_OWN = 1e-12
# So many entries stay in the processor's cache, and are too few for BLAS to start threads for.
ENTRIES_AT_ONCE = 8192


@dataclass(frozen=True)
class Design:
    """Columns with names: one row per report."""

    names: tuple[str, ...]
    x: Array

    @cached_property
    def to_coefficients(self) -> Array:
        """The matrix T for which the columns of x T are orthogonal and of mean square one.

        Coefficients of x are T times the coefficients of x T. Raise if a column is a combination
        of those before it.
        """
        count = len(self.names)
        size = np.sqrt(np.einsum("ij,ij->j", self.x, self.x) / max(len(self.x), 1))
        factor = np.zeros((count, count))
        gram = self.x.T @ self.x / max(len(self.x), 1)
        for place, name in enumerate(self.names):
            if not size[place] > 0:
                raise Refusal("singular_design.zero", "formula", column=name)
            row = gram[place, :place] / size[place]
            before = np.linalg.solve(factor[:place, :place], row / size[:place]) if place else row
            own = 1 - before @ before
            if not own > NOTHING_OWN:
                raise Refusal(
                    "singular_design.combination",
                    "formula",
                    column=name,
                    before=self.names[:place],
                )
            factor[place, :place] = before
            factor[place, place] = np.sqrt(own)
        return np.linalg.inv(factor * size[:, np.newaxis]).T

    @cached_property
    def z(self) -> Array:
        """The orthogonal columns."""
        columns = np.empty_like(self.x)
        for part in self.parts():
            columns[part] = self.x[part] @ self.to_coefficients
        return columns

    def parts(self) -> Iterator[slice]:
        """Yield the rows in blocks: many small products are faster than one tall one."""
        size = max(ENTRIES_AT_ONCE // max(len(self.names), 1), 1)
        return (slice(first, first + size) for first in range(0, len(self.x), size))

    @classmethod
    def constant(cls, n: int) -> "Design":
        """Return the design of the null model."""
        return cls(("Intercept",), np.ones((n, 1)))
