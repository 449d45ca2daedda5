"""`candor export`: the zip of what is in the store, read beside the running server."""

import io
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM
from server.surveys.strays import GroupChoice
from tests.support.exported import export_zip
from tests.support.figures import complaint, run
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import try_draft

SERVER = main
BITS = (1, 0, 0, 1, 1, 0, 1)


def fill(live: Live, bits: Sequence[int] = BITS) -> None:
    for bit in bits:
        assert live.post(live.report(smokes=bit, drinks=1 - bit)).status == 201


def export(folder: DataFolder, out: Path, *more: str) -> dict[str, Any]:
    """Run the command; the answer for programs."""
    words = ("export", "habits", "--data", folder.path, "--out", out, "--json", *more)
    result = run(*words, group=SERVER)
    assert result.exit_code == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_the_command_exports_beside_the_running_server(live: Live, tmp_path: Path) -> None:
    fill(live)
    out = tmp_path / "habits.zip"
    answer = export(live.folder, out)
    assert answer["reports"] == len(BITS)
    assert answer["fingerprint"] == live.survey.fingerprint
    with ZipFile(out) as archive:
        assert archive.read("survey.json") == live.survey.document
        rows = archive.read("reports.csv").decode().splitlines()
    assert rows[0] == "smokes,drinks"
    assert sorted(rows[1:]) == sorted(f"{bit},{1 - bit}" for bit in BITS)
    fill(live, [1])


def test_the_final_estimates_are_those_of_the_results_page(live: Live, tmp_path: Path) -> None:
    fill(live)
    # Just at the milestone, so that no rest stays out of what the public sees.
    live.fill(MINIMUM - len(BITS), smokes=1)
    ending.close(live.services.database, "habits")
    export(live.folder, tmp_path / "habits.zip")
    with ZipFile(tmp_path / "habits.zip") as archive:
        assert archive.read("estimates.csv") == live.get("/s/habits/estimates.csv").body


def test_the_bytes_do_not_depend_on_the_order_of_arrival_nor_on_the_ids(
    tmp_path: Path, draft: dict[str, Any]
) -> None:
    contents = []
    for number, bits in enumerate((BITS, BITS[::-1])):
        with run_live(DataFolder(tmp_path / f"data{number}"), draft) as live:
            fill(live, bits)
            contents.append(export_zip(live.services.database, "habits"))
    assert contents[0] == contents[1]
    assert contents[0][0] == "habits-v1.zip"


def test_groups_too_are_in_no_order_of_arrival(tmp_path: Path, draft: dict[str, Any]) -> None:
    handed_in = [("arm-b", 1), ("arm-a", 0), ("", 1), ("arm-b", 0), ("arm-a", 1)] * LEAST_IN_GROUP
    contents = []
    for number, order in enumerate((handed_in, handed_in[::-1], sorted(handed_in))):
        with run_live(DataFolder(tmp_path / f"data{number}"), with_groups(draft)) as live:
            for group, bit in order:
                live.fill(1, group, smokes=bit, drinks=1 - bit)
            ending.close(live.services.database, "habits", groups=GroupChoice.KEEP)
            _, content = export_zip(live.services.database, "habits")
            with ZipFile(io.BytesIO(content)) as archive:
                files = {name: archive.read(name) for name in archive.namelist()}
            # Every server has its own.
            anchor = audit_log.anchor_at_closing(live.services.database.reader, "habits", 1)
            files["README.txt"] = files["README.txt"].replace(anchor.encode(), b"")
            contents.append(files)
    assert contents[0] == contents[1] == contents[2]
    heading, *rows = contents[0]["reports.csv"].decode().splitlines()
    assert heading == "smokes,drinks,arm,group"
    groups = [row.split(",")[2:] for row in rows]
    assert sorted(groups) == sorted([group, group] for group, _ in handed_in)


def test_the_test_of_a_draft_is_exported_to_rehearse_the_analysis(
    live: Live, draft: dict[str, Any], tmp_path: Path
) -> None:
    survey = try_draft(live.services, draft).published.survey
    rehearsal = Live(live.url, live.folder, live.services, survey)
    assert rehearsal.post(rehearsal.report(smokes=1)).status == 201
    out = tmp_path / "test.zip"
    answer = export(live.folder, out, "--draft")
    assert (answer["reports"], answer["fingerprint"]) == (1, survey.fingerprint)
    with ZipFile(out) as archive:
        assert "(a TEST)" in archive.read("README.txt").decode()
    words = ("export", "nothing", "--data", live.folder.path, "--draft")
    assert "there is no survey" in complaint(*words, group=SERVER)


def test_the_file_of_an_earlier_candor_is_not_half_understood(live: Live, tmp_path: Path) -> None:
    with closing(sqlite3.connect(live.folder.database)) as db, db:
        db.execute(
            "DELETE FROM _sqlite_migrations WHERE id = (SELECT max(id) FROM _sqlite_migrations)"
        )
    words = ("export", "habits", "--data", live.folder.path, "--out", tmp_path / "none.zip")
    assert "written by an earlier Candor" in complaint(*words, group=SERVER)


def test_no_id_of_a_report_and_no_time_is_anywhere_in_the_zip(live: Live) -> None:
    fill(live)
    _, content = export_zip(live.services.database, "habits")
    with ZipFile(io.BytesIO(content)) as archive:
        texts = [archive.read(entry) for entry in archive.infolist()]
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    for _, id, *_ in live.stored()["reports"]:
        assert not any(id.encode() in text for text in texts)


def test_an_earlier_version_can_be_exported(live: Live, draft: dict[str, Any]) -> None:
    fill(live)
    operator = {"Authorization": f"Bearer {live.folder.operator_key}"}
    body = json.dumps({**draft, "title": "Again"}).encode()
    headers = operator | {"Content-Type": "application/json"}
    assert live.send("POST", "/api/surveys?new_version=true", body, headers).status == 201
    names = [export_zip(live.services.database, "habits", version)[0] for version in (1, 2, None)]
    assert names == ["habits-v1.zip", "habits-v2.zip", "habits-v2.zip"]


def test_a_file_is_never_overwritten(live: Live, tmp_path: Path) -> None:
    taken = tmp_path / "taken.zip"
    taken.write_text("mine")
    words = ("export", "habits", "--data", live.folder.path, "--out", taken)
    assert "exists and is not overwritten" in complaint(*words, group=SERVER)
    assert taken.read_text() == "mine"


@pytest.mark.parametrize("words", [("nothing",), ("habits", "--version", "9")])
def test_an_unknown_survey_or_version_is_refused(
    live: Live, tmp_path: Path, words: tuple[str, ...]
) -> None:
    out = tmp_path / "none.zip"
    arguments = ("export", *words, "--data", live.folder.path, "--out", out)
    assert "there is no survey" in complaint(*arguments, group=SERVER)
    assert list(tmp_path.glob("*zip*")) == []


def test_reports_that_do_not_add_up_to_the_tallies_are_not_exported(live: Live) -> None:
    fill(live)
    with closing(sqlite3.connect(live.folder.database)) as db, db:
        db.execute("UPDATE tallies SET count = count + 1 WHERE question = 'smokes'")
    with pytest.raises(Refusal, match="do not add up to the tallies; run candor verify"):
        export_zip(live.services.database, "habits")
