"""Ratios of two estimates that vary together, with Fieller's interval (math 15)."""

from dataclasses import dataclass

import numpy as np

from estimators.shares.spread import Array


@dataclass(frozen=True)
class Ratios:
    """Ratios with the ends of their intervals; NaN where the base may be 0."""

    value: Array
    low: Array
    high: Array


def fieller(
    part: Array, base: Array, part_variance: Array, base_variance: Array, both: Array, z: float
) -> Ratios:
    """Return part/base and all r with |part - r base| <= z times its standard error.

    `both` is the covariance of part and base. All three figures are NaN if the base is not clearly
    above 0: then this set has no end, or is about a share that is not there.
    """
    bend = base**2 - z**2 * base_variance
    middle = part * base - z**2 * both
    rest = part**2 - z**2 * part_variance
    half = np.sqrt(np.maximum(middle**2 - bend * rest, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (part / base, (middle - half) / bend, (middle + half) / bend)
    value, low, high = (np.where((bend > 0) & (base > 0), figure, np.nan) for figure in found)
    return Ratios(value, low, high)
