"""The exact law of a small tally, in two ways that share no code.

One adds up the exact channels of the shipped samplers, person by person. The other walks the code
that draws tallies over every outcome of its binomial and multinomial draws: `ForkedDraws` replaces
the generator and gives every draw all of its outcomes in turn.
"""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from client.core.mechanisms import TwoLevel
from estimators.simulation.people.shares import count_of
from tests.support.exact_channel import channel_of

# The counts of the true answers, and the tally of the reports.
Outcome = tuple[tuple[int, ...], tuple[int, ...]]
# Possible answers with their chances.
Chances = list[tuple[Any, float]]


def law_of_samples(mechanism: TwoLevel, chances: Chances, n: int) -> dict[Outcome, float]:
    """Return the law of what n people answer and report, if each answer has this chance."""
    one = _law_of_one(mechanism, chances)
    whole = {((0,) * count_of(mechanism.domain), (0,) * mechanism.cells): 1.0}
    for _ in range(n):
        longer: dict[Outcome, float] = defaultdict(float)
        for (answers, cells), chance in whole.items():
            for (answer, report), more in one.items():
                longer[_add(answers, answer), _add(cells, report)] += chance * more
        whole = dict(longer)
    return whole


def _law_of_one(mechanism: TwoLevel, chances: Chances) -> dict[Outcome, float]:
    law: dict[Outcome, float] = defaultdict(float)
    for answer, chance in chances:
        ticked = answer if isinstance(answer, list) else [answer]
        counted = _flags(ticked, count_of(mechanism.domain))
        for text, probability in channel_of(mechanism, answer).items():
            cells = _flags(mechanism.cells_of(json.loads(text)), mechanism.cells)
            law[counted, cells] += chance * float(probability)
    return law


def _flags(members: list[int], count: int) -> tuple[int, ...]:
    return tuple(int(i in members) for i in range(count))


def _add(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def walked_law(draw: Callable[[Any], tuple[Any, Any]]) -> dict[Outcome, float]:
    """Return the law of what `draw` returns, over every outcome of every draw that it makes."""
    law: dict[Outcome, float] = defaultdict(float)
    for draws, (answers, cells) in _walks(draw):
        law[tuple(answers.tolist()), tuple(cells.tolist())] += math.prod(draws.chances)
    return dict(law)


def _walks(draw: Callable[[Any], Any]) -> Iterator[tuple["ForkedDraws", Any]]:
    path: list[int] | None = []
    while path is not None:
        draws = ForkedDraws(path)
        yield draws, draw(draws)
        path = draws.following()


class ForkedDraws:
    """One path: the given outcomes first, then the first possible one at every new fork."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.forks: list[list[float]] = []

    @property
    def chances(self) -> list[float]:
        return [fork[place] for fork, place in zip(self.forks, self.path, strict=True)]

    def following(self) -> list[int] | None:
        """Return the outcomes of the next path in order, or None after the last."""
        for position in reversed(range(len(self.path))):
            later = range(self.path[position] + 1, len(self.forks[position]))
            for place in later:
                if self.forks[position][place] > 0:
                    return [*self.path[:position], place]
        return None

    def _choose(self, chances: list[float]) -> int:
        position = len(self.forks)
        self.forks.append(chances)
        if position == len(self.path):
            self.path.append(next(i for i, chance in enumerate(chances) if chance > 0))
        return self.path[position]

    def binomial(self, n: Any, p: Any) -> Any:
        counts, chances = np.broadcast_arrays(n, p)
        assert ((chances >= 0) & (chances <= 1)).all()
        drawn = np.array(
            [
                self._binomial(int(m), float(c))
                for m, c in zip(counts.flat, chances.flat, strict=True)
            ]
        )
        return drawn.reshape(counts.shape)

    def _binomial(self, n: int, p: float) -> int:
        if n == 0 or p in (0.0, 1.0):
            return n if p == 1.0 else 0
        return self._choose([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])

    def multinomial(self, n: Any, pvals: Any) -> Any:
        counts = np.atleast_1d(n)
        rows = np.array([self._multinomial(int(m), list(pvals)) for m in counts])
        return rows if np.ndim(n) else rows[0]

    def _multinomial(self, n: int, chances: list[float]) -> list[int]:
        drawn = []
        rest = math.fsum(chances)
        for chance in chances[:-1]:
            drawn.append(self._binomial(n, min(chance / rest, 1.0)))
            n, rest = n - drawn[-1], rest - chance
        return [*drawn, n]
