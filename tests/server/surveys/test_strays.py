"""Strays: a small minority costs no group anything, and the owner chooses what becomes of it."""

import csv
import io
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.invitations import status
from server.results.shown import live_results, public_results
from server.serving import running_services
from server.store import audit_log, reading
from server.store.verify import verify
from server.surveys.crowd import edges_of, isolates
from server.surveys.disclosure import LEAST_IN_GROUP, Sizes
from server.surveys.researchers import Role
from server.surveys.states import State
from server.surveys.strays import (
    GroupChoice,
    are_too_few,
    stray_groups,
    strays_at_closing,
)
from tests.support.clock import FakeClock, at
from tests.support.exported import export_zip
from tests.support.figures import complaint, run
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import hire, key_of, logged_in

some_sizes = st.dictionaries(st.sampled_from(["", "a", "b", "c", "d", "e"]), st.integers(0, 70))


@pytest.fixture
def live(arms: Live) -> Live:
    """An open survey with three study arms."""
    return arms


def fill_with_one_stray(live: Live) -> None:
    """Sixty reports each of two arms, and one of the third."""
    live.fill(60, "arm-a")
    live.fill(60, "arm-b")
    live.fill(1, "arm-c", smokes=1)


def exported(live: Live) -> list[tuple[str, str]]:
    with ZipFile(io.BytesIO(export_zip(live.services.database, "habits")[1])) as archive:
        rows = csv.DictReader(io.StringIO(archive.read("reports.csv").decode()))
        return [(row["group"], row["smokes"]) for row in rows]


@given(some_sizes)
def test_no_group_is_a_stray_that_is_large_enough(sizes: Sizes) -> None:
    strays = stray_groups(sizes, LEAST_IN_GROUP)
    assert {name for name in sizes if name and sizes[name] >= LEAST_IN_GROUP} == (
        sizes.keys() - set(strays)
    )


@given(some_sizes)
def test_the_final_figures_of_researchers_isolate_fewer_than_twenty_in_no_way(sizes: Sizes) -> None:
    """The total and the groups that a closing leaves, with strays in the rest or held back."""
    strays = stray_groups(sizes, LEAST_IN_GROUP)
    parts: dict[tuple[int | None, tuple[str, int] | None], int] = {
        (0, (name, 0)): size for name, size in sizes.items() if name not in strays
    }
    if parts and not are_too_few(sizes, LEAST_IN_GROUP):
        parts[0, None] = sum(sizes.get(name, 0) for name in strays)
    assert not isolates(edges_of(parts), LEAST_IN_GROUP)


@pytest.mark.parametrize(
    ("sizes", "held"),
    [
        ({"": 1, "arm-a": 1500}, True),
        ({"": 0, "arm-a": 1500, "arm-b": 19}, True),
        ({"": 1, "arm-a": 1500, "arm-b": 18}, True),
        ({"": 1, "arm-a": 1500, "arm-b": 19}, False),
        ({"": 20, "arm-a": 1500}, False),
        ({"": 0, "arm-a": 1500}, False),
        # No group is large: nothing is told apart, so nobody stands out.
        ({"": 5, "arm-a": 12}, False),
        ({"": 5}, False),
    ],
)
def test_strays_are_held_back_if_they_are_few_beside_a_large_group(
    sizes: Sizes, held: bool
) -> None:
    assert are_too_few(sizes, LEAST_IN_GROUP) is held


def test_nothing_is_closed_before_the_owner_has_chosen(live: Live) -> None:
    fill_with_one_stray(live)
    with pytest.raises(Refusal, match="never shown or exported") as caught:
        ending.close(live.services.database, "habits")
    assert caught.value.code == "strays_undecided"
    with pytest.raises(Refusal, match=r"fewer than 20 reports together.* too small are: arm-c"):
        ending.begin_closing(live.services, "habits", "1")
    assert reading.newest(live.services.database.reader, "habits").state is State.OPEN


def test_with_groups_the_strays_are_in_no_result_and_no_export(live: Live) -> None:
    fill_with_one_stray(live)
    database = live.services.database
    closing = ending.close(database, "habits", groups=GroupChoice.KEEP)
    results = live_results(database, "habits")
    assert (results.n, results.sizes_by_label) == (120, {"arm-a": 60, "arm-b": 60})
    assert results.tallies["smokes"].counts == (120, 0)
    assert sorted(exported(live)) == [*[("arm-a", "0")] * 60, *[("arm-b", "0")] * 60]
    assert public_results(database, "habits").tallies["smokes"].counts == (100, 0)
    # All that came stays counted, and in the digest.
    assert closing.reports == 121
    assert verify(live.folder.database).problems == []
    (entry, *_) = audit_log.entries_since_removal(database.reader, "habits")
    assert entry.details["held_back"] == "fewer than 20 reports"
    assert status(live.services, "habits")["held_back"] is True


def test_without_groups_everything_is_counted(live: Live) -> None:
    fill_with_one_stray(live)
    database = live.services.database
    ending.close(database, "habits", groups=GroupChoice.DROP)
    results = live_results(database, "habits")
    assert (results.n, results.groups, results.strays) == (121, {}, 0)
    assert results.tallies["smokes"].counts == (120, 1)
    assert {group for group, _ in exported(live)} == {""}
    assert verify(live.folder.database).problems == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reports SET in_group = '' WHERE in_group = '*'",
        "UPDATE groups SET reports = 0 WHERE name = '*'",
        "DELETE FROM reports WHERE in_group = '*'",
        "UPDATE reports SET in_group = '*' WHERE id IN (SELECT min(id) FROM reports)",
    ],
)
def test_verification_notices_a_change_to_what_is_held_back(live: Live, statement: str) -> None:
    fill_with_one_stray(live)
    ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
    live.services.database.write(lambda db: db.execute(statement))
    assert verify(live.folder.database).problems != []


def test_twenty_strays_are_counted_together_and_only_the_public_may_miss_them(live: Live) -> None:
    live.fill(60, "arm-a")
    live.fill(15, "arm-b")
    live.fill(5, "arm-c", smokes=1)
    database = live.services.database
    strays = strays_at_closing(newest(live), reading.sizes(database.reader, newest(live)))
    assert (strays.from_everybody, strays.from_the_public) == (False, True)
    assert strays.small == ("arm-b", "arm-c")
    with pytest.raises(Refusal, match="the public results may leave these reports out"):
        ending.close(database, "habits")
    ending.close(database, "habits", groups=GroupChoice.KEEP)
    assert live_results(database, "habits").sizes_by_label == {"": 20, "arm-a": 60}
    assert public_results(database, "habits").tallies["smokes"].counts == (50, 0)
    assert verify(live.folder.database).problems == []


def newest(live: Live) -> Any:
    return reading.newest(live.services.database.reader, "habits")


def test_the_public_page_says_that_few_reports_are_not_counted(live: Live) -> None:
    live.fill(100, "arm-a")
    live.fill(99, "arm-b")
    live.fill(1, "arm-c")
    page = live.get("/s/habits/results").body.decode()
    assert "Estimated from 199 randomized answers" in page
    assert "Fewer than 50 answers of small groups are not counted until there are 50" in page
    body = live.get("/s/habits/estimates.json").json
    assert (body["n"], body["next_n"], body["strays_held_back"]) == (199, 500, True)
    ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
    page = live.get("/s/habits/results").body.decode()
    assert "are not counted: beside the other groups, so few would stand out" in page
    assert "The very last reports" not in page


def test_the_page_of_closing_names_what_is_held_back_and_asks(live: Live) -> None:
    fill_with_one_stray(live)
    hire(live, "olga", Role.OWNER)
    olga = logged_in(live, "olga")
    page = olga.get("/workbench/surveys/habits/steps/close").body.decode()
    assert "The groups of fewer than 20 reports have fewer than 20 together" in page
    assert "These groups are too small: arm-c." in page
    assert "Nobody ever sees these reports" in page
    assert olga.post("/workbench/surveys/habits/steps/close").status == 409
    assert newest(live).state is State.OPEN
    assert olga.post("/workbench/surveys/habits/steps/close", groups="keep").status == 303
    assert newest(live).state is State.CLOSED
    page = olga.get("/workbench/surveys/habits/results").body.decode()
    assert "These are all 120 reports of version 1, without the strays" in page
    page = olga.get("/workbench/surveys/habits/invitations").body.decode()
    assert "were held back at closing" in page


def test_without_strays_the_page_of_closing_asks_nothing(live: Live) -> None:
    live.fill(60, "arm-a")
    hire(live, "olga", Role.OWNER)
    olga = logged_in(live, "olga")
    assert "strays" not in olga.get("/workbench/surveys/habits/steps/close").body.decode()
    assert olga.post("/workbench/surveys/habits/steps/close").status == 303
    assert live_results(live.services.database, "habits").sizes_by_label == {"arm-a": 60}


def test_the_interface_takes_the_choice(live: Live) -> None:
    fill_with_one_stray(live)
    hire(live, "olga", Role.OWNER)
    key = key_of(live, "olga")
    refused = live.send("POST", "/api/surveys/habits/close", b"", key)
    assert (refused.status, refused.code) == (409, "strays_undecided")
    refused = live.send("POST", "/api/surveys/habits/close?groups=both", b"", key)
    assert (refused.status, refused.code) == (400, "bad_group_choice")
    assert live.send("POST", "/api/surveys/habits/close?groups=keep", b"", key).status == 200
    assert live_results(live.services.database, "habits").n == 120


def test_the_command_asks_for_the_choice_and_takes_it(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with run_live(folder, with_groups(draft)) as live:
        fill_with_one_stray(live)
    words = ("close", "habits", "--data", folder.path, "--yes")
    assert "too small are: arm-c. Choose --groups keep" in complaint(*words, group=main)
    assert run(*words, "--groups", "drop", group=main).exit_code == 0
    with running_services(folder) as services:
        assert live_results(services.database, "habits", 1).n == 121


def test_with_a_grace_the_clock_does_what_was_chosen(
    clock: FakeClock, folder: DataFolder, draft: dict[str, Any]
) -> None:
    with at(clock, folder, with_groups(draft)) as live:
        fill_with_one_stray(live)
        database = live.services.database
        ending.begin_closing(live.services, "habits", "1", groups=GroupChoice.DROP)
        clock.now = "2027-12-24T00:00:00Z"
        ending.finish_due(database)
        assert live_results(database, "habits").groups == {}
        assert newest(live).reports == 121


def test_the_clock_keeps_groups_if_nobody_has_chosen(
    clock: FakeClock, folder: DataFolder, draft: dict[str, Any]
) -> None:
    with at(clock, folder, {**with_groups(draft), "delete_on": "2026-12-24"}) as live:
        fill_with_one_stray(live)
        clock.now = "2026-12-23T23:59:59Z"
        database = live.services.database
        database.write(
            lambda db: db.execute("UPDATE surveys SET ends = '2026-12-23T00:00:00Z'").rowcount
        )
        ending.finish_due(database)
        assert live_results(database, "habits").sizes_by_label == {"arm-a": 60, "arm-b": 60}


def test_personal_links_are_held_back_with_their_counts(sites: Live) -> None:
    staff = sites
    staff.fill(40, "north")
    staff.fill(3, "south", smokes=1)
    database = staff.services.database
    ending.close(database, "habits", groups=GroupChoice.KEEP)
    assert live_results(database, "habits").sizes_by_label == {"north": 40}
    assert live_results(database, "habits").tallies["smokes"].counts == (40, 0)
    assert verify(staff.folder.database).problems == []
