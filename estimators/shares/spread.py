"""How much one respondent adds to each of the two variances (math 0.5, 1, 3).

Every function takes one number or a numpy array: ten thousand options cost one call.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from client.core.mechanisms.two_level import option_noise

Array = NDArray[np.float64]
Counts = NDArray[np.int64]
Number = TypeVar("Number", float, Array)


def noise_per_respondent(share: Number, p: float, q: float) -> Number:
    """Return the randomizer's variance per respondent: share V1 + (1 - share) V0 (math 0.5)."""
    yes, no = option_noise(1, p, q), option_noise(0, p, q)
    return no + share * (yes - no)


def sampling_per_respondent(share: Number) -> Number:
    """Return the variance of drawing one respondent at this share: share(1 - share)."""
    return share * (1 - share)


def truth_per_respondent(reported_share: Number, asked: Number, p: float, q: float) -> Number:
    """Return an unbiased estimate of share(1 - share), which may be negative (math 0.5).

    The spread of the reports estimates noise and truth together; the known noise is subtracted. At
    least two reports are needed.
    """
    alpha = p - q
    both = sampling_per_respondent(reported_share) / (alpha**2 * (1 - 1 / asked))
    return both - noise_per_respondent((reported_share - q) / alpha, p, q)


def design_effect(noise: Number, sampling: Number) -> Number:
    """Return how many times as many respondents protection costs; infinite at 0 or 1 (math 12).

    Both are what one respondent adds to the variances, asked about the option or not.
    """
    with np.errstate(divide="ignore", over="ignore"):
        effect: Number = 1 + np.divide(noise, sampling)
    return effect


def share_lever(p: float, q: float) -> float:
    """Return L: forging the part f of the reports moves a share by f L at most (math 11).

    A report scores (1 - q)/(p - q) or -q/(p - q), and the honest share is in 0 .. 1.
    """
    return max(p, 1 - q) / (p - q)
