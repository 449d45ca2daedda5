"""Accepts at a small scale: everything is stored and measured; speed is for the full scale."""

from tests.benchmarks.accepting import Accepting, Load
from tests.torture.load import accepts
from tests.torture.row import Silent


def measured(rate: float, wait: float) -> Accepting:
    return Accepting(64, (Load(rate, (wait,), 0.1),), (Load(1000.0, (0.01,), 0.1),))


def test_whatever_is_accepted_is_stored_and_measured() -> None:
    # `accepting.measure` fails if an answer is not 201, or if a report is not stored.
    found = accepts.measure(2, ((8, 200), (96, 300)), Silent())
    assert [each.connections for each in found] == [8, 96]
    assert accepts.judge(found).figure


def test_each_goal_that_is_missed_is_named() -> None:
    good = measured(700.0, 0.05)
    assert accepts.judge([good, measured(700.0, 0.9)]).met
    slow = accepts.judge([measured(590.0, 0.05), good])
    assert (slow.met, slow.reason) == (False, "the ratio is below 0.60")
    assert "p99" in accepts.judge([measured(700.0, 0.13), good]).reason
    assert "waited for 1100 ms" in accepts.judge([good, measured(700.0, 1.1)]).reason
