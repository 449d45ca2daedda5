"""Kills while tickets are asked for, at a small scale."""

from random import Random

from tests.torture.durability.asking_kills import DEVICES_EACH, HEARD_EACH, live_and_die


def test_kill_9_while_devices_ask_leaves_each_with_one_ticket() -> None:
    toll = live_and_die(2, Random(20261119), lambda: None)
    assert toll.problems == []
    assert toll.reports == 2 * DEVICES_EACH
    assert toll.answers >= 2 * HEARD_EACH
