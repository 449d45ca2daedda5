"""Ratios of two estimates that vary together, with Fieller's interval (math 5.5, 15)."""

from dataclasses import dataclass

import numpy as np

from estimators.shares.intervals import fieller_terms
from estimators.shares.spread import Array

# A variance that is a smaller part of the square is only rounding.
NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Ratios:
    """Ratios with the ends of their intervals; NaN where the base may be 0, or nothing varies."""

    value: Array
    low: Array
    high: Array


def fieller(
    part: Array, base: Array, part_variance: Array, base_variance: Array, both: Array, z: float
) -> Ratios:
    """Return part/base and all r with |part - r base| <= z times its standard error.

    `both` is the covariance of part and base. All three figures are NaN if the base is not clearly
    above 0: then this set has no end, or is about a share that is not there. They are NaN, too, if
    the part does not vary: reports that are all alike show no error, and have one.
    """
    bend, middle, rest = fieller_terms(part, base, part_variance, base_variance, both, z)
    half = np.sqrt(np.maximum(middle**2 - bend * rest, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = (part / base, (middle - half) / bend, (middle + half) / bend)
    known = (bend > 0) & (base > 0) & (part_variance > NO_SPREAD * part**2)
    value, low, high = (np.where(known, figure, np.nan) for figure in found)
    return Ratios(value, low, high)
