"""The exponential mechanism at work: one price for goods of which there are always enough copies.

Everybody who bids the price or more buys. The best price follows the bids, so a price set by hand
would tell about them; drawn by its revenue, it says little about any one bid, and bidding falsely
gains next to nothing.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from client.core.primitives.refusal import require
from estimators.central.choosing import Exponential
from estimators.central.neighbours import Neighbours
from estimators.shares.spread import Array
from estimators.simulation.kernels.source import Source


@dataclass(frozen=True)
class Auction:
    """Prices that are fixed before any bid is seen; the last one is the highest bid admitted."""

    prices: tuple[float, ...]

    def __post_init__(self) -> None:
        require(
            len(self.prices) > 0 and all(a < b for a, b in pairwise((0, *self.prices))),
            "bad_prices",
            f"prices must be above 0 and increase, got {str(self.prices)[:40]}",
            "prices",
        )

    @property
    def highest_bid(self) -> float:
        return self.prices[-1]

    def revenues(self, bids: Array) -> Array:
        """What each price would bring in."""
        buyers = len(bids) - np.searchsorted(np.sort(bids), self.prices)
        return np.array(self.prices) * buyers

    def mechanism(self, epsilon: float, neighbours: Neighbours) -> Exponential:
        """A bid moves a revenue by the price at most; a higher bid in its place lowers none."""
        return Exponential(epsilon, self.highest_bid, neighbours, one_sided=tuple(Neighbours))

    def sell(self, bids: Array, epsilon: float, neighbours: Neighbours, source: Source) -> float:
        """Simulated: the price that is charged."""
        chosen = self.mechanism(epsilon, neighbours).choose(self.revenues(bids), source)
        return self.prices[chosen]
