"""How many respondents a target takes, and what a number of respondents achieves (math 12)."""

import math

from scipy import special

from client.core.primitives.refusal import Refusal, require
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import MAX_RESPONDENTS, check_n, normal_quantile
from estimators.shares.spread import noise_per_respondent, sampling_per_respondent

# Nobody knows the share before the survey; one half is the hardest case.
UNKNOWN_SHARE = 0.5


def respondents_for(per_respondent: float, margin: float, confidence: float = CONFIDENCE) -> int:
    """Return the n whose estimate has this half-width, if each respondent adds this variance."""
    return _respondents(normal_quantile(confidence) / margin, per_respondent)


def margin_for(per_respondent: float, n: float, confidence: float = CONFIDENCE) -> float:
    """Return the half-width with n respondents, if each adds this variance."""
    return normal_quantile(confidence) * math.sqrt(per_respondent / n)


def respondents_to_tell(difference: float, spread: float, power: float, confidence: float) -> int:
    """Return the n per group that detects a difference with this power.

    `spread` is the variance that one respondent of each group together add to the difference.
    """
    require(isinstance(power, float) and 0 < power < 1, "bad_power", "power", power=power)
    z = normal_quantile(confidence) + float(special.ndtri(power))
    # A power below (1 - confidence) / 2 needs nobody; one respondent is the minimum.
    return _respondents(max(z, 0.0) / difference, spread)


def power_of_groups(
    n: int, first: float, second: float, p: float, q: float, confidence: float = CONFIDENCE
) -> float:
    """Return the probability that n respondents per group distinguish these two shares."""
    spread = _both(first, p, q) + _both(second, p, q)
    return power_to_tell(check_n(n), difference_of(first, second), spread, confidence)


def power_to_tell(n: float, difference: float, spread: float, confidence: float) -> float:
    """Return the probability that n respondents per group detect a difference.

    `spread` is the variance that one respondent of each group together add to the difference.
    """
    z = normal_quantile(confidence)
    steps = difference / math.sqrt(spread / n)
    return float(special.ndtr(steps - z) + special.ndtr(-steps - z))


def _both(share: float, p: float, q: float) -> float:
    return noise_per_respondent(check_share(share), p, q) + sampling_per_respondent(share)


def _respondents(ratio: float, variance: float) -> int:
    # Square the ratio, not the margin: the square of a tiny margin underflows.
    exact = ratio * ratio * variance
    if not exact <= MAX_RESPONDENTS:
        raise Refusal("too_many_respondents", "n", most=MAX_RESPONDENTS)
    return max(math.ceil(exact), 1)


def check_margin(margin: float) -> None:
    """Raise unless the margin is between 0 and 1."""
    require(isinstance(margin, float) and 0 < margin < 1, "bad_margin", "margin", margin=margin)


def check_share(share: float) -> float:
    """Raise unless the share is from 0 to 1; return it."""
    require(
        isinstance(share, int | float) and 0 <= share <= 1, "bad_share.range", "share", share=share
    )
    return share


def difference_of(first: float, second: float) -> float:
    """Return how far apart two shares are; raise if they are equal."""
    require(check_share(first) != check_share(second), "bad_share.same", "share", share=first)
    return abs(first - second)
