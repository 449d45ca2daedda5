"""Results by group: a crowd each, and nothing about a smaller one between the lines."""

from typing import Any

import pytest

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results, public_results
from server.surveys.disclosure import Sizes
from server.surveys.strays import GroupChoice
from tests.support.live import Live
from tests.support.live import live as run_live


@pytest.fixture
def live(arms: Live) -> Live:
    """A survey with three study arms."""
    return arms


def fill_two_arms(live: Live) -> None:
    """Two hundred reports: sixty of arm-a and the rest of arm-b."""
    live.fill(40, "arm-b")
    live.fill(60, "arm-a", smokes=1)
    live.fill(100, "arm-b")


def shown(live: Live, group: str | None = None) -> tuple[int, tuple[int, ...]]:
    results = public_results(live.services.database, "habits", group=group)
    return results.n, results.tallies["smokes"].counts


def groups(live: Live) -> Sizes:
    return public_results(live.services.database, "habits").sizes_by_label


def fill_beside_a_rest(live: Live) -> None:
    """Two hundred reports: arm-a is shown, and beside it a rest of fifty."""
    live.fill(150, "arm-a")
    live.fill(1, "arm-b", smokes=1)
    live.fill(49, "arm-c")
    assert groups(live) == {"arm-a": 150}


def test_the_rest_beside_a_group_does_not_grow_by_one_report(live: Live) -> None:
    """All less arm-a, before and after, would differ by one report of arm-c: the total stays."""
    fill_beside_a_rest(live)
    live.fill(299, "arm-a")
    live.fill(1, "arm-c", smokes=1)
    assert (shown(live), groups(live)) == ((449, (449, 0)), {"arm-a": 449})


def test_a_group_takes_no_single_report_out_of_the_rest(live: Live) -> None:
    """The first of arm-b was in the rest: all but the groups would now be 49 and the stray.

    So the total stays as it was, and the groups together are more.
    """
    fill_beside_a_rest(live)
    live.fill(299, "arm-b")
    live.fill(1)
    assert groups(live) == {"arm-a": 150, "arm-b": 300}
    assert shown(live)[0] == 450


def test_a_small_group_is_held_back_until_it_is_a_crowd(live: Live) -> None:
    live.fill(40, "arm-b")
    live.fill(60, "arm-a", smokes=1)
    # All but arm-a would be the forty of arm-b. They stay where they were, in the total of fifty.
    assert (shown(live), groups(live)) == ((60, (0, 60)), {"arm-a": 60})
    page = live.get("/s/habits/results").body.decode()
    assert "“All groups” adds up the groups that are shown" in page
    live.fill(100, "arm-b", smokes=1)
    assert groups(live) == {"arm-a": 60, "arm-b": 140}
    assert shown(live, "arm-a") == (60, (0, 60))
    assert shown(live, "arm-b") == (140, (40, 100))


def test_a_group_that_grows_by_a_few_stays_as_it_was_shown(live: Live) -> None:
    fill_two_arms(live)
    live.fill(1, "arm-a")
    live.fill(299, "arm-b")
    # In a total of 500, all but arm-b would be one more of arm-a.
    assert (shown(live)[0], groups(live)) == (499, {"arm-a": 60, "arm-b": 439})
    live.fill(49, "arm-a")
    live.fill(1, "arm-c")
    ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
    assert (shown(live)[0], groups(live)) == (549, {"arm-a": 110, "arm-b": 439})
    assert shown(live, "arm-a") == (110, (50, 60))


def test_a_small_group_hides_no_other(live: Live) -> None:
    live.fill(40, "arm-a")
    live.fill(60, "arm-b")
    live.fill(100, "arm-c")
    assert groups(live) == {"arm-b": 60, "arm-c": 100}


def test_page_and_downloads_are_of_the_group_that_is_asked_for(live: Live) -> None:
    fill_two_arms(live)
    page = live.get("/s/habits/results").body.decode()
    assert 'href="results?group=arm%3Darm-a"' in page
    page = live.get("/s/habits/results?group=arm=arm-a").body.decode()
    assert "Estimated from 60 randomized answers" in page
    assert "This is a snapshot at 200 answers" in page
    assert 'href="estimates.csv?group=arm%3Darm-a"' in page
    body = live.get("/s/habits/estimates.json?group=arm-a").json
    assert (body["group"], body["n"], body["next_n"]) == ("arm-a", 60, 500)
    assert body["groups"] == {"arm-a": 60, "arm-b": 140}
    assert {row["group"] for row in body["estimates"]} == {"arm-a"}
    table = live.get("/s/habits/estimates.csv?group=arm-a")
    assert 'filename="habits-v1-arm-a-estimates.csv"' in table.headers["Content-Disposition"]
    drawn = live.get("/s/habits/figures/smokes.svg?group=arm-a").body
    assert b">60 randomized answers</" in drawn
    assert b">arm-a</" in drawn
    assert b"arm-" not in live.get("/s/habits/figures/smokes.svg").body


@pytest.mark.parametrize("group", ["arm-c", "nobody", ""])
def test_a_hidden_group_is_like_one_that_does_not_exist(live: Live, group: str) -> None:
    for n in (0, 200):
        live.fill(n, "arm-a")
        answer = live.get(f"/s/habits/estimates.json?group={group}")
        assert (answer.status, answer.code) == (404, "unknown_group")
        assert live.get(f"/s/habits/results?group={group}").status == 404


def test_a_survey_without_groups_speaks_of_none(folder: DataFolder, draft: dict[str, Any]) -> None:
    with run_live(folder, draft) as live:
        live.fill(50)
        assert "By group" not in live.get("/s/habits/results").body.decode()
        assert live_results(live.services.database, "habits").groups == {}


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "No results for this group"),
        ("de", "Keine Ergebnisse dieser Gruppe"),
        ("es", "No hay resultados de este grupo"),
        ("ar", "لا توجد نتائج لهذه المجموعة"),
    ],
)
def test_a_hidden_group_has_a_page_in_the_readers_language(
    live: Live, language: str, heading: str
) -> None:
    answer = live.send(
        "GET", "/s/habits/results?group=arm-a", headers={"Accept-Language": language}
    )
    page = answer.body.decode()
    assert (answer.status, f"<h1>{heading}</h1>" in page) == (404, True)
    assert 'href="/s/habits/results"' in page
    assert "arm-a" not in page
