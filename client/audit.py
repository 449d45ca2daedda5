"""Does a sampler keep its promise? Exactly from the integers, and by counting reports (math 13).

Only the standard library: whoever audits a client needs nothing but Python.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

from client.channel import PRECISION
from client.mechanisms import TwoLevel
from client.refusal import require
from client.words import WORD_RANGE, Words

Sampler = Callable[[int, Words], Any]

# A sampler that keeps its promise is blamed at most this often.
FALSE_ALARM = 1e-6
MAX_RUNS = 10**8


@dataclass(frozen=True)
class Pair:
    """How often the event "supports `answer` and not `other`" came from each of the two truths."""

    answer: int
    other: int
    hits: int
    hits_of_other: int
    runs: int
    false_alarm: float

    @property
    def epsilon_low(self) -> float:
        """The leak is at least this, with confidence 1 - false_alarm (math 13)."""
        return leak_bound(self.hits, self.hits_of_other, self.runs, self.false_alarm)


@dataclass(frozen=True)
class Audit:
    """The verdict on one mechanism at the epsilon that it is shown with."""

    epsilon: Decimal
    delivered_epsilon: float
    exact_passes: bool
    pairs: tuple[Pair, ...]

    @property
    def epsilon_low(self) -> float:
        """The largest leak that the counts prove; none is below 0."""
        return max(0.0, *(pair.epsilon_low for pair in self.pairs))

    @property
    def empirical_passes(self) -> bool:
        return self.epsilon_low <= self.epsilon

    @property
    def passes(self) -> bool:
        return self.exact_passes and self.empirical_passes


def keeps_promise(mechanism: TwoLevel, epsilon: Decimal) -> bool:
    """T c <= e^eps a (2^32 - T), and the near set is not the rarer one: the theorem of math 0.2."""
    T, near, far = mechanism.threshold, mechanism.near, mechanism.far  # noqa: N806
    with localcontext() as context:
        context.prec = PRECISION
        leaks_no_more = T * far <= epsilon.exp() * near * (WORD_RANGE - T)
    return leaks_no_more and T * (near + far) >= WORD_RANGE * near


def audit(
    mechanism: TwoLevel,
    epsilon: Decimal,
    words: Words,
    runs: int,
    sampler: Sampler | None = None,
    answers: tuple[int, int] = (0, 1),
    on_run: Callable[[], object] = lambda: None,
) -> Audit:
    """Check the integers, then run a sampler (the shipped one unless told) on two answers."""
    require(
        type(runs) is int and 1 <= runs <= MAX_RUNS,
        "bad_runs",
        f"runs must be an integer from 1 to {MAX_RUNS}, got {runs!r}",
        "runs",
    )

    def supports(answer: int) -> Iterator[list[int]]:
        for _ in range(runs):
            on_run()
            yield mechanism.cells_of((sampler or mechanism.randomize)(answer, words))

    # From one answer to its counts: which of the two events each run was, fixed beforehand.
    events = {
        answer: Counter(_event(cells, answers) for cells in supports(answer)) for answer in answers
    }
    return Audit(
        epsilon=epsilon,
        delivered_epsilon=mechanism.delivered_epsilon,
        exact_passes=keeps_promise(mechanism, epsilon),
        pairs=tuple(
            Pair(x, y, events[x][x], events[y][x], runs, FALSE_ALARM / 2)
            for x, y in (answers, answers[::-1])
        ),
    )


def _event(cells: list[int], answers: tuple[int, int]) -> int | None:
    """The one of the two answers that a report supports alone, if it does."""
    supported = [answer for answer in answers if answer in cells]
    return supported[0] if len(supported) == 1 else None


def leak_bound(hits: float, hits_of_other: float, runs: int, false_alarm: float) -> float:
    """ln(CPlow(k1, N; b/2) / CPup(k2, N; b/2)): the leak is at least this (math 13)."""
    low = clopper_pearson_low(hits, runs, false_alarm / 2)
    if low == 0:
        return -math.inf
    return math.log(low / clopper_pearson_high(hits_of_other, runs, false_alarm / 2))


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
