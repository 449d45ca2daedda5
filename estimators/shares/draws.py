"""What a report is about is drawn evenly: questions, boxes, thresholds (math 11).

Whoever forges reports on an open survey chooses instead: tickets are free. The counts then limit
how many forged reports can be about one thing, and show whether they are more uneven than chance
makes them. A personal link buys one ticket, which nobody can aim: there forgers have their luck.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from estimators.shares.spread import Array, Counts

# The limits on forged reports hold with 99.9 % over the draws of the honest reports.
LIMIT_MISSES = 0.001
# Counts are flagged if honest draws are as uneven with a smaller chance than this.
FALSE_ALARM = 0.001


@dataclass(frozen=True)
class Draw:
    """n reports, each about `asked` of `things` questions, boxes or thresholds."""

    n: int
    asked: int = 1
    things: int = 1
    # Whether forgers draw as often as they like, and use the ticket that suits them.
    is_free: bool = True

    @property
    def part(self) -> float:
        """The chance that an honest report is about a given thing."""
        return self.asked / self.things

    @property
    def is_certain(self) -> bool:
        """Whether every report is about everything, so that nothing is drawn."""
        return self.asked == self.things

    def chances(self, counts: Counts) -> Array:
        """Return how likely honest draws are to be as uneven as each count.

        Two-sided, from the exact binomial distribution, and times the number of things, since the
        most extreme count is looked for: 2 d min(P(Bin >= count), P(Bin <= count)), at most 1.
        """
        at_least = special.bdtrc(counts.astype(np.float64) - 1, self.n, self.part)
        at_most = special.bdtr(counts.astype(np.float64), self.n, self.part)
        chances: Array = np.minimum(1.0, 2 * self.things * np.minimum(at_least, at_most))
        return chances


def most_forged(counts: Counts, forged: int, n: int, part: float) -> Counts:
    """Return how many of the forged reports can be among those about each thing, at 99.9 %.

    An honest report is about a given thing with the chance `part`. So at least the 0.1 % quantile
    of the n - forged honest reports are about it, and only the rest can be forged.
    """
    room = counts - _least_honest(n - forged, part)
    return np.clip(room, 0, np.minimum(counts, forged))


def most_drawn(links: int, part: float) -> int:
    """Return how many of so many links can get a ticket about one thing, at 99.9 %."""
    if part >= 1 or links <= 0:
        return max(links, 0)
    most = math.ceil(float(special.bdtrik(1 - LIMIT_MISSES, links, part)))
    return min(max(most, 0), links)


def _least_honest(honest: int, part: float) -> int:
    """Return the quantile: fewer come with a chance below LIMIT_MISSES."""
    if part >= 1 or honest <= 0:
        return max(honest, 0)
    return max(math.ceil(float(special.bdtrik(LIMIT_MISSES, honest, part))), 0)
