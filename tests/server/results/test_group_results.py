"""Results by group: a crowd each, and nothing about a smaller one between the lines."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results, public_results
from server.store import groups as group_store
from server.store import reading
from server.surveys.disclosure import MINIMUM, Sizes, groups_to_show, next_milestone
from tests.support.live import Live
from tests.support.live import live as run_live

ARMS = ("arm-a", "arm-b", "arm-c")


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A survey with three study arms."""
    with run_live(folder, draft) as running:
        for arm in ARMS:
            running.services.database.write(
                group_store.add_group,
                reading.newest(running.services.database.reader, "habits"),
                arm,
            )
        yield running


def fill_two_arms(live: Live) -> None:
    """Two hundred reports: sixty of arm-a and the rest of arm-b."""
    live.fill(40, "arm-b")
    live.fill(60, "arm-a", smokes=1)
    live.fill(100, "arm-b")


def shown(live: Live, group: str | None = None) -> tuple[int, tuple[int, ...]]:
    results = public_results(live.services.database, "habits", group=group)
    return results.n, results.tallies["smokes"].counts


def groups(live: Live) -> Sizes:
    return public_results(live.services.database, "habits").groups


@given(st.lists(st.sampled_from(["", *ARMS]), min_size=1, max_size=9), st.integers(50, 90))
def test_no_snapshot_singles_out_a_small_crowd(order: list[str], late: int) -> None:
    """Before each milestone two of three reports come from one group, one from another."""
    sizes: Counter[str] = Counter()
    before: Sizes = {}
    last: Sizes = {}
    n = 0
    for step, name in enumerate(order):
        milestone = next_milestone(n)
        sizes[order[step - 1]] += (milestone - n) // 3
        sizes[name] += milestone - sizes.total()
        n = milestone
        before, last = step_from(before, n, sizes, last), dict(sizes)
    sizes[order[0]] += late
    step_from(before, n + late, sizes, last)


def step_from(before: Sizes, n: int, sizes: Sizes, last: Sizes) -> Sizes:
    after = groups_to_show(n, sizes, before, last)
    assert not 0 < moved(before, after, sizes, last) < MINIMUM
    assert all(size >= MINIMUM for size in after.values())
    rest = n - sum(after.values())
    assert rest == 0 or rest >= MINIMUM
    for group in before.keys() | after.keys():
        change = after[group] - before.get(group, 0)
        assert change == 0 or change >= MINIMUM
    return after


def moved(before: Sizes, after: Sizes, sizes: Sizes, last: Sizes) -> int:
    """How many reports came to the rest beside the shown groups, or left it."""
    renewed = {name for name in after if after[name] != before.get(name)}
    came = sum(size - last.get(name, 0) for name, size in sizes.items() if name not in renewed)
    return came + sum(last.get(name, 0) - before.get(name, 0) for name in renewed)


def fill_beside_a_rest(live: Live) -> None:
    """Two hundred reports: arm-a is shown, and beside it a rest of fifty."""
    live.fill(150, "arm-a")
    live.fill(1, "arm-b", smokes=1)
    live.fill(49, "arm-c")
    assert groups(live) == {"arm-a": 150}


def test_the_rest_beside_a_group_does_not_grow_by_one_report(live: Live) -> None:
    """All less arm-a, before and after, would differ by one report of arm-c."""
    fill_beside_a_rest(live)
    live.fill(299, "arm-a")
    live.fill(1, "arm-c", smokes=1)
    assert shown(live)[0] == 500
    assert groups(live) == {"arm-a": 150}


def test_a_group_takes_no_single_report_out_of_the_rest(live: Live) -> None:
    """The first of arm-b was in the rest: it would be missing there once arm-b is shown."""
    fill_beside_a_rest(live)
    live.fill(299, "arm-b")
    live.fill(1)
    assert shown(live)[0] == 500
    assert groups(live) == {"arm-a": 150}


def test_a_group_is_shown_when_it_and_the_rest_are_crowds(live: Live) -> None:
    live.fill(40, "arm-b")
    live.fill(60, "arm-a", smokes=1)
    # All but arm-a would be the forty of arm-b.
    assert (shown(live), groups(live)) == ((100, (40, 60)), {})
    live.fill(100, "arm-b", smokes=1)
    assert groups(live) == {"arm-a": 60, "arm-b": 140}
    assert shown(live, "arm-a") == (60, (0, 60))
    assert shown(live, "arm-b") == (140, (40, 100))


def test_a_group_that_grows_by_a_few_stays_as_it_was_shown(live: Live) -> None:
    fill_two_arms(live)
    live.fill(1, "arm-a")
    live.fill(299, "arm-b")
    assert shown(live)[0] == 500
    # The new ones of arm-b alone would leave a rest of one report.
    assert groups(live) == {"arm-a": 60, "arm-b": 140}
    live.fill(49, "arm-a")
    live.fill(1, "arm-c")
    ending.close(live.services.database, "habits")
    assert shown(live)[0] == 550
    assert groups(live) == {"arm-a": 60, "arm-b": 439}
    assert shown(live, "arm-a") == (60, (0, 60))


def test_a_small_group_hides_the_next_one_but_not_all(live: Live) -> None:
    live.fill(40, "arm-a")
    live.fill(60, "arm-b")
    live.fill(100, "arm-c")
    assert groups(live) == {"arm-c": 100}


def test_page_and_downloads_are_of_the_group_that_is_asked_for(live: Live) -> None:
    fill_two_arms(live)
    page = live.get("/s/habits/results").body.decode()
    assert 'href="results?group=arm-a"' in page
    page = live.get("/s/habits/results?group=arm-a").body.decode()
    assert "Estimated from 60 randomized reports" in page
    assert "This is a snapshot at 200 reports" in page
    assert 'href="estimates.csv?group=arm-a"' in page
    body = live.get("/s/habits/estimates.json?group=arm-a").json
    assert (body["group"], body["n"], body["next_n"]) == ("arm-a", 60, 500)
    assert body["groups"] == {"arm-a": 60, "arm-b": 140}
    assert {row["group"] for row in body["estimates"]} == {"arm-a"}
    table = live.get("/s/habits/estimates.csv?group=arm-a")
    assert 'filename="habits-v1-arm-a-estimates.csv"' in table.headers["Content-Disposition"]
    assert b"60 randomized reports" in live.get("/s/habits/figures/smokes.svg?group=arm-a").body


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
