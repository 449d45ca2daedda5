"""The options that may have the largest share: a set that holds it with confidence (math 3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from estimators.shares.intervals import check_confidence
from estimators.shares.spread import Array, Counts

# Fewer reports about an option do not decide a comparison: the normal approximation would fail.
LEAST_REPORTS = 30
# Every option is compared with so many of the largest estimates. Fewer comparisons can only keep
# more options, so the confidence holds for longer lists too.
MOST_COMPARED = 1000


@dataclass(frozen=True)
class Leaders:
    """The options that may have the largest share, the largest estimate first.

    A given option with the largest share is among them with at least this confidence.
    """

    options: tuple[int, ...]
    confidence: float


def best_options(
    shares: Array, asked: Counts, errors_of: Callable[[int], Array], confidence: float
) -> tuple[int, ...]:
    """Return {i : share_j - share_i <= z sd_ij for all j}, z one-sided for k - 1 tests (math 3).

    `errors_of(j)` are the standard errors of share j minus each other one. An option with few
    reports about it excludes nothing, and nothing excludes it.
    """
    check_confidence(confidence)
    z = max(float(special.ndtri(1 - (1 - confidence) / max(len(shares) - 1, 1))), 0.0)
    known = np.where(asked >= LEAST_REPORTS, shares, np.nan)
    # NaN is sorted to the end.
    falling = np.argsort(-shares, kind="stable")
    remain = np.ones(len(shares), dtype=bool)
    for option in np.argsort(-known)[:MOST_COMPARED].tolist():
        gaps = known[option] - known
        # Options below the smallest one that remains exclude nothing more.
        if not (gaps[remain] > 0).any():
            break
        remain &= ~(gaps > z * errors_of(option))
    return tuple(falling[remain[falling]].tolist())
