"""Which mechanism a question gets: the one that adds the least noise (math 2.3, 3, 5.4)."""

import math
from collections.abc import Iterable
from decimal import Decimal

from client.core.kinds import DISTRIBUTION
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    Supporting,
    TwoLevel,
)
from client.core.mechanisms.two_level import index_bits
from client.core.primitives.domain import Checks, Choice, Domain, Levels

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


DEFAULT_MAX_BITS = 1024
# Hadamard response may be this much noisier if its report is shorter.
SHORTER_IS_WORTH = 1.02


def candidates(
    domain: Domain, goal: str, epsilon: Decimal, max_bits: int = DEFAULT_MAX_BITS
) -> list[TwoLevel]:
    """Every mechanism for this domain at its best shape, the rule's choice first."""
    match domain:
        case Choice(options=2):
            return [RandomizedResponse.at(epsilon)]
        case Choice(options=options):
            subsets = best_subset_selection(options, epsilon, max_bits)
            hadamard = HadamardResponse.at(epsilon, options=options)
            limit = noise_per_respondent(subsets)
            if hadamard.bits < subsets.bits:
                limit *= SHORTER_IS_WORTH
            hadamard_first = noise_per_respondent(hadamard) < limit
            return [hadamard, subsets] if hadamard_first else [subsets, hadamard]
        case Checks(options=options, at_most=at_most):
            boxes: list[TwoLevel] = [best_sampled_checks(options, epsilon)]
            if at_most < options:
                boxes.append(best_private_set(options, at_most, epsilon))
            return sorted(boxes, key=noise_per_respondent)
        case Levels(top=top):
            if goal == DISTRIBUTION:
                return [square_wave(top, epsilon)]
            threshold = RandomThreshold.at(epsilon, top=top)
            return sorted([threshold, best_sliding_window(top, epsilon)], key=noise_per_respondent)


def best_subset_selection(options: int, epsilon: Decimal, max_bits: int) -> SubsetSelection:
    """The size next to k / (e^eps + 1), cut down where a long list would make a long report."""
    ideal = options / (math.exp(epsilon) + 1)
    most = max_bits // index_bits(options) if options > max_bits else options - 1
    sizes = {min(max(1, size), max(1, most)) for size in (math.floor(ideal), math.ceil(ideal))}
    found = (SubsetSelection.at(epsilon, options=options, size=size) for size in sorted(sizes))
    return min(found, key=noise_per_respondent)


def best_sampled_checks(options: int, epsilon: Decimal) -> SampledChecks:
    """One box is best up to epsilon 3 or so; beyond, a few (math, table 6b)."""
    most = min(options, math.ceil(epsilon))
    found = (SampledChecks.at(epsilon, options=options, asked=n) for n in range(1, most + 1))
    return min(found, key=noise_per_respondent)


def best_private_set(options: int, at_most: int, epsilon: Decimal) -> PrivateSet:
    most = min(options, math.ceil((options + at_most) / (at_most + 1)) + 1)
    found = (
        PrivateSet.at(epsilon, options=options, at_most=at_most, size=size)
        for size in range(1, most + 1)
    )
    return min(found, key=lambda mechanism: _variance_of_absent(mechanism))


def best_sliding_window(top: int, epsilon: Decimal) -> SlidingWindow:
    """The width with the smallest variance at the ends, where it is largest (math 5.2)."""
    odds = math.exp(epsilon)

    def worst(width: int) -> float:
        near = (width + 1) * odds
        return window_noise(top, width, near / (near + top), 0)

    return SlidingWindow.at(epsilon, top=top, width=min(range(top + 1), key=worst))


def square_wave(top: int, epsilon: Decimal) -> SlidingWindow:
    """The width that keeps most of a distribution's shape (math 5.2, 5.4)."""
    eps, odds = float(epsilon), math.exp(epsilon)
    half = (eps * odds - odds + 1) / (2 * odds * (odds - 1 - eps))
    return SlidingWindow.at(epsilon, top=top, width=min(top, round(2 * half * top)))


def _variance_of_absent(mechanism: PrivateSet) -> float:
    """V0, the noise where nobody has the option (math 3)."""
    p, q = float(mechanism.p), float(mechanism.q)
    return q * (1 - q) / (p - q) ** 2
