"""How many respondents a target takes, and what a number of respondents achieves (math 12, 14)."""

import math

from scipy import special

from client.core.primitives.refusal import Refusal, require
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import MAX_RESPONDENTS, normal_quantile
from estimators.shares.spread import sampling_per_respondent

# Nobody knows the share before the survey; one half is the hardest case.
UNKNOWN_SHARE = 0.5


def respondents_for(per_respondent: float, margin: float, confidence: float = CONFIDENCE) -> int:
    """Return the n whose estimate has this half-width, if each respondent adds this variance."""
    return _respondents(normal_quantile(confidence) / margin, per_respondent)


def margin_for(per_respondent: float, n: float, confidence: float = CONFIDENCE) -> float:
    """Return the half-width with n respondents, if each adds this variance."""
    return normal_quantile(confidence) * math.sqrt(per_respondent / n)


def respondents_to_tell(
    first: float,
    second: float,
    p: float,
    q: float,
    power: float,
    confidence: float = CONFIDENCE,
    part: float = 1.0,
    ratio: float = 1.0,
) -> int:
    """Return the n of the first group whose score test detects two shares (math 14).

    The second group has `ratio` times as many; `part` of the respondents send a report about the
    option.
    """
    require(isinstance(power, float) and 0 < power < 1, "bad_power", "power", power=power)
    difference = (p - q) * difference_of(first, second)
    pooled, apart = _spreads(first, second, p, q, ratio)
    z, z_power = normal_quantile(confidence), float(special.ndtri(power))
    # A power below (1 - confidence) / 2 needs nobody; one respondent is the minimum.
    steps = max(z * math.sqrt(pooled) + z_power * math.sqrt(apart), 0.0)
    return _respondents(steps / difference, 1 / part)


def power_of_groups(
    n: float,
    first: float,
    second: float,
    p: float,
    q: float,
    confidence: float = CONFIDENCE,
    ratio: float = 1.0,
) -> float:
    """Return the probability that the score test detects two shares.

    The first group sends n reports, the second `ratio` times as many.
    """
    difference = (p - q) * difference_of(first, second)
    pooled, apart = (math.sqrt(spread / n) for spread in _spreads(first, second, p, q, ratio))
    accepted = normal_quantile(confidence) * pooled
    if apart == 0:
        # Asked directly, everybody of one group says yes and nobody of the other.
        return float(difference > accepted)
    return float(
        special.ndtr((difference - accepted) / apart)
        + special.ndtr((-difference - accepted) / apart)
    )


def _spreads(first: float, second: float, p: float, q: float, ratio: float) -> tuple[float, float]:
    """Return the variance of the difference of reported shares, times n of the first group.

    First if the groups were equal, as the test assumes, then with their own shares.
    """
    require(isinstance(ratio, int | float) and 0.01 <= ratio <= 100, "bad_ratio", "ratio")
    one, other = (q + (p - q) * check_share(share) for share in (first, second))
    pooled = sampling_per_respondent((one + ratio * other) / (1 + ratio))
    apart = sampling_per_respondent(one) + sampling_per_respondent(other) / ratio
    return (1 + 1 / ratio) * pooled, apart


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
