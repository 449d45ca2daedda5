"""The groups of synthetic respondents: how many of them have each level of each factor."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from client.core.groups import Groups
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.shares import SHARES_TOLERANCE, Shares


@dataclass(frozen=True)
class GroupShares:
    """The share of each group, in the order of their codes; the factors are independent."""

    groups: Groups
    shares: Shares

    def draw(self, n: int, source: Source) -> Integers:
        """Draw the number of a group for each of n respondents."""
        ends = np.cumsum(self.shares)
        drawn = np.searchsorted(ends / ends[-1], source.random(n), side="right")
        return drawn.astype(np.int64)


def group_shares(survey: Survey, texts: Sequence[str] = ()) -> GroupShares | None:
    """Read `arm=0.7,0.3` for some factors, the others are even; None if there are no groups."""
    groups = survey.groups
    require(groups is not None or not texts, "no_groups_to_share", "group-shares")
    if groups is None:
        return None
    given = dict(_read(groups, text) for text in texts)
    by_factor = [
        given.get(factor.id, (1 / len(factor.labels),) * len(factor.labels))
        for factor in groups.factors
    ]
    shares = (
        math.prod(of[level] for of, level in zip(by_factor, groups.levels_of(code), strict=True))
        for code in groups.codes
    )
    return GroupShares(groups, tuple(shares))


def _read(groups: Groups, text: str) -> tuple[str, Shares]:
    """Read the shares of one factor's levels; the last one is of those who prefer not to say."""
    id, _, listed = text.rpartition("=")
    field, labels = f"group-shares {id}", {factor.id: factor.labels for factor in groups.factors}
    known = list(labels)
    require(id in labels, "bad_group.factor", "group-shares", factor=id or text, known=known)
    try:
        shares = tuple(float(part) for part in listed.split(","))
    except ValueError:
        raise Refusal("bad_shares.text", field, text=listed) from None
    count, total = len(labels[id]), math.fsum(shares)
    require(len(shares) == count, "bad_shares.levels", field, count=count, listed=listed)
    require(all(0 <= share <= 1 for share in shares), "bad_shares.range", field, listed=listed)
    is_whole = abs(total - 1) <= SHARES_TOLERANCE
    require(is_whole, "bad_shares.sum", field, listed=listed, total=total)
    return id, shares
