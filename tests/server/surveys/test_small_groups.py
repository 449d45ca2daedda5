"""Groups are told apart at closing, but for small ones, which are merged for good."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.invitations import status
from server.results.shown import live_results, public_results
from server.store import audit_log, reading
from server.store.checksums import checksum
from server.store.verify import verify
from server.surveys.records import Closing
from server.surveys.researchers import Role
from server.surveys.strays import GroupChoice
from tests.support.exported import export_zip
from tests.support.groups import with_groups
from tests.support.live import Live, everywhere
from tests.support.live import live as run_live
from tests.support.researcher import hire, logged_in


@pytest.fixture
def live(arms: Live) -> Live:
    """An open survey with three study arms."""
    return arms


def exported(live: Live) -> list[tuple[str, str]]:
    """The group of each exported report, and whether it says that they smoke."""
    with ZipFile(io.BytesIO(export_zip(live.services.database, "habits")[1])) as archive:
        reports, scores = (
            list(csv.DictReader(io.StringIO(archive.read(name).decode())))
            for name in ("reports.csv", "scores.csv")
        )
    # The scores tell of no group that the reports do not tell of.
    assert [row["group"] for row in scores] == [row["group"] for row in reports]
    return [(row["group"], row["smokes"]) for row in reports]


def fill_arms(live: Live) -> None:
    live.fill(30, "arm-a")
    live.fill(19, "arm-b", smokes=1)
    live.fill(1)


def close(live: Live) -> Closing:
    return ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)


def test_while_it_is_open_nothing_tells_groups_apart(live: Live) -> None:
    """The difference of two live results would tell the group of a report."""
    fill_arms(live)
    store = live.services.database
    assert (live_results(store, "habits").sizes_by_label, live_results(store, "habits").n) == (
        {},
        50,
    )
    for group in ("", "arm-a", "arm-b", "arm-x"):
        with pytest.raises(Refusal, match="or the survey is still open"):
            live_results(store, "habits", group=group)
    assert exported(live) == [*[("", "0")] * 31, *[("", "1")] * 19]
    counts = status(live.services, "habits")["groups"]
    assert {item["group"]: item["used"] for item in counts} == {
        "": 20,
        "arm-a": 20,
        "arm-b": None,
        "arm-c": None,
    }
    live.fill(1, "arm-b", smokes=1)
    # Now arm-b is large enough, and the one without a group would stand out.
    assert {item["group"]: item["used"] for item in status(live.services, "habits")["groups"]} == {
        "arm-a": 20,
        "arm-b": 20,
        "arm-c": None,
    }
    close(live)
    assert live_results(store, "habits").sizes_by_label == {"arm-a": 30, "arm-b": 20}


def seen(folder: DataFolder, draft: dict[str, Any], group: str) -> object:
    """All that researchers see when the last report comes with the link of this group."""
    with run_live(folder, with_groups(draft, "arm-a", "small", "only-one-person")) as live:
        store = live.services.database
        live.fill(30, "arm-a")
        live.fill(25)
        live.fill(1, group, smokes=1)
        results = live_results(store, "habits")
        return (
            status(live.services, "habits"),
            results.sizes_by_label,
            results.tallies,
            exported(live),
        )


def test_nothing_tells_that_a_report_came_with_the_link_of_a_small_group(
    tmp_path: Path, draft: dict[str, Any]
) -> None:
    """Whose link has a group of its own could else be told with the live results of before."""
    first, second = (
        seen(DataFolder(tmp_path / name), draft, group)
        for name, group in (("one", ""), ("two", "only-one-person"))
    )
    assert first == second


def test_the_workbench_says_when_groups_are_told_apart(live: Live) -> None:
    hire(live, "vera", Role.VIEWER)
    vera = logged_in(live, "vera")
    fill_arms(live)
    page = vera.get("/workbench/surveys/habits/results").body.decode()
    assert "groups appear here when the survey is closed" in page
    assert vera.get("/workbench/surveys/habits/results?group=arm-a").status == 404
    page = vera.get("/workbench/surveys/habits/invitations").body.decode()
    assert "<td>at least 20</td>" in page
    assert "<td>fewer than 20</td>" in page
    close(live)
    page = vera.get("/workbench/surveys/habits/results?group=arm-a").body.decode()
    assert "These are all 30 reports of version 1 in the group “arm-a”. The" in page
    page = vera.get("/workbench/surveys/habits/results?group=").body.decode()
    assert "These are all 20 reports of version 1 of small groups. The" in page
    assert vera.get("/workbench/surveys/habits/results?group=arm-b").status == 404


def test_the_closing_merges_them_for_good_also_in_the_bytes(live: Live) -> None:
    fill_arms(live)
    live.services.database.run_alone(lambda db: db.empty_log())
    before = live.stored()["reports"]
    traces = [row[3] for row in before if row[4] == "1"]
    assert len(traces) == 19
    assert all(trace in everywhere(live.folder) for trace in traces)
    closing = close(live)
    assert closing.compacted
    assert [trace for trace in traces if trace in everywhere(live.folder)] == []
    after = live.stored()
    assert {row[4] for row in after["reports"]} == {"", "0"}
    assert sorted(row[2] for row in after["reports"]) == sorted(row[2] for row in before)
    assert not {row[1] for row in after["reports"]} & {row[1] for row in before}
    for _, id, randomized, bound, group in after["reports"]:
        assert bound == checksum(live.survey.fingerprint, id, randomized, group)
    assert [
        (item.name, item.reports)
        for item in reading.groups_of(live.services.database.reader, "habits")
    ] == [
        ("", 20),
        ("0", 30),
    ]
    assert {row[-1] for row in after["tallies"]} == {"", "0"}
    assert verify(live.folder.database).problems == []
    found = live_results(live.services.database, "habits", group="")
    assert (found.n, found.tallies["smokes"].counts) == (20, (1, 19))
    assert exported(live).count(("", "1")) == 19
    assert (
        audit_log.entries_since_removal(live.services.database.reader, "habits")[0].details[
            "merged_groups"
        ]
        == 2
    )
    counts = status(live.services, "habits")
    assert (counts["merged_groups"], len(counts["groups"])) == (2, 2)


def test_closing_again_changes_nothing(live: Live) -> None:
    fill_arms(live)
    first = close(live)
    stored = live.stored()
    again = ending.close(live.services.database, "habits")
    assert (again.digest, live.stored()) == (first.digest, stored)


@pytest.mark.parametrize("content", ['\'{"drinks":1,"smokes":1}\'', "CAST(x'FFFE' AS TEXT)"])
def test_a_damaged_report_of_a_small_group_is_still_named_after_the_merge(
    live: Live, content: str
) -> None:
    fill_arms(live)
    id = min(row[1] for row in live.stored()["reports"] if row[4] == "1")
    damage = f"UPDATE reports SET randomized = {content} WHERE id = '{id}'"
    live.services.database.write(lambda db: db.execute(damage))
    close(live)
    damaged = [line for line in verify(live.folder.database).problems if "checksum" in line]
    assert len(damaged) == 1
    # Under the id that the closing drew.
    assert id not in damaged[0]
    assert re.fullmatch(
        "habits version 1: report [0-9a-f]{32}: its checksum does not match", damaged[0]
    )


def test_the_last_snapshot_keeps_no_names_of_groups_that_it_does_not_show(live: Live) -> None:
    live.fill(60, "arm-a")
    live.fill(7, "arm-b")
    live.fill(60)
    ending.close(live.services.database, "habits")
    assert public_results(live.services.database, "habits").sizes_by_label == {"arm-a": 50}
    (content,) = live.services.database.reader.execute("SELECT content FROM snapshots").fetchone()
    assert {row[0] for row in json.loads(content)["histories"][""]} == {"", "0"}
    assert verify(live.folder.database).is_sound


def test_personal_links_of_a_small_group_are_merged_with_their_counts(sites: Live) -> None:
    staff = sites
    staff.fill(40, "north")
    staff.fill(3, "south", smokes=1)
    for place in ("east", "west"):
        staff.fill(13, place)
    ending.close(staff.services.database, "habits")
    assert status(staff.services, "habits") == {
        "slug": "habits",
        "by_invitation": True,
        "links_made": 100,
        "tickets_given": 69,
        "reports": 69,
        "merged_groups": 3,
        "held_back": False,
        "rounded": False,
        "groups": [
            {"group": "", "issued": 60, "given": 29},
            {"group": "north", "issued": 40, "given": 40},
        ],
    }
    assert live_results(staff.services.database, "habits").sizes_by_label == {"": 29, "north": 40}
    assert verify(staff.folder.database).problems == []
    hire(staff, "vera", Role.VIEWER)
    page = logged_in(staff, "vera").get("/workbench/surveys/habits/invitations").body.decode()
    assert "3 groups were too small to show separately" in page
