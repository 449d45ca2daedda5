"""How much noise a mechanism adds per respondent: what the choice of a mechanism compares.

The estimators use the same formulas, so that a plan and its result agree.
"""

from collections.abc import Iterable

from client.domain import Checks, Choice
from client.mechanisms import RandomThreshold, SampledChecks, SlidingWindow, Supporting, TwoLevel

# The share at which mechanisms for check-boxes are compared (math, table 3a).
TYPICAL_SHARE = 0.1


def noise_per_respondent(mechanism: TwoLevel) -> float:
    """The comparison figure: noise variance of one share, or of the mean, times n."""
    match mechanism:
        case RandomThreshold():
            return _average(random_threshold_noise(mechanism, x) for x in range(mechanism.top + 1))
        case SlidingWindow():
            return _average(sliding_window_noise(mechanism, x) for x in range(mechanism.top + 1))
        case SampledChecks():
            return sampled_noise(mechanism, TYPICAL_SHARE)
        case Supporting(domain=Choice(options=options), p=p, q=q):
            return option_noise(1 / options, float(p), float(q))
        case Supporting(domain=Checks(), p=p, q=q):
            return option_noise(TYPICAL_SHARE, float(p), float(q))
    raise TypeError(f"no noise is known for {mechanism}")


def option_noise(share: float, p: float, q: float) -> float:
    """Noise of one option's share: share V1 + (1 - share) V0 (math 0.5).

    V1 = p(1-p)/(p-q)^2 and V0 = q(1-q)/(p-q)^2. For randomized response they are the same number
    v = pq/(p-q)^2 = e^eps/(e^eps-1)^2, so the noise does not depend on the truth (math 1).
    """
    yes = p * (1 - p) / (p - q) ** 2
    no = q * (1 - q) / (p - q) ** 2
    # Written so that equal V1 and V0 give that number to the last bit, whatever the share.
    return no + share * (yes - no)


def sampled_noise(mechanism: SampledChecks, share: float) -> float:
    """Only asked / options of the respondents tell about a given box (math 3)."""
    asked = mechanism.asked / mechanism.options
    noise = option_noise(share, float(mechanism.p), float(mechanism.q))
    return (noise + (1 - asked) * share * (1 - share)) / asked


def random_threshold_noise(mechanism: RandomThreshold, level: int) -> float:
    """Variance of the centred score of one respondent at this level (math 5.3)."""
    top, rest = mechanism.top, mechanism.top - level
    squares = level * (level + 1) * (2 * level + 1) + rest * (rest + 1) * (2 * rest + 1)
    bit = option_noise(0, float(mechanism.p), float(mechanism.q))
    return top**2 * bit + top * squares / (6 * (top + 1) ** 2) - (level - top / 2) ** 2


def sliding_window_noise(mechanism: SlidingWindow, level: int) -> float:
    """Variance of the unbiased score of one respondent at this level (math 5.2)."""
    return window_noise(mechanism.top, mechanism.width, float(mechanism.keep), level)


def window_noise(top: int, width: int, keep: float, level: int) -> float:
    """The same from bare numbers, to search for the best width."""
    last = top + width
    first_sum = last * (last + 1) / 2
    second_sum = first_sum * (2 * last + 1) / 3
    slope = keep - (1 - keep) * (width + 1) / top
    intercept = (1 - keep) * first_sum / top
    middle = level + width / 2
    spread = slope * (width * (width + 2) / 12 + middle**2) + (1 - keep) * second_sum / top
    return (spread - (slope * middle + intercept) ** 2) / slope**2


def _average(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)
