"""Weighted figures: groups as the population has them, or cells raked to known margins (math 14).

Known parts and margins are constants: no error is added for them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from client.core.primitives.refusal import Refusal, require
from estimators.compare.samples import Sample
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import Interval, normal_quantile
from estimators.shares.spread import Array

ENOUGH, MOST_ROUNDS = 1e-10, 500
# How far given parts may be from summing to one: they are often rounded.
ROUNDED = 0.001


@dataclass(frozen=True)
class Weighted:
    """A share or mean of the weighted population, and as how many equal weights they count."""

    value: float
    standard_error: float
    n: int
    effective_n: float

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        half = normal_quantile(confidence) * self.standard_error
        return Interval(self.value - half, self.value + half)


def check_parts(name: str, parts: Mapping[str, float]) -> dict[str, float]:
    """Return known parts scaled to sum to exactly one; raise if they are no parts of a whole."""
    for level, part in parts.items():
        require(math.isfinite(part) and part >= 0, "bad_parts.range", name, level=level, part=part)
    total = math.fsum(parts.values())
    require(abs(total - 1) <= ROUNDED, "bad_parts.sum", name, total=total)
    return {level: part / total for level, part in parts.items()}


def poststratify(samples: Sequence[Sample], parts: Sequence[float]) -> Weighted:
    """Return sum W_g v_g with variance sum W_g^2 s_g^2/n_g."""
    pairs = list(zip(samples, parts, strict=True))
    n = sum(sample.n for sample in samples)
    value = math.fsum(part * sample.value for sample, part in pairs)
    variance = math.fsum(part**2 * sample.variance for sample, part in pairs)
    # A report of group g has the weight W_g/n_g.
    effective = 1 / math.fsum(part**2 / sample.n for sample, part in pairs)
    return Weighted(value, math.sqrt(variance), n, effective)


# For each attribute the level of every cell.
Levels = Mapping[str, Sequence[str]]
Margins = Mapping[str, Mapping[str, float]]


def rake(scores: Array, counts: Array, levels: Levels, margins: Margins) -> Weighted:
    """Return sum w s/sum w with the error of a calibrated mean.

    `counts` has a row per cell and a column per distinct score. The variance is
    n/(n-1) sum (w e)^2/(sum w)^2, with e the residuals of the weighted regression of the scores on
    the levels of all attributes.
    """
    used = counts.sum(axis=1) > 0
    counts = counts[used]
    sizes = counts.sum(axis=1)
    wanted = [
        _memberships(
            name, [own for own, is_used in zip(levels[name], used, strict=True) if is_used], parts
        )
        for name, parts in margins.items()
    ]
    factors = raking_factors(sizes, wanted)
    n, whole = float(sizes.sum()), float(factors @ sizes)
    value = float(factors @ (counts @ scores)) / whole
    dummies = np.concatenate([members for members, _ in wanted]).T
    weights = np.sqrt(factors * sizes)
    means = counts @ scores / sizes
    slopes = np.linalg.lstsq(dummies * weights[:, None], means * weights, rcond=None)[0]
    residuals = scores - (dummies @ slopes)[:, None]
    squares = float((counts * (factors[:, None] * residuals) ** 2).sum())
    variance = n / (n - 1) * squares / whole**2
    effective = whole**2 / float(factors**2 @ sizes)
    return Weighted(value, math.sqrt(variance), int(n), effective)


def raking_factors(sizes: Array, wanted: Sequence[tuple[Array, Array]]) -> Array:
    """Return the weight of a report in each cell, so that every level has its known part.

    `wanted` has for each attribute which cells belong to each level, and the levels' parts.
    """
    factors = np.ones(len(sizes))
    for _ in range(MOST_ROUNDS):
        for members, parts in wanted:
            factors *= (parts * sizes.sum() / (members @ (factors * sizes))) @ members
        total = factors @ sizes
        errors = [np.abs(members @ (factors * sizes) / total - parts) for members, parts in wanted]
        if max(float(error.max()) for error in errors) <= ENOUGH:
            return factors
    raise Refusal("bad_margins.never", "margins", rounds=MOST_ROUNDS)


def _memberships(
    name: str, levels: Sequence[str], parts: Mapping[str, float]
) -> tuple[Array, Array]:
    """Return which cells each level holds, and its part; raise unless levels and parts agree."""
    present = list(dict.fromkeys(levels))
    for level in present:
        require(parts.get(level, 0) > 0, "bad_margins.missing", name, level=level)
    for level, part in parts.items():
        require(part == 0 or level in present, "bad_margins.empty", name, level=level, part=part)
    members = np.array([[own == level for own in levels] for level in present], dtype=np.float64)
    return members, np.array([parts[level] for level in present])
