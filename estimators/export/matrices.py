"""P(report | truth) of every mechanism as a plain matrix, which means the same in every package.

Every randomizer is two-level (math 0.1): all reports near a truth are equally likely, and so are
all others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Checks, Choice, Domain, Levels
from estimators.mechanisms import analysis_of

# A larger matrix is described by its rule only.
MOST_ENTRIES = 10_000


@dataclass(frozen=True)
class Transition:
    """`chances[i][j]` is P(reports[i] | truths[j]): every column sums to one."""

    reports: Sequence[Any]
    truths: Sequence[Any]
    chances: list[list[Fraction]]


def transition(mechanism: TwoLevel) -> Transition | None:
    """Return the whole matrix; None if it would be large."""
    analysis = analysis_of(mechanism)
    if analysis.count_reports() * _count_answers(mechanism.domain) > MOST_ENTRIES:
        return None
    reports, truths = analysis.reports(), _answers(mechanism.domain)
    columns = [analysis.chances(reports, truth) for truth in truths]
    return Transition(reports, truths, [list(row) for row in zip(*columns, strict=True)])


def _count_answers(domain: Domain) -> int:
    match domain:
        case Checks(options=options, at_most=at_most):
            return sum(comb(options, ticked) for ticked in range(at_most + 1))
        case Choice(options=options):
            return options
        case Levels() as levels:
            return levels.count


def _answers(domain: Domain) -> list[Any]:
    if isinstance(domain, Checks):
        sizes = range(domain.at_most + 1)
        return [list(x) for size in sizes for x in combinations(range(domain.options), size)]
    return list(range(_count_answers(domain)))
