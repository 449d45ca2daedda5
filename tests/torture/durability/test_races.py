"""Races at a small scale."""

from tests.torture.durability.races import run_closings, run_same_report
from tests.torture.row import Silent


def test_no_report_slips_in_behind_a_closing() -> None:
    outcome = run_closings(4, 20261116, Silent())
    assert outcome.met, outcome


def test_a_report_that_arrives_fifty_times_at_once_is_stored_once() -> None:
    outcome = run_same_report(10, 20261116, Silent())
    assert outcome.met, outcome
