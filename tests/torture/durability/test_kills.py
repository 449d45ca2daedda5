"""Kills at a small scale."""

from random import Random

from tests.torture.durability import kills


def test_kill_9_under_load_loses_nothing_acknowledged_and_doubles_nothing() -> None:
    toll = kills.live_and_die(3, 200, Random(20261116), lambda: None)
    assert toll.kills == 3
    assert toll.acknowledged >= 600
    assert toll.is_nothing, toll
