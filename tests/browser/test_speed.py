"""The measurement of the page's speed runs, at a small scale; no test looks at the clock."""

from playwright.sync_api import Browser

from tests.benchmarks import ticket_in_browser
from tests.benchmarks.browser import DRAFTS, measure


def test_reports_of_every_mechanism_are_measured_in_a_browser(browser: Browser) -> None:
    found = measure(browser, rounds=2)
    assert found.median.keys() == found.first.keys() == {draft["slug"] for draft, _ in DRAFTS}
    assert found.opened > 0
    assert min(found.weights.values()) > 0


def test_a_ticket_costs_the_device_less_than_one_full_power(browser: Browser) -> None:
    """Some squarings and one inverse: a device never does what signing costs."""
    found = ticket_in_browser.measure(browser, rounds=15, slowed=1)
    assert found.least < found.power
    assert found.first >= found.least > 0
