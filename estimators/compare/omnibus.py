"""One test for all groups at once: do they answer alike? (math 14)"""

from collections.abc import Sequence

import numpy as np
from scipy import special

from estimators.compare.samples import Outcome, ShareSample
from estimators.compare.two_shares import LEAST_EXPECTED, common_share
from estimators.shares.spread import Array

CHI_SQUARE, LIKELIHOOD = "chi_square", "chi_square_at_common_share"
BINS = 10
# Directions in which the reports vary less than this part of the most are not counted.
NO_SPREAD = 1e-9


def chi_square(values: Array, sizes: Array, covariance: Array, small: bool = False) -> Outcome:
    """Test whether groups have the same shares: sum_g n_g d_g' S^- d_g.

    `values` has a row of shares per group, d_g is a group's distance from all reports together, and
    S the covariance of one report's scores. With one supported option per report this is
    Pearson's chi-square.
    """
    pooled = sizes @ values / sizes.sum()
    apart = values - pooled
    spread, directions = np.linalg.eigh(covariance)
    used = spread > NO_SPREAD * max(float(spread.max()), 0.0)
    along = (apart @ directions[:, used]) ** 2 / spread[used]
    statistic = float(sizes @ along.sum(axis=1)) if used.any() else 0.0
    df = (len(sizes) - 1) * int(used.sum())
    p_value = float(special.chdtrc(df, statistic)) if df else 1.0
    return Outcome(CHI_SQUARE, statistic, p_value, float(df), small_counts=small)


def pearson(table: Array) -> Outcome:
    """Test whether all groups, the rows, have the same chances of the columns."""
    seen = table[:, table.sum(axis=0) > 0]
    sizes = seen.sum(axis=1)
    expected = np.outer(sizes, seen.sum(axis=0)) / sizes.sum()
    statistic = float(((seen - expected) ** 2 / expected).sum())
    df = (seen.shape[0] - 1) * (seen.shape[1] - 1)
    p_value = float(special.chdtrc(df, statistic)) if df else 1.0
    small = bool(expected.min() < LEAST_EXPECTED)
    return Outcome(CHI_SQUARE, statistic, p_value, float(df), small_counts=small)


def shares_together(samples: Sequence[ShareSample]) -> Outcome:
    """Test whether all groups have the same share of one option."""
    if len({(sample.p, sample.q) for sample in samples}) == 1:
        return pearson(np.array([[s.count, s.n - s.count] for s in samples], dtype=np.float64))
    share = common_share(tuple(samples))
    statistic, small = 0.0, False
    for sample in samples:
        reported = min(max(sample.q + sample.slope * share, 0.0), 1.0)
        expected = sample.n * min(reported, 1 - reported)
        small = small or expected < LEAST_EXPECTED
        if expected > 0:
            distance = sample.count - sample.n * reported
            statistic += distance**2 / (sample.n * reported * (1 - reported))
    df = len(samples) - 1
    p_value = float(special.chdtrc(df, statistic))
    return Outcome(LIKELIHOOD, statistic, p_value, float(df), small_counts=small)


def filled_bins(table: Array, bins: int = BINS) -> Array:
    """Join neighbouring columns into bins that hold about as many reports each."""
    total = table.sum(axis=0)
    before = np.cumsum(total) - total / 2
    places = np.minimum((before * bins / total.sum()).astype(np.int64), bins - 1)
    joined = np.zeros((table.shape[0], bins))
    np.add.at(joined.T, places, table.T)
    return joined
