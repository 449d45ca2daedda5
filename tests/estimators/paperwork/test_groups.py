"""The paperwork of a survey with groups names what is sent as it is."""

import pytest

from tests.client.authoring.test_groups import DRAFT, having
from tests.estimators.paperwork.packs import WEAK, pack

GROUPS = {"choice": "How old? (Young, Old, Prefer not to say)", "link": "How old? (Young, Old)"}


@pytest.mark.parametrize("by", ["choice", "link"])
def test_every_part_names_the_groups_and_who_sets_them(by: str) -> None:
    made = pack(having(by=by))
    assert all(GROUPS[by] in text for text in made.parts.values())
    assert ("What you say about yourself on the first page" in made.consent) == (by == "choice")
    assert ("The group of your link is sent and stored as it is" in made.consent) == (by == "link")


def test_a_survey_without_groups_does_not_mention_any_that_are_sent() -> None:
    for text in pack(WEAK).parts.values():
        assert "not randomized" not in text
        assert "fewer than 20" not in text
    assert pack(DRAFT).parts["review"].count("fewer than 20") == 1
