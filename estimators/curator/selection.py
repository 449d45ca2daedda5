"""One winner chosen by a trusted curator: noisy max, exponential mechanism, auction (math 10).

Utilities are integers or fractions and the draws are exact, so the probabilities are exactly the
stated ones.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np
from scipy import special

from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from client.core.primitives.words import Words
from estimators.curator.neighbours import Neighbours, check_positive
from estimators.curator.noise import DiscreteLaplace, check_probability
from estimators.curator.sampling import bernoulli_exp, uniform
from estimators.shares.spread import Array


@dataclass(frozen=True)
class NoisyMax:
    """The largest of several counts, each with discrete Laplace noise that is never shown.

    A person may be in any number of the counts. Of equal counts the first wins.
    """

    epsilon: Decimal
    neighbours: Neighbours

    @property
    def noise(self) -> DiscreteLaplace:
        # Who joins can only raise counts. Who is replaced may lower the leader, raise the second.
        moved = 1 if self.neighbours is Neighbours.ADD_OR_REMOVE_ONE else 2
        return DiscreteLaplace(self.epsilon, moved)

    def shortfall(self, candidates: int, failure: float) -> float:
        """Return how far the winner's count may be below the largest, at this failure probability.

        If no noise exceeds a bound, counts further apart than twice that bound keep their order.
        """
        return 2 * self.noise.largest_error(candidates, failure)

    def choose(self, counts: Sequence[int], words: Words) -> int:
        """Draw the index of the winner."""
        noisy = self.noise.publish(counts, words)
        return noisy.index(max(noisy))


@dataclass(frozen=True)
class Exponential:
    """A candidate drawn with probability proportional to exp(rate * utility).

    `sensitivity` is how far neighbours can move the utility of any one candidate. `one_sided` means
    that neighbours never raise one utility while they lower another.
    """

    epsilon: Decimal
    sensitivity: Fraction
    one_sided: bool = False

    def __post_init__(self) -> None:
        check_positive(float(self.epsilon), "epsilon")
        check_positive(float(self.sensitivity), "sensitivity")

    @property
    def rate(self) -> Fraction:
        """Epsilon over the sensitivity, halved unless `one_sided`."""
        sides = 1 if self.one_sided else 2
        return Fraction(self.epsilon) / (sides * Fraction(self.sensitivity))

    def chances(self, utilities: Sequence[int] | Sequence[Fraction] | Array) -> Array:
        """Return the probability of every candidate, for display only."""
        weights = float(self.rate) * np.array([float(utility) for utility in utilities])
        chances: Array = special.softmax(weights)
        return chances

    def shortfall(self, candidates: int, failure: float) -> float:
        """Return how far the winner's utility may be below the best, at this failure chance."""
        check_probability(failure, "failure")
        return math.log(candidates / failure) / float(self.rate)

    def choose(self, utilities: Sequence[int] | Sequence[Fraction], words: Words) -> int:
        """Draw the index of the winner, exactly.

        A candidate is drawn uniformly and kept with probability exp(-rate * its shortfall). The
        best one is always kept, so the expected number of draws is at most the number of
        candidates.
        """
        best = max(utilities)
        while True:
            drawn = uniform(words, len(utilities))
            if bernoulli_exp(words, self.rate * (best - utilities[drawn])):
                return drawn


@dataclass(frozen=True)
class Auction:
    """One price for goods that never run out: everybody who bids at least the price buys.

    The best price depends on the bids, so a price set by hand would reveal something about them. A
    price drawn by its revenue says little about any one bid, and a false bid gains next to nothing.
    The prices are fixed before any bid is seen.
    """

    prices: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        require(
            len(self.prices) > 0 and all(a < b for a, b in pairwise((Fraction(0), *self.prices))),
            "bad_prices",
            "prices",
            prices=[decimal_text(Decimal(str(float(price)))) for price in self.prices],
        )

    def level_of(self, bid: Fraction) -> int:
        """Return how many of the prices a bidder would pay."""
        return bisect_right(self.prices, bid)

    def revenues(self, bidders: Sequence[int]) -> tuple[Fraction, ...]:
        """Return what each price would bring in, given the number of bidders per level."""
        buyers = list(accumulate(reversed(bidders[1:])))[::-1]
        return tuple(price * count for price, count in zip(self.prices, buyers, strict=True))

    def mechanism(self, epsilon: Decimal) -> Exponential:
        """Return the mechanism that draws the price.

        A bid moves a revenue by the price at most, and a higher bid in its place lowers none.
        """
        return Exponential(epsilon, self.prices[-1], one_sided=True)
