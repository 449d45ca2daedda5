"""Where everybody is asked some questions only, public results single out nobody who was asked."""

from typing import Any

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import ShownResults, live_results, public_results
from server.store.verify import verify
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live


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
        ending.close(database, "habits")
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
        assert live_results(database, "habits").sizes_by_label == {"arm-a": 100, "arm-b": 100}


def of_group(live: Live, group: str | None) -> ShownResults:
    return public_results(live.services.database, "habits", group=group)
