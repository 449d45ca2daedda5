"""Exact bounds for a binomial probability (Clopper and Pearson), with the standard library only."""

import math
from collections.abc import Callable


def clopper_pearson_low(count: float, n: int, tail: float) -> float:
    """The probability at which `count` or more of n has probability `tail`."""
    if count <= 0:
        return 0.0
    return _solve(lambda x: beta_cdf(x, count, n - count + 1), tail)


def clopper_pearson_high(count: float, n: int, tail: float) -> float:
    """The probability at which `count` or fewer of n has probability `tail`."""
    if count >= n:
        return 1.0
    return 1 - _solve(lambda x: beta_cdf(x, n - count, count + 1), tail)


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast on one side of the mean only; the other side mirrors it.
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    log_front = a * math.log(x) + b * math.log1p(-x)
    log_front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return math.exp(log_front) / (a * _beta_fraction(x, a, b))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + ...)), evaluated forwards by Lentz's method."""
    tiny = 1e-300
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, 100_000):
        m = step // 2
        if step % 2:
            d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1 / ((1 + d * lower) or tiny)
        upper = (1 + d / upper) or tiny
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            return value
    raise ArithmeticError(f"the beta function did not converge at x = {x}, a = {a}, b = {b}")


def _solve(cdf: Callable[[float], float], target: float) -> float:
    """The x in [0, 1] where an increasing function reaches the target, by bisection."""
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        if cdf(middle) < target:
            low = middle
        else:
            high = middle
    return low
