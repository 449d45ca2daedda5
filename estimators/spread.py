"""How much one respondent adds to each of the two variances (math 0.5, 1)."""

import math


def noise_per_respondent(share: float, p: float, q: float) -> float:
    """Variance that the randomizer adds per respondent: share V1 + (1 - share) V0 (math 0.5).

    V1 = p(1-p)/(p-q)^2 and V0 = q(1-q)/(p-q)^2. For randomized response they are the same number
    v = pq/(p-q)^2 = e^eps/(e^eps-1)^2, so the noise does not depend on the truth (math 1).
    """
    yes = p * (1 - p) / (p - q) ** 2
    no = q * (1 - q) / (p - q) ** 2
    # Written so that equal V1 and V0 give that number to the last bit, whatever the share.
    return no + share * (yes - no)


def sampling_per_respondent(share: float) -> float:
    """Variance of one respondent drawn from a population with this share: share(1 - share)."""
    return share * (1 - share)


def design_effect(share: float, p: float, q: float) -> float:
    """How many times more respondents the protection costs (math 12); infinite at share 0 or 1."""
    sampling = sampling_per_respondent(share)
    if sampling == 0:
        return math.inf
    return 1 + noise_per_respondent(share, p, q) / sampling


def clip_share(share: float) -> float:
    """The nearest share that is possible."""
    return min(max(share, 0.0), 1.0)
