"""The ratio of two shares: Fieller's set, which may have no upper end (math 14)."""

import math
from dataclasses import dataclass

from estimators.compare.samples import Sample
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import fieller_terms, normal_quantile


@dataclass(frozen=True)
class Ratio:
    """The first share divided by the second, with all ratios that the reports do not exclude.

    `value` is None if the second estimate is not above 0. `high` is None if the second share may
    be 0: then no number is an upper limit. `flag` says that no possible ratio is left.
    """

    value: float | None
    low: float
    high: float | None
    flag: bool = False


def ratio_of(first: Sample, second: Sample, confidence: float = CONFIDENCE) -> Ratio:
    """Return {r: (pi1 - r pi2)^2 <= z^2 (V1 + r^2 V2)}, cut at 0."""
    z = normal_quantile(confidence)
    above, below = first.value, second.value
    value = max(above / below, 0.0) if below > 0 else None
    variances = first.ratio_variance(z), second.ratio_variance(z)
    # Groups are different people: their estimates do not vary together.
    squared, product, constant = fieller_terms(above, below, *variances, 0.0, z)
    if squared <= 0:
        return Ratio(value, _unbounded_low(product, squared, constant), None)
    # The discriminant is z^2 (V1 pi2^2 + V2 pi1^2 - z^2 V1 V2), which is positive here.
    root = math.sqrt(max(product**2 - squared * constant, 0.0))
    low, high = ((product + sign * root) / squared for sign in (-1, 1))
    if high < 0:
        return Ratio(value, 0.0, 0.0, flag=True)
    return Ratio(value, max(low, 0.0), high)


def _unbounded_low(product: float, squared: float, constant: float) -> float:
    """Return the lower end of a set without an upper one: all r >= 0 outside two roots.

    If both roots are positive, the set has a gap between them, and starts at 0.
    """
    if constant <= 0:
        return 0.0
    if squared == 0:
        return constant / (2 * product) if product > 0 else 0.0
    # The roots have different signs; the set begins at the positive one.
    return (product - math.sqrt(product**2 - squared * constant)) / squared
