"""How many respondents a wish costs, and what a number of respondents buys (math 12)."""

import math

from scipy import special

from client.core.primitives.refusal import Refusal, require
from estimators.confidence import CONFIDENCE
from estimators.shares.intervals import MAX_RESPONDENTS, check_n, normal_quantile
from estimators.shares.spread import noise_per_respondent, sampling_per_respondent

# Nobody knows the share before asking; one half is the hardest case.
UNKNOWN_SHARE = 0.5


def respondents_for(per_respondent: float, margin: float, confidence: float = CONFIDENCE) -> int:
    """The n whose estimate has this half-width, if each respondent adds this variance."""
    return _respondents(normal_quantile(confidence) / margin, per_respondent)


def margin_for(per_respondent: float, n: float, confidence: float = CONFIDENCE) -> float:
    """The half-width with n respondents, if each adds this variance."""
    return normal_quantile(confidence) * math.sqrt(per_respondent / n)


def respondents_for_margin(
    margin: float, p: float, q: float, share: float = UNKNOWN_SHARE, confidence: float = CONFIDENCE
) -> int:
    """The n that estimates the population's share +- margin: z^2 (v + share(1-share))/margin^2."""
    return respondents_for(_both(share, p, q), check_margin(margin), confidence)


def respondents_for_noise_margin(
    margin: float, p: float, q: float, share: float = UNKNOWN_SHARE, confidence: float = CONFIDENCE
) -> int:
    """The same when these very respondents are all that matters: no sampling term."""
    noise = noise_per_respondent(check_share(share), p, q)
    return respondents_for(noise, check_margin(margin), confidence)


def margin_for_respondents(
    n: int, p: float, q: float, share: float = UNKNOWN_SHARE, confidence: float = CONFIDENCE
) -> float:
    """The half-width of the interval for the population with n respondents."""
    return margin_for(_both(share, p, q), check_n(n), confidence)


def noise_margin_for_respondents(
    n: int, p: float, q: float, share: float = UNKNOWN_SHARE, confidence: float = CONFIDENCE
) -> float:
    """The half-width when these very respondents are all that matters."""
    return margin_for(noise_per_respondent(check_share(share), p, q), check_n(n), confidence)


def respondents_per_group(
    first: float,
    second: float,
    p: float,
    q: float,
    power: float = 0.8,
    confidence: float = CONFIDENCE,
) -> int:
    """The n per group that tells two shares apart with this power."""
    spread = _both(first, p, q) + _both(second, p, q)
    return respondents_to_tell(difference_of(first, second), spread, power, confidence)


def respondents_to_tell(difference: float, spread: float, power: float, confidence: float) -> int:
    """The same, if one respondent of each group together add this variance to the difference."""
    require(isinstance(power, float) and 0 < power < 1, "bad_power", "power", power=power)
    z = normal_quantile(confidence) + float(special.ndtri(power))
    # A power below one half of (1 - confidence) costs nobody: one respondent is the least.
    return _respondents(max(z, 0.0) / difference, spread)


def power_of_groups(
    n: int, first: float, second: float, p: float, q: float, confidence: float = CONFIDENCE
) -> float:
    """The probability that n respondents per group tell these two shares apart."""
    spread = _both(first, p, q) + _both(second, p, q)
    return power_to_tell(check_n(n), difference_of(first, second), spread, confidence)


def power_to_tell(n: float, difference: float, spread: float, confidence: float) -> float:
    """The same, if one respondent of each group together add this variance to the difference."""
    z = normal_quantile(confidence)
    steps = difference / math.sqrt(spread / n)
    return float(special.ndtr(steps - z) + special.ndtr(-steps - z))


def _both(share: float, p: float, q: float) -> float:
    return noise_per_respondent(check_share(share), p, q) + sampling_per_respondent(share)


def _respondents(ratio: float, variance: float) -> int:
    # The square of the ratio, not of a margin, which may be too small to have one.
    exact = ratio * ratio * variance
    if not exact <= MAX_RESPONDENTS:
        raise Refusal("too_many_respondents", "n", most=MAX_RESPONDENTS)
    return max(math.ceil(exact), 1)


def check_margin(margin: float) -> float:
    require(isinstance(margin, float) and 0 < margin < 1, "bad_margin", "margin", margin=margin)
    return margin


def check_share(share: float) -> float:
    require(
        isinstance(share, int | float) and 0 <= share <= 1, "bad_share.range", "share", share=share
    )
    return share


def difference_of(first: float, second: float) -> float:
    """How far apart two shares are; the same share twice cannot be told apart."""
    require(check_share(first) != check_share(second), "bad_share.same", "share", share=first)
    return abs(first - second)
