"""How much one respondent adds to each of the two variances (math 0.5, 1, 3).

Every function takes one number or a numpy array of them: ten thousand options cost one call.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms.two_level import option_noise

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Number = TypeVar("Number", float, Array)


def noise_per_respondent(share: Number, p: float, q: float) -> Number:
    """Variance that the randomizer adds per respondent: share V1 + (1 - share) V0 (math 0.5)."""
    yes, no = option_noise(1, p, q), option_noise(0, p, q)
    return no + share * (yes - no)


def sampling_per_respondent(share: Number) -> Number:
    """Variance of one respondent drawn from a population with this share: share(1 - share)."""
    return share * (1 - share)


def truth_per_respondent(reported_share: Number, asked: Number, p: float, q: float) -> Number:
    """Unbiased estimate of share(1 - share), so it may be negative; needs two reports (math 0.5).

    The reports' own spread estimates noise and truth together; the known noise is taken off.
    """
    alpha = p - q
    both = sampling_per_respondent(reported_share) / (alpha**2 * (1 - 1 / asked))
    return both - noise_per_respondent((reported_share - q) / alpha, p, q)


def design_effects(shares: Array, p: float, q: float) -> Array:
    """How many times more respondents the protection costs (math 12); infinite at 0 or 1."""
    with np.errstate(divide="ignore"):
        return 1 + noise_per_respondent(shares, p, q) / sampling_per_respondent(shares)
