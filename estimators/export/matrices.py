"""P(report | truth) for every mechanism as a plain matrix, which means the same in every package.

Every randomizer is two-level (math 0.1): all reports that are near to a truth are equally likely,
and so are all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

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
from client.core.primitives.domain import Checks, Choice, Domain, Levels

# A larger matrix is told by the rule that makes it.
MOST_ENTRIES = 10_000


@dataclass(frozen=True)
class Transition:
    """`chances[i][j]` is P(reports[i] | truths[j]): every column sums to one."""

    reports: Sequence[Any]
    truths: Sequence[Any]
    chances: list[list[Fraction]]


def transition(mechanism: TwoLevel) -> Transition | None:
    """The whole matrix; None where it would not be small."""
    if count_reports(mechanism) * _count_answers(mechanism.domain) > MOST_ENTRIES:
        return None
    reports, truths = _reports(mechanism), _answers(mechanism.domain)
    columns = [_column(mechanism, reports, truth) for truth in truths]
    return Transition(reports, truths, [list(row) for row in zip(*columns, strict=True)])


def count_reports(mechanism: TwoLevel) -> int:
    """How many different reports there are."""
    match mechanism:
        case SubsetSelection(options=items, size=size) | PrivateSet(items=items, size=size):
            return comb(items, size)
        case SampledChecks(options=options, asked=asked):
            return comb(options, asked) << asked
    return mechanism.cells


def _count_answers(domain: Domain) -> int:
    match domain:
        case Checks(options=options, at_most=at_most):
            return sum(comb(options, ticked) for ticked in range(at_most + 1))
        case Choice(options=options):
            return options
        case Levels(top=top):
            return top + 1


def _answers(domain: Domain) -> list[Any]:
    if isinstance(domain, Checks):
        sizes = range(domain.at_most + 1)
        return [list(x) for size in sizes for x in combinations(range(domain.options), size)]
    return list(range(_count_answers(domain)))


def _reports(mechanism: TwoLevel) -> list[Any]:
    match mechanism:
        case SubsetSelection(options=items, size=size) | PrivateSet(items=items, size=size):
            return [list(items) for items in combinations(range(items), size)]
        case SampledChecks(options=options, asked=asked):
            return [
                [[box, bit] for box, bit in zip(boxes, bits, strict=True)]
                for boxes in combinations(range(options), asked)
                for bits in product((0, 1), repeat=asked)
            ]
        case RandomThreshold(top=top):
            return [[t, bit] for t in range(1, top + 1) for bit in (0, 1)]
    return list(range(mechanism.cells))


def _column(mechanism: TwoLevel, reports: Sequence[Any], truth: Any) -> list[Fraction]:
    keep = mechanism.keep
    if isinstance(mechanism, SampledChecks):
        # Each asked box is a draw of its own.
        each = Fraction(2**mechanism.asked, len(reports))
        return [each * _of_bits(report, truth, keep) for report in reports]
    near = [_is_near(mechanism, report, truth) for report in reports]
    inside, outside = sum(near), len(near) - sum(near)
    return [keep / inside if is_near else (1 - keep) / outside for is_near in near]


def _of_bits(report: list[list[int]], ticked: list[int], keep: Fraction) -> Fraction:
    chance = Fraction(1)
    for box, bit in report:
        chance *= keep if bit == (box in ticked) else 1 - keep
    return chance


def _is_near(mechanism: TwoLevel, report: Any, truth: Any) -> bool:
    match mechanism:
        case RandomizedResponse():
            return bool(report == truth)
        case SubsetSelection():
            return bool(truth in report)
        case HadamardResponse():
            return int(report & (truth + 1)).bit_count() % 2 == 0
        case PrivateSet(options=options, items=items):
            padded = {*truth, *range(options, items - len(truth))}
            return not padded.isdisjoint(report)
        case RandomThreshold():
            return bool(report[1] == (truth >= report[0]))
        case SlidingWindow(width=width):
            return bool(truth <= report <= truth + width)
    raise TypeError(f"no matrix is known for {mechanism}")
