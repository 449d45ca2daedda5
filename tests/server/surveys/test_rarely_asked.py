"""Where everybody is asked some questions only, public results single out nobody who was asked."""

import re
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import ShownResults, live_results, public_results
from server.store import audit_log
from server.store.verify import verify
from server.surveys.researchers import Role
from server.surveys.strays import GroupChoice
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import hire, logged_in


def test_a_question_that_too_few_were_asked_is_hidden(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, {**draft, "ask_each_person": "1"}) as live:
        live.fill(40, smokes=None, drinks=1)
        live.fill(60, smokes=1, drinks=None)
        tallies = public_results(live.services.database, "habits").tallies
        assert {id: tally.n for id, tally in tallies.items()} == {"smokes": 60, "drinks": 0}
        page = live.get("/s/habits/results").body.decode()
        assert "Fewer than 50 people were asked this question" in page
        rows = live.get("/s/habits/estimates.json").json["estimates"]
        assert {row["value"] for row in rows if row["question"] == "drinks"} == {None}
        assert live.get("/s/habits/figures/drinks.svg").status == 404


def test_a_question_that_few_were_asked_since_stays_as_it_was_shown(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    """A hundred came between two milestones, and one of them tells of drinking."""
    with run_live(folder, {**draft, "ask_each_person": "1"}) as live:
        live.fill(50, smokes=1, drinks=None)
        live.fill(50, smokes=None, drinks=0)
        live.fill(99, smokes=1, drinks=None)
        live.fill(1, smokes=None, drinks=1)
        assert asked(live) == {"smokes": (0, 149), "drinks": (50, 0)}
        ending.close(live.services.database, "habits")
        assert asked(live) == {"smokes": (0, 149), "drinks": (50, 0)}
        assert verify(folder.database).problems == []


def asked(live: Live) -> dict[str, tuple[int, ...]]:
    tallies = public_results(live.services.database, "habits").tallies
    return {id: tally.counts for id, tally in tallies.items()}


def test_a_group_shows_only_questions_that_enough_of_it_were_asked(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    """All who were asked about drinking, less the other group, would be the ten."""
    with run_live(folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        database = live.services.database
        for group, smokers, drinkers in (("arm-a", 90, 10), ("arm-b", 50, 50)):
            live.fill(smokers, group, smokes=1, drinks=None)
            live.fill(drinkers, group, smokes=None, drinks=1)
        ending.close(database, "habits", groups=GroupChoice.KEEP)
        assert public_results(database, "habits").sizes_by_label == {"arm-a": 100, "arm-b": 100}
        shown = {
            group: {id: tally.n for id, tally in of_group(live, group).tallies.items()}
            for group in (None, "arm-a", "arm-b")
        }
        assert shown == {
            None: {"smokes": 100, "drinks": 50},
            # Forty more came after it was shown.
            "arm-a": {"smokes": 50, "drinks": 0},
            "arm-b": {"smokes": 50, "drinks": 50},
        }
        # Researchers see the group for all of its questions or not at all.
        assert live_results(database, "habits").sizes_by_label == {"arm-b": 100}


def fill_arms(live: Live, *arms: tuple[str, int, int]) -> None:
    for group, smokers, drinkers in arms:
        live.fill(smokers, group, smokes=1, drinks=None)
        live.fill(drinkers, group, smokes=None, drinks=1)


def test_a_group_of_which_few_were_asked_a_question_is_named_before_it_is_held_back(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        database = live.services.database
        fill_arms(live, ("arm-a", 60, 60), ("arm-b", 41, 19), ("arm-c", 0, 60))
        words = (
            "will be held back, because a question was asked of fewer than 20 of their people, and "
            "together they are too few as well: arm-b (of which fewer than 20 were asked 'drinks')."
        )
        with pytest.raises(Refusal, match=re.escape(words)):
            ending.close(database, "habits")
        hire(live, "olga", Role.OWNER)
        olga = logged_in(live, "olga")
        page = olga.get("/workbench/surveys/habits/steps/close").body.decode()
        assert (
            "Some groups will be held back, because a question was asked of fewer than 20" in page
        )
        assert "too small: arm-b (of which fewer than 20 were asked &#39;drinks&#39;)." in page
        assert olga.post("/workbench/surveys/habits/steps/close", groups="keep").status == 303
        results = live_results(database, "habits")
        # Nobody of arm-c was asked about smoking: that tells nothing about anybody.
        assert results.sizes_by_label == {"arm-a": 120, "arm-c": 60}
        assert {id: tally.n for id, tally in results.tallies.items()} == {
            "smokes": 60,
            "drinks": 120,
        }
        (entry,) = [
            entry
            for entry in audit_log.entries_since_removal(database.reader, "habits")
            if entry.action == "close"
        ]
        assert entry.details["held_back"] == "fewer than 20 people who were asked some question"
        assert verify(folder.database).problems == []


def test_groups_of_which_few_were_asked_are_counted_together_if_that_is_enough(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        fill_arms(live, ("arm-a", 60, 60), ("arm-b", 40, 10), ("arm-c", 40, 10))
        ending.close(live.services.database, "habits")
        assert live_results(live.services.database, "habits").sizes_by_label == {
            "": 100,
            "arm-a": 120,
        }


def test_the_close_page_tells_no_count_that_changes_with_a_report(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    """With the live results of before and after, it would tell the group of the report."""
    with run_live(folder, {**with_groups(draft), "ask_each_person": "1"}) as live:
        hire(live, "olga", Role.OWNER)
        olga = logged_in(live, "olga")
        fill_arms(live, ("arm-a", 60, 60), ("arm-b", 40, 10))
        pages = []
        for group in ("arm-b", "arm-a"):
            live.fill(1, group, smokes=None, drinks=1)
            page = olga.get("/workbench/surveys/habits/steps/close").body.decode()
            pages.append(page[page.index("<legend>") : page.index("</fieldset>")])
        assert pages[0] == pages[1]


def of_group(live: Live, group: str | None) -> ShownResults:
    return public_results(live.services.database, "habits", group=group)


def sealed(draft: dict[str, Any]) -> dict[str, Any]:
    """Return the draft by invitation, in three arms, with one question for each person."""
    return {**with_groups(draft), "ask_each_person": "1", "access": "invited"}


def fill_sealed(live: Live, *arms: tuple[str, int, int]) -> None:
    for group, smokers, drinkers in arms:
        live.fill(smokers, group, smokes=1, drinks=None)
        live.fill(drinkers, group, smokes=None, drinks=1)


def test_the_public_is_told_that_a_whole_group_is_held_back(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, sealed(draft)) as live:
        fill_sealed(live, ("arm-a", 60, 60), ("arm-b", 45, 10))
        ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
        page = live.get("/s/habits/results").body.decode()
        assert "fewer than 50 of their people were asked some question" in page
        assert "The very last reports" not in page
        assert verify(folder.database).problems == []


def test_the_public_sees_no_part_of_what_researchers_see_as_one(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    """The small groups together, less the public figures of arm-b, would be five of arm-c."""
    with run_live(folder, sealed(draft)) as live:
        fill_sealed(live, ("arm-a", 60, 60), ("arm-b", 60, 10), ("arm-c", 5, 15))
        database = live.services.database
        ending.close(database, "habits", groups=GroupChoice.KEEP)
        assert live_results(database, "habits", group="").tallies["smokes"].n == 65
        assert public_results(database, "habits").sizes_by_label == {"": 90, "arm-a": 120}
        assert of_group(live, "").tallies["smokes"].n == 65
        assert verify(folder.database).problems == []
