"""Which option leads, which others may lead instead, and how sure that is (math 3)."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from estimators.shares.intervals import bonferroni, normal_quantile
from estimators.shares.spread import Array


@dataclass(frozen=True)
class Leader:
    """The option with the largest estimated share.

    `rivals` are the options that do not differ significantly from the leader at this confidence.
    `chance` is a lower bound of the probability that the largest estimate is the largest share,
    taken at the estimated shares: 1 - sum_j Phi(-(gap_j)/sd_j), or 0 if that is negative.
    """

    option: int
    rivals: tuple[int, ...]
    chance: float
    confidence: float

    @property
    def is_clear(self) -> bool:
        return not self.rivals


def leader(shares: Array, errors: Array, first: int, confidence: float) -> Leader:
    """Return the leader, from shares and standard errors of their differences from the first."""
    others = np.arange(len(shares)) != first
    gaps = (shares[first] - shares)[others]
    spreads = errors[others]
    count = max(len(gaps), 1)
    reach = normal_quantile(bonferroni(confidence, count)) * spreads
    # NaN: a box that nobody was asked about always remains a rival.
    rivals = np.flatnonzero(others)[~(gaps > reach)]
    return Leader(first, tuple(rivals.tolist()), chance_of_lead(gaps, spreads), confidence)


def chance_of_lead(gaps: Array, errors: Array) -> float:
    """Return 1 - sum_j Phi(-gap_j/sd_j), at most P(the largest estimate is right) (math 3)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        wrong = special.ndtr(-gaps / errors)
    return max(0.0, 1.0 - float(np.nan_to_num(wrong, nan=0.5).sum()))
