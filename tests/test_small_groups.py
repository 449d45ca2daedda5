"""A group of fewer than twenty reports is never told apart, and is merged for good at closing."""

import csv
import io
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.refusal import Refusal
from server.data import DataFolder
from server.respondents.invitations import status
from server.results.export import export_zip
from server.results.showing import live_results, public_results
from server.store import Role, rewriting
from server.store.crowds import LEAST_IN_GROUP, Sizes, groups_to_show, told_apart
from server.store.records import checksum
from server.store.verify import verify
from tests.inviting import fill_personally
from tests.live import Live, everywhere
from tests.live import live as run_live
from tests.researcher import hire, logged_in

ARMS = ("arm-a", "arm-b", "arm-c")
some_sizes = st.dictionaries(st.sampled_from(["", *ARMS, "d", "e"]), st.integers(0, 70))


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """An open survey with three study arms."""
    with run_live(folder, draft) as running:
        for arm in ARMS:
            running.services.store.add_group(running.services.store.latest("habits"), arm)
        yield running


def merged(sizes: Sizes) -> dict[str, int]:
    members = told_apart(sizes)
    return {name: sum(sizes.get(each, 0) for each in members[name]) for name in members}


@given(some_sizes)
def test_no_group_and_no_rest_beside_the_groups_is_small(sizes: Sizes) -> None:
    members = told_apart(sizes)
    assert sorted(each for part in members.values() for each in part) == sorted({"", *sizes})
    without, groups = merged(sizes)[""], {k: n for k, n in merged(sizes).items() if k}
    assert all(n >= LEAST_IN_GROUP for n in groups.values())
    assert not groups or without == 0 or without >= LEAST_IN_GROUP
    assert without + sum(groups.values()) == sum(sizes.values())


@given(some_sizes)
def test_no_group_is_dissolved_without_need(sizes: Sizes) -> None:
    """With the largest that was joined taken out again, it or what is left would be too few."""
    joined = [name for name in told_apart(sizes)[""] if name]
    if not joined:
        return
    largest = max(joined, key=lambda name: (sizes[name], name))
    left = merged(sizes)[""] - sizes[largest]
    assert sizes[largest] < LEAST_IN_GROUP or 0 < left < LEAST_IN_GROUP


@given(some_sizes)
def test_what_is_merged_need_not_be_merged_again(sizes: Sizes) -> None:
    assert told_apart(merged(sizes))[""] == ("",)


@given(some_sizes)
def test_the_first_snapshot_shows_no_group_that_is_merged(sizes: Sizes) -> None:
    shown = groups_to_show(sum(sizes.values()), sizes, {}, {})
    assert {name for name in shown if name} <= told_apart(sizes).keys()


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"": 0, "arm-a": 19, "arm-b": 40}, {"": 59}),
        ({"": 1, "arm-a": 19, "arm-b": 40}, {"": 20, "arm-b": 40}),
        ({"": 0, "arm-a": 20, "arm-b": 40}, {"": 0, "arm-a": 20, "arm-b": 40}),
        ({"": 5, "arm-a": 20, "arm-b": 40}, {"": 25, "arm-b": 40}),
        ({"": 5, "arm-a": 0}, {"": 5}),
    ],
)
def test_whom_a_small_group_joins(sizes: Sizes, expected: Sizes) -> None:
    assert merged(sizes) == expected


def exported(live: Live) -> list[tuple[str, str]]:
    """The group of each exported report, and whether it says that they smoke."""
    with ZipFile(io.BytesIO(export_zip(live.services.store, "habits")[1])) as archive:
        text = archive.read("reports.csv").decode()
    return [(row["_group"], row["smokes"]) for row in csv.DictReader(io.StringIO(text))]


def fill_arms(live: Live) -> None:
    live.fill(30, "arm-a")
    live.fill(19, "arm-b", smokes=1)
    live.fill(1)


def test_while_it_is_open_small_groups_count_to_those_without_a_group(live: Live) -> None:
    fill_arms(live)
    store = live.services.store
    assert live_results(store, "habits").groups == {"": 20, "arm-a": 30}
    assert live_results(store, "habits", group="").tallies["smokes"].counts == (1, 19)
    assert live_results(store, "habits", group="arm-a").n == 30
    for group in ("arm-b", "arm-c", "arm-x"):
        with pytest.raises(Refusal, match="there is none, or it has fewer than 20 reports"):
            live_results(store, "habits", group=group)
    assert exported(live) == [("", "0"), *[("", "1")] * 19, *[("arm-a", "0")] * 30]
    # The counts for reminders stay.
    assert [
        (item["group"], item["used"]) for item in status(live.services, "habits")["groups"]
    ] == [
        ("", 1),
        ("arm-a", 30),
        ("arm-b", 19),
        ("arm-c", 0),
    ]
    live.fill(1, "arm-b", smokes=1)
    # Now arm-b is large enough, and the one without a group is not: the smallest joins it.
    assert live_results(store, "habits").groups == {"": 21, "arm-a": 30}
    live.fill(19)
    assert live_results(store, "habits").groups == {"": 20, "arm-a": 30, "arm-b": 20}


def test_the_workbench_says_which_groups_are_not_told_apart(live: Live) -> None:
    hire(live, "vera", Role.VIEWER)
    vera = logged_in(live, "vera")
    fill_arms(live)
    page = vera.get("/workbench/surveys/habits/results").body.decode()
    assert "2 groups are not told apart and counted to those without a group" in page
    page = vera.get("/workbench/surveys/habits/results?group=arm-a").body.decode()
    assert "These are all 30 reports of version 1 in the group arm-a at this moment" in page
    page = vera.get("/workbench/surveys/habits/results?group=").body.decode()
    assert "These are all 20 reports of version 1 without a group at this moment" in page
    assert vera.get("/workbench/surveys/habits/results?group=arm-b").status == 404


def test_the_closing_merges_them_for_good_also_in_the_bytes(live: Live) -> None:
    fill_arms(live)
    live.services.store._file.write(rewriting.empty_log, alone=True)
    before = {row[1]: row for row in live.stored()["reports"]}
    traces = [row[3] for row in before.values() if row[4] == "arm-b"]
    assert len(traces) == 19
    assert all(trace in everywhere(live.folder) for trace in traces)
    closing = live.services.store.close_survey("habits")
    assert closing.compacted
    assert [trace for trace in traces if trace in everywhere(live.folder)] == []
    after = live.stored()
    assert {row[4] for row in after["reports"]} == {"", "arm-a"}
    for _, id, randomized, bound, group in after["reports"]:
        assert randomized == before[id][2]
        assert bound == checksum(live.survey.fingerprint, id, randomized, group)
    assert [(item.name, item.reports) for item in live.services.store.groups("habits")] == [
        ("", 20),
        ("arm-a", 30),
    ]
    assert {row[-1] for row in after["tallies"]} == {"", "arm-a"}
    assert verify(live.folder.database).problems == []
    found = live_results(live.services.store, "habits", group="")
    assert (found.n, found.tallies["smokes"].counts) == (20, (1, 19))
    assert exported(live).count(("", "1")) == 19
    assert live.services.store.history("habits")[0].details["merged_groups"] == 2
    counts = status(live.services, "habits")
    assert (counts["merged_groups"], len(counts["groups"])) == (2, 2)


def test_closing_again_changes_nothing(live: Live) -> None:
    fill_arms(live)
    first = live.services.store.close_survey("habits")
    stored = live.stored()
    again = live.services.store.close_survey("habits")
    assert (again.digest, live.stored()) == (first.digest, stored)


@pytest.mark.parametrize("content", ['\'{"drinks":1,"smokes":1}\'', "CAST(x'FFFE' AS TEXT)"])
def test_a_damaged_report_of_a_small_group_is_still_named_after_the_merge(
    live: Live, content: str
) -> None:
    fill_arms(live)
    id = min(row[1] for row in live.stored()["reports"] if row[4] == "arm-b")
    damage = f"UPDATE reports SET randomized = {content} WHERE id = '{id}'"
    live.services.store._file.write(lambda db: db.execute(damage))
    live.services.store.close_survey("habits")
    assert f"habits version 1: report {id}: its checksum does not match" in (
        verify(live.folder.database).problems
    )


def test_the_last_snapshot_keeps_no_sizes_of_groups_that_it_does_not_show(live: Live) -> None:
    live.fill(60, "arm-a")
    live.fill(7, "arm-b")
    live.fill(60)
    live.services.store.close_survey("habits")
    assert public_results(live.services.store, "habits").groups == {"arm-a": 50}
    (content,) = live.services.store._file.reader.execute(
        "SELECT content FROM snapshots"
    ).fetchone()
    assert "arm-a" in content
    assert "arm-b" not in content
    assert verify(live.folder.database).is_sound


def test_personal_links_of_a_small_group_are_merged_with_their_counts(staff: Live) -> None:
    fill_personally(staff, 40, "north")
    fill_personally(staff, 3, "south", smokes=1)
    fill_personally(staff, 25)
    staff.services.store.close_survey("habits")
    assert status(staff.services, "habits") == {
        "slug": "habits",
        "by_invitation": True,
        "merged_groups": 1,
        "groups": [
            {"group": "", "issued": 45, "used": 28, "unused": 17},
            {"group": "north", "issued": 40, "used": 40, "unused": 0},
        ],
    }
    assert live_results(staff.services.store, "habits").groups == {"": 28, "north": 40}
    assert verify(staff.folder.database).problems == []
    hire(staff, "vera", Role.VIEWER)
    page = logged_in(staff, "vera").get("/workbench/surveys/habits/invitations").body.decode()
    assert "One group was merged into “No group”: too few reports to be told apart" in page
