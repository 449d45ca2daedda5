"""Hidden scores: every answer is a step function of a score that is uniform between 0 and 1.

A question keeps its shares wherever its score comes from, so the scores of several questions can
have any dependence.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from client.core.primitives.domain import Checks
from client.core.question import Question
from estimators.simulation.kernels.draws import words
from estimators.simulation.kernels.samplers import Answers, answer_dtype
from estimators.simulation.kernels.source import Flags, Source
from estimators.simulation.people.truths import Chances, draw_counts

# The first 16 bits of a score decide, unless a step lies between two of their values.
FINE = 2**16


@dataclass(frozen=True)
class Steps:
    """The answers from the lowest score to the highest, their chances, and where they change."""

    answers: Answers
    chances: Chances
    bounds: Chances

    def at(self, scores: Chances) -> Answers:
        """Return the answers at these scores."""
        return self.answers[np.searchsorted(self.bounds, scores, side="right")]

    def draw(self, n: int, source: Source) -> Answers:
        """Draw independent answers in random order."""
        if self.answers.shape == (2,):
            return draw_flags(1 - float(self.bounds[0]), n, source).view(np.uint8)
        cells = words(n, np.uint16, source)
        found = self._by_cell.take(cells)
        torn = np.flatnonzero(found == len(self.answers))
        scores = (cells[torn] + source.random(len(torn))) / FINE
        found[torn] = np.searchsorted(self.bounds, scores, side="right")
        # Options and levels are their own numbers; boxes are rows of a matrix.
        return found if self.answers.ndim == 1 else self.answers.take(found, axis=0)

    def draw_sorted(self, n: int, source: Source) -> Answers:
        """Draw independent answers, with equal ones together: only their counts are random."""
        return np.repeat(self.answers, draw_counts(n, self.chances, source), axis=0)

    @cached_property
    def _by_cell(self) -> Answers:
        """The answer's position in each 65536th of the scores; one past the end if it changes."""
        edges = np.arange(FINE + 1) / FINE
        first = np.searchsorted(self.bounds, edges[:-1], side="right")
        last = np.searchsorted(self.bounds, edges[1:], side="left")
        torn = len(self.answers)
        return np.where(first == last, first, torn).astype(np.min_scalar_type(torn))


def steps_of(question: Question, shares: Sequence[float]) -> Steps:
    """Return the answer to a question as a function of one score, which rises with the option."""
    domain = question.domain
    if not isinstance(domain, Checks):
        chances = np.array(shares, dtype=np.float64)
        numbers = np.arange(len(chances), dtype=answer_dtype(question.mechanism))
        bounds = np.minimum(np.cumsum(chances), 1.0)
        # Rounding must not give a chance to options with share zero at the end.
        bounds[np.flatnonzero(chances)[-1] :] = 1.0
        return Steps(numbers, chances, bounds[:-1])
    if domain.at_most == domain.options:
        lows = 1 - np.array(shares, dtype=np.float64)
        return _boxes(lows, lambda scores: scores >= lows)
    ends = np.minimum(np.cumsum([0.0, *shares]), domain.at_most)
    return _boxes(ends % 1, lambda scores: _systematic(ends, scores))


def draw_ticks(shares: Chances, n: int, source: Source) -> Flags:
    """Draw boxes that are ticked independently of each other, one row per respondent."""
    return np.stack([draw_flags(share, n, source) for share in shares.tolist()]).T


def draw_flags(share: float, n: int, source: Source) -> Flags:
    """Draw n flags, each set with this chance; a byte decides unless it is a tie."""
    digits = words(n, np.uint8, source)
    last = max(math.ceil(share * 256) - 1, 0)
    flags = digits < np.uint8(last)
    torn = np.flatnonzero(digits == np.uint8(last))
    # Multiplying by a power of two is exact, and so is the rest for this byte.
    flags[torn] = source.random(len(torn)) < share * 256 - last
    return flags


def _boxes(bounds: Chances, ticked: Callable[[Chances], Flags]) -> Steps:
    """Return check-boxes as a function of one score that changes only at these bounds."""
    inner = np.unique(bounds[(bounds > 0) & (bounds < 1)])
    starts = np.array([0.0, *inner])
    return Steps(ticked(starts[:, np.newaxis]), np.diff([*starts, 1.0]), inner)


def _systematic(ends: Chances, scores: Chances) -> Flags:
    """Tick boxes with exactly these shares, at most as many as the shares' sum rounded up.

    Shares are laid end to end; a box is ticked if its stretch holds one of the points u, u + 1, u +
    2, ... (systematic sampling).
    """
    ticked: Flags = np.diff(np.ceil(ends - scores), axis=1) > 0
    return ticked
