"""Links and reports are joined by lot at best, and what breaks the protocol joins them all."""

from collections import Counter

import pytest

from tests.torture.privacy.linking.attempts import ATTEMPTS
from tests.torture.privacy.linking.linking import CONTROLS, Joined, join

PEOPLE = 16


def test_whoever_has_everything_but_the_times_only_guesses() -> None:
    found = join(PEOPLE, 1, seed=1)
    assert found.accused == []
    assert len(found.right) == 10


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_is_found(name: str) -> None:
    habit, way = CONTROLS[name]
    found = join(PEOPLE, 1, 1, habit, [way])
    assert found.right == {way: PEOPLE}
    assert found.accused == [way]


def test_a_few_people_joined_among_many_are_noticed() -> None:
    """Guessing joins four in four worlds, and more than 25 once in some billion runs."""
    right = Counter(dict.fromkeys(ATTEMPTS, 4))
    assert Joined(1000, 4, right).accused == []
    right["the order"] = 26
    assert Joined(1000, 4, right).accused == ["the order"]
