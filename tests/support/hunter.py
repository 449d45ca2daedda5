"""A hunter for leaks: it learns to distinguish two truths on one half of the observations.

It is judged on the other half. Truths are dealt at random, so nothing that changes by itself from
session to session, such as the speed of a busy machine, can reveal them. That makes the judgement
exact.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.stats import nchypergeom_fisher

# What one session showed, by place. Texts are equal or not; numbers can be small or large.
Observed = Mapping[str, str | float]
Bools = NDArray[np.bool_]

# The probability that a hunt accuses a page without leaks.
FALSE_ALARM = 1e-6


@dataclass(frozen=True)
class Verdict:
    """How well the truths of the half that was not learnt from were guessed."""

    truths: Bools
    guesses: Bools

    @property
    def right(self) -> float:
        return float(np.mean(self.truths == self.guesses))

    def chance(self, epsilon: float) -> float:
        """Return how likely guesses this good are if only e^epsilon distinguishes the truths.

        No guess is then made more than e^epsilon times as often for one truth as for the other,
        so the odds ratio of truths and guesses is at most e^(2 epsilon). Exact, given how often
        each truth was dealt and each guess was made (Fisher's noncentral hypergeometric).
        """
        hits = int(np.sum(self.truths & self.guesses))
        given = (len(self.truths), int(self.truths.sum()), int(self.guesses.sum()))
        return float(nchypergeom_fisher.sf(hits - 1, *given, math.exp(2 * epsilon)))

    def accuses(self, epsilon: float) -> bool:
        return self.chance(epsilon) < FALSE_ALARM


def deal(each: int, dice: Random) -> list[int]:
    """Deal both truths equally often to even sessions, to learn from, and to odd ones."""
    halves = [dice.sample([0, 1] * (each // 2), each // 2 * 2) for _ in range(2)]
    return [truth for pair in zip(*halves, strict=True) for truth in pair]


def encode(sessions: Sequence[Observed]) -> Bools:
    """Return a row per session and a column for everything that only some sessions have."""
    cuts = _cuts(sessions)
    rows = [_features(session, cuts) for session in sessions]
    seen = Counter(feature for row in rows for feature in row)
    # A feature of a single session cannot be learnt and found again.
    column = {name: i for i, name in enumerate(n for n in seen if 1 < seen[n] < len(sessions))}
    table = np.zeros((len(sessions), len(column)), dtype=bool)
    for i, row in enumerate(rows):
        table[i, [column[name] for name in row if name in column]] = True
    return table


def hunt(features: Bools, truths: Sequence[int]) -> Verdict:
    """Learn on the even sessions, and guess the odd ones."""
    dealt = np.array(truths, dtype=bool)
    weights, base = _learn(features[::2], dealt[::2])
    return Verdict(dealt[1::2], features[1::2] @ weights + base > 0)


def _learn(features: Bools, truths: Bools) -> tuple[NDArray[np.float64], float]:
    """Fit naive Bayes to the most telling features: a weight for each, and an offset.

    Only features at least half as telling as the best one count, so that thousands of useless ones
    do not drown a useful one.
    """
    counts = np.array([features[truths == truth].sum(axis=0) for truth in (False, True)])
    sizes = np.array([[np.sum(~truths)], [np.sum(truths)]])
    share = (counts + 0.5) / (sizes + 1)
    pooled = share.mean(axis=0)
    telling = (share[1] - share[0]) ** 2 / (pooled * (1 - pooled))
    kept = telling >= telling.max(initial=0) / 2
    present = np.where(kept, np.log(share[1] / share[0]), 0)
    absent = np.where(kept, np.log((1 - share[1]) / (1 - share[0])), 0)
    return present - absent, float(absent.sum())


def _cuts(sessions: Sequence[Observed]) -> dict[str, NDArray[np.float64]]:
    """Return for every number the deciles of all values observed in its place."""
    numbers: dict[str, list[float]] = {}
    for session in sessions:
        for place, value in session.items():
            if not isinstance(value, str):
                numbers.setdefault(place, []).append(value)
    return {
        place: np.unique(np.quantile(values, np.arange(1, 10) / 10))
        for place, values in numbers.items()
    }


def _features(session: Observed, cuts: Mapping[str, NDArray[np.float64]]) -> set[str]:
    features = set()
    for place, value in session.items():
        features.add(f"{place} = {value}")
        if not isinstance(value, str):
            features |= {f"{place} > {cut}" for cut in cuts[place] if value > cut}
    return features
