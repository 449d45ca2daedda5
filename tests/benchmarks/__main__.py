"""The long measurements: `python -m tests.benchmarks` prints ratios, which outlive machines."""

from playwright.sync_api import sync_playwright

from tests.benchmarks import accepting, browser, estimating, results_cost
from tests.browser.chromium import launch_options


def main() -> None:
    print("Time at 1,000,000 reports / time at 1,000 (goal under 1.5)")
    for path, ratio in results_cost.measure(1_000, 1_000_000, rounds=101).items():
        print(f"  {path:<24} {ratio:.2f}")
    print("Durable accepts / empty requests of the same server, 64 connections (goal 0.60)")
    found = accepting.measure(20_000)
    print(f"  ratio {found.ratio:.2f}  ({found.durable:,.0f} and {found.empty:,.0f} per second)")
    print(f"  99 of 100 accepts within {1000 * found.wait(0.99):.0f} ms, all within ", end="")
    print(f"{1000 * found.wait(1):.0f} ms")
    took = estimating.measure(options=10_000, rounds=51)
    print(f"Estimating 10,000 options from a tally takes {took:.1f} ms (goal 50)")
    print("Milliseconds to randomize and encode a report in Chromium, first and median (goal 50)")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**launch_options())
        device = browser.measure(chromium, rounds=101)
    for slug, median in device.median.items():
        print(f"  {slug:<24} {device.first[slug]:6.1f} {median:6.1f}")
    print(f"  a survey with 10,000 options opens in {device.opened:.0f} ms")


if __name__ == "__main__":
    main()
