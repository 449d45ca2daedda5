"""The leak hunt finds every leak that is built into the page, and nothing on the shipped page."""

from collections.abc import Iterator

import pytest

from tests.support.hunter import Verdict
from tests.torture.privacy import planted_leaks
from tests.torture.privacy.planted_leaks import (
    DELAY,
    LENGTH,
    NEXT,
    OWN,
    PLANTED,
    Hunt,
    Road,
    hunting,
    outcome,
)

SEED = 20261119
# In milliseconds.
LONG = (250, 5000)


@pytest.fixture(scope="module")
def hunter() -> Iterator[Hunt]:
    with hunting(SEED) as running:
        yield running


@pytest.mark.parametrize("road", [OWN, NEXT], ids=["own device", "shared device"])
def test_every_leak_is_found_among_the_others(hunter: Hunt, road: Road) -> None:
    verdicts: dict[str, Verdict] = dict(hunter.find(road))
    nothing = verdicts.pop("")
    assert [leak for leak, verdict in verdicts.items() if not verdict.accuses(0)] == []
    assert not nothing.accuses(0)


def test_a_report_without_its_padding_and_a_delay_are_found(hunter: Hunt) -> None:
    # One that a busy machine does not hide; how short it may be is for the full scale.
    by_length, delay = hunter.find_length_and_delay(LONG)
    assert by_length.accuses(0)
    assert delay


def test_the_row_says_which_leak_was_missed() -> None:
    assert outcome(set(PLANTED), 0, 5).met
    missed = outcome(set(PLANTED) - {LENGTH}, 0, 5)
    assert (missed.met, missed.reason) == (False, f"missed: {LENGTH}")
    assert not outcome(set(PLANTED), 1, 5).met


def test_enough_leaks_are_planted() -> None:
    assert len(PLANTED) == len(set(PLANTED)) >= planted_leaks.LEAST_PLANTED
    assert DELAY in PLANTED
