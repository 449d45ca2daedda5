"""Choose the mechanism for a question: the one that adds the least noise (math 2.3, 3, 5.4)."""

import math
from collections.abc import Sequence
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
    TwoLevel,
)
from client.core.mechanisms.sliding_window import window_noise
from client.core.mechanisms.two_level import index_bits
from client.core.primitives.domain import Checks, Choice, Domain, Levels

# The share at which mechanisms for check-boxes are compared (math, table 3a).
TYPICAL_SHARE = 0.1


def noise_per_respondent(mechanism: TwoLevel) -> float:
    """Return the noise variance, times n, of one share or of the mean, to compare mechanisms."""
    noise = [mechanism.noise(truth) for truth in typical_truths(mechanism.domain)]
    return sum(noise) / len(noise)


def typical_truths(domain: Domain) -> Sequence[float]:
    """Return where mechanisms are compared: at an even share, a small share, or all levels."""
    match domain:
        case Choice(options=options):
            return [1 / options]
        case Checks():
            return [TYPICAL_SHARE]
        case Levels(top=top):
            # Silent people add noise to a mean as well, but less than anybody else.
            return range(top + 1)


DEFAULT_MAX_BITS = 1024
# Hadamard response may be this much noisier, if its report is shorter.
SHORTER_IS_WORTH = 1.02


def candidates(
    domain: Domain, goal: str, epsilon: Decimal, max_bits: int = DEFAULT_MAX_BITS
) -> list[TwoLevel]:
    """Return every mechanism for this domain at its best shape, the rule's choice first."""
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
        case Levels(top=top, silent=silent):
            if goal == DISTRIBUTION:
                return [square_wave(top, epsilon, silent)]
            window = best_sliding_window(top, epsilon, silent)
            if silent:
                # "Is it at least t?" cannot be answered by silence.
                return [window]
            threshold = RandomThreshold.at(epsilon, top=top)
            return sorted([threshold, window], key=noise_per_respondent)


def best_subset_selection(options: int, epsilon: Decimal, max_bits: int) -> SubsetSelection:
    """Return the size nearest to k / (e^eps + 1), or less if the report would be too long."""
    ideal = options / (math.exp(epsilon) + 1)
    most = max_bits // index_bits(options) if options > max_bits else options - 1
    sizes = {min(max(1, size), max(1, most)) for size in (math.floor(ideal), math.ceil(ideal))}
    found = (SubsetSelection.at(epsilon, options=options, size=size) for size in sorted(sizes))
    return min(found, key=noise_per_respondent)


def best_sampled_checks(options: int, epsilon: Decimal) -> SampledChecks:
    """Return the best number of boxes: one up to about epsilon 3, then a few (math, table 6b)."""
    most = min(options, math.ceil(epsilon))
    found = (SampledChecks.at(epsilon, options=options, asked=n) for n in range(1, most + 1))
    return min(found, key=noise_per_respondent)


def best_private_set(options: int, at_most: int, epsilon: Decimal) -> PrivateSet:
    most = min(options, math.ceil((options + at_most) / (at_most + 1)) + 1)
    found = (
        PrivateSet.at(epsilon, options=options, at_most=at_most, size=size)
        for size in range(1, most + 1)
    )
    # V0, the noise if nobody has the option (math 3).
    return min(found, key=lambda mechanism: mechanism.noise(0))


def best_sliding_window(top: int, epsilon: Decimal, silent: int = 0) -> SlidingWindow:
    """Return the width with the least variance at the ends, where it is largest (math 5.2, 5.5)."""
    odds = math.exp(epsilon)

    def worst(width: int) -> float:
        near = (width + 1) * odds
        far = top + silent * (width + 1)
        return window_noise(top, width, near / (near + far), 0, silent)

    width = min(range(top + 1), key=worst)
    return SlidingWindow.at(epsilon, top=top, width=width, silent=silent)


def square_wave(top: int, epsilon: Decimal, silent: int = 0) -> SlidingWindow:
    """Return the width that preserves most of a distribution's shape (math 5.2, 5.4).

    Options for silence cost reports, but leave the best width for levels where it is (math 5.5).
    """
    eps, odds = float(epsilon), math.exp(epsilon)
    half = (eps * odds - odds + 1) / (2 * odds * (odds - 1 - eps))
    width = min(top, round(2 * half * top))
    return SlidingWindow.at(epsilon, top=top, width=width, silent=silent)
