"""The long measurements: `python -m tests.benchmarks [PART ...]`, by default all of them.

They print ratios, which outlive machines; `peers`, `accepting` and `large` write
BENCHMARKS.md, each its own part.
"""

import sys
from collections.abc import Sequence

from playwright.sync_api import sync_playwright

from tests.benchmarks import (
    browser,
    comparing,
    cross_speed,
    estimating,
    large,
    regression,
    results_cost,
    serving,
    signing,
    ticket_in_browser,
)
from tests.benchmarks.coverage import (
    cross,
    designs,
    groups,
    leaders,
    levels,
    shares,
    silence,
    two_shares,
)
from tests.benchmarks.coverage import regression as regression_cover
from tests.benchmarks.coverage.measuring import Case, table
from tests.browser.chromium import launch_options


def measure_results() -> None:
    print("Time at 1,000,000 reports / time at 1,000 (goal under 1.5)")
    for path, ratio in results_cost.measure(1_000, 1_000_000, rounds=101).items():
        print(f"  {path:<24} {ratio:.2f}")
    took = estimating.measure(options=10_000, rounds=51)
    print(f"Estimating 10,000 options from a tally takes {took:.1f} ms (goal 50)")
    em, rows = estimating.measure_levels(rounds=11)
    print(f"EM of 1,001 levels takes {em:.1f} ms (goal 50), all of their rows {rows:.1f} ms")


def measure_accepting() -> None:
    print("Durable accepts beside an empty view of the same server")
    serving.write_section()


def measure_signing() -> None:
    found = signing.measure(rounds=301)
    print(
        f"Tickets signed per second of one core: {found.per_second:.0f} "
        f"(goal {signing.GOAL_PER_SECOND}); a plain power takes {found.ratio:.1f} times longer"
    )


def measure_browser() -> None:
    print("Milliseconds to randomize and encode a report in Chromium, first and median (goal 50)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options())
        device = browser.measure(chromium, rounds=101)
        tickets = ticket_in_browser.measure(chromium, rounds=21)
    for slug, median in device.median.items():
        print(f"  {slug:<24} {device.first[slug]:6.1f} {median:6.1f}")
    print(f"  a survey with 10,000 options opens in {device.opened:.0f} ms")
    print(f"Milliseconds for a ticket, slowed {ticket_in_browser.SLOWED} times (goal 250)")
    print(f"  the first ever, median   {tickets.first:6.1f} {tickets.median:6.1f}")
    print("Bytes on the wire to open a survey of every kind (goal 60,000)")
    for what, weight in device.weights.items():
        print(f"  {what[:24]:<24} {weight:>8,}")
    print(f"  {'together':<24} {sum(device.weights.values()):>8,}")


def measure_levels() -> None:
    print("How often 95 % intervals of levels hold the truth, for estimators/README.md 4, 5")
    found = levels.measure(("0.5", "1", "2", "4"), (1_000, 5_000), samples=60)
    for line in levels.table(found):
        print(line)


def measure_silence() -> None:
    print("How often 95 % intervals hold the truth if a number can be declined, for 5.5")
    covers = silence.measure(("0.5", "1", "2", "4"), (200, 2_000), samples=1_000)
    print(silence.table(list(covers)))


def measure_regression() -> None:
    ratio = regression.cost_beside_statsmodels(1_000_000, rounds=5)
    print(f"A logistic fit of a million reports takes {ratio:.2f} times statsmodels' (goal 1.5)")
    print_table(regression_cover.CASES)


def measure_shares() -> None:
    print_table(shares.CASES)


def measure_leaders() -> None:
    print_table(leaders.CASES)


def measure_compare() -> None:
    print_table((*two_shares.CASES, *groups.CASES))


def measure_designs() -> None:
    print_table(designs.CASES)


def print_table(cases: Sequence[Case]) -> None:
    """Measure how often intervals hold the truth, as estimators/README.md prints it."""
    for line in table(cases):
        print(line, flush=True)


def measure_peers() -> None:
    print("Candor beside its peers")
    comparing.write_page()


def measure_large() -> None:
    print("Tallies beside DuckDB, and a simulation on Dask beside threads")
    large.write_section()


def measure_cross() -> None:
    ratio = cross_speed.measure(1_000_000, rounds=11)
    print(f"A cross-table of 1,000,000 reports / pandas.crosstab: {ratio:.2f} (goal under 3)")
    print_table(cross.CASES)


PARTS = {
    "shares": measure_shares,
    "leaders": measure_leaders,
    "compare": measure_compare,
    "cross": measure_cross,
    "results": measure_results,
    "accepting": measure_accepting,
    "signing": measure_signing,
    "browser": measure_browser,
    "levels": measure_levels,
    "silence": measure_silence,
    "regression": measure_regression,
    "designs": measure_designs,
    "peers": measure_peers,
    "large": measure_large,
}


def main(parts: list[str]) -> None:
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        sys.exit(f"{unknown[0]!r} is no part of the measurements: {', '.join(PARTS)}")
    for part in parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main(sys.argv[1:])
