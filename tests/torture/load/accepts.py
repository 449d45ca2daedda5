"""Durable accepts beside an empty view of Flask under the same server, in turns."""

import statistics
from collections.abc import Iterator, Sequence

from tests.benchmarks import accepting
from tests.benchmarks.accepting import Accepting, median_rate
from tests.benchmarks.serving import (
    GOAL_P99_MILLISECONDS,
    GOAL_RATIO,
    GOAL_WORST_MILLISECONDS,
    LOADS,
)
from tests.torture.row import Outcome, Progress, Row


def judge(found: Sequence[Accepting]) -> Outcome:
    """Compare what was measured over few and over many connections with the goals."""
    few, many = found
    ratio, p99, longest = statistics.median(few.ratios), few.wait(0.99), many.longest
    figure = (
        f"{median_rate(few.durable):,.0f} accepts per second beside "
        f"{median_rate(few.empty):,.0f} empty answers, ratio {ratio:.2f} "
        f"({min(few.ratios):.2f} to {max(few.ratios):.2f}), {few.cpu_ratio:.2f} by CPU time; "
        f"p99 {1000 * p99:.0f} ms; longest wait {1000 * longest:.0f} ms "
        f"at {many.connections} connections"
    )
    short = list(_short(ratio, 1000 * p99, 1000 * longest))
    return Outcome(figure, not short, "; ".join(short))


def _short(ratio: float, p99: float, longest: float) -> Iterator[str]:
    if ratio < GOAL_RATIO:
        yield f"the ratio is below {GOAL_RATIO:.2f}"
    if p99 >= GOAL_P99_MILLISECONDS:
        yield f"p99 is not below {GOAL_P99_MILLISECONDS} ms"
    if longest >= GOAL_WORST_MILLISECONDS:
        yield f"somebody waited for {longest:.0f} ms"


def measure(rounds: int, loads: Sequence[tuple[int, int]], progress: Progress) -> list[Accepting]:
    """Measure half of the rounds over few connections, and half over many."""
    found = []
    for connections, requests in loads:
        found.append(accepting.measure(requests, connections, rounds // 2))
        progress.advance(rounds // 2)
    return found


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Take so many turns. Tickets and ids are random as always, whatever the seed."""
    return judge(measure(amount, LOADS, progress))


ROW = Row(
    "accepts",
    "reports that are on disk when they are answered, beside an empty view of Flask, over "
    "64 connections; then over 384",
    f"ratio at least {GOAL_RATIO:.2f}, p99 below {GOAL_P99_MILLISECONDS} ms; over 384 connections "
    f"no wait of {GOAL_WORST_MILLISECONDS / 1000:.0f} s",
    18,
    "turns",
    run,
)
