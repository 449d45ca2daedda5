"""What readers of published figures learn of one report among n (math 9).

This is the privacy blanket of Balle, Bell, Gascon and Nissim (2019) for our randomizers: the other
reports hide one among them, if nobody sees more than how many there are of each kind.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, exp, floor, log, log2, log10, sqrt

import numpy as np
from scipy.optimize import brentq

from estimators.published.loss import Loss, Randomizer, report_loss
from estimators.shares.spread import Array

# More reports only help; the computation for these takes a second.
MOST_REPORTS = 100_000
# Delta is at most one in this number, and at most one in a hundred times n.
LEAST_ONE_IN = 1_000_000
# Beyond this part of epsilon, there is nothing to gain.
WORTH_SAYING = 0.95
# Grid steps per standard deviation of one term.
_STEPS = 32
# The grid holds the sum of n terms except with probability e^-35 (Bernstein's inequality).
_DEVIATIONS, _EXTREMES = 32, 48
# A larger grid is needed only where few atoms are so rare that nothing can be gained.
_MOST_POINTS = 1 << 20
_PRECISION = 1e-5
# Keeps the logarithm finite.
_TINY = 1e-300
# Figures of a bound are rounded up to two digits.
_DIGITS = 2


@dataclass(frozen=True)
class ReadersBound:
    """The bound for somebody who sees only figures of n reports counted together."""

    epsilon: float
    # With a chance of 1 in this number, nothing is promised.
    one_in: int
    n: int

    @property
    def delta(self) -> float:
        return 1 / self.one_in


def delta_at(loss: Loss, n: int, epsilon: float) -> float:
    """Return an upper bound of the delta at which readers learn at most epsilon; 1 if unknown.

    It is E[(Z_1 + .. + Z_n)_+]/n. Z is one ratio minus e^epsilon times the other, with the mass of
    the atom, and 0 otherwise.
    """
    n = min(n, MOST_REPORTS)
    values = np.exp(loss.log_one) - exp(epsilon) * np.exp(loss.log_other)
    mean = float(loss.mass @ values)
    step = sqrt(float(loss.mass @ values**2) - mean**2) / _STEPS
    extreme = float(np.abs(values).max()) / step
    size = 1 << ceil(log2(_DEVIATIONS * _STEPS * sqrt(n) + _EXTREMES * extreme))
    if size > _MOST_POINTS:
        return 1.0
    sums = np.fft.irfft(np.fft.rfft(_on_grid(loss.mass, values / step, size)) ** n, size)
    # The sum lies within half the grid of its mean; only its positive part counts.
    places = np.arange(1, round(n * mean / step) + size // 2 + 1)
    return float(places @ np.maximum(sums[places % size], 0)) * step / n


def _on_grid(mass: Array, places: Array, size: int) -> Array:
    """Split each atom between the neighbouring grid points so that its mean stays.

    This spreads the atoms, so the expected positive part of their sum can only grow.
    """
    below = np.floor(places)
    up = mass * (places - below)
    cells = below.astype(np.int64)
    grid: Array = np.bincount(cells % size, mass - up, size).astype(np.float64)
    grid += np.bincount((cells + 1) % size, up, size)
    # The rest of the reports show an answer's own part, and add nothing.
    grid[0] += 1 - mass.sum()
    return grid


def readers_bound(
    questions: Sequence[Randomizer], asked: int, total: Decimal, n: int
) -> ReadersBound | None:
    """Return what readers learn of one of n reports; the server learns at most `total`.

    Each report is about `asked` of the questions. Return None if readers may learn about as much as
    the server.
    """
    loss = report_loss(questions, asked)
    if loss is None:
        return None
    one_in = max(LEAST_ONE_IN, 100 * n)
    epsilon = round_up(smallest_epsilon(loss, n, 1 / one_in, float(total)))
    return ReadersBound(epsilon, one_in, n) if epsilon <= WORTH_SAYING * float(total) else None


def smallest_epsilon(loss: Loss, n: int, delta: float, whole: float) -> float:
    """Find the least epsilon up to `whole` that the bound allows at this delta."""

    def excess(epsilon: float) -> float:
        return log(max(delta_at(loss, n, epsilon), _TINY) / delta)

    least = _PRECISION * whole
    if excess(whole) > 0:
        return whole
    if excess(least) <= 0:
        return least
    found = float(brentq(excess, least, whole, rtol=_PRECISION))
    # The root may lie on either side.
    while excess(found) > 0:
        found *= 1 + _PRECISION
    return min(found, whole)


def round_up(figure: float) -> float:
    """Round a positive figure up to two digits."""
    decimals = _DIGITS - 1 - floor(log10(figure))
    return round(ceil(figure * 10.0**decimals - 1e-9) / 10.0**decimals, decimals)
