"""A crowd that begins at once, at a small scale: how long people wait is for the full scale."""

from tests.torture.load import beginners
from tests.torture.row import Silent


def test_a_crowd_begins_while_others_hand_in() -> None:
    both = beginners.hand_in_beside(20, 20261119, Silent())
    assert both.problems == []
    assert len(both.begun.seconds) == 20
    assert len(both.reports) == beginners.READY
