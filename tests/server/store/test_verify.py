"""Verification finds every planted difference and names the row; backups are verified copies."""

import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import hand_in as handing_in
from server.serving import running_services
from server.store import reading
from server.store.backup import back_up
from server.store.database import open_writer
from server.store.verify import count_reports, verify
from server.web.services import Services
from tests.support.live import Live, stored
from tests.support.publishing import publish_draft


@pytest.fixture
def filled(folder: DataFolder, draft: dict[str, object]) -> DataFolder:
    """A folder with two versions, the first closed with four reports, and nobody writing."""
    with running_services(folder) as services:
        survey = publish_draft(services, draft).published.survey
        live = Live("", folder, services, survey)
        for number in range(4):
            hand_in(live, number % 2)
        publish_draft(services, {**draft, "title": "Again"}, new_version=True)
    return folder


def hand_in(live: Live, smokes: int) -> None:
    assert handing_in.hand_in(live.services, "habits", live.report(smokes=smokes), live.ticket())


@pytest.fixture
def id(filled: DataFolder) -> str:
    """The id of a report that says no twice; the closing has drawn it."""
    said_no = '{"drinks":0,"smokes":0}'
    return str(next(row[1] for row in stored(filled)["reports"] if row[2] == said_no))


def change(folder: DataFolder, statement: str, *values: object) -> None:
    """Change the file behind Candor's back."""
    with closing(sqlite3.connect(folder.database)) as db, db:
        assert db.execute(statement, values).rowcount == 1


def problems(folder: DataFolder) -> list[str]:
    return verify(folder.database, log_key=folder.log_key).problems


def test_a_sound_folder_has_no_problems(filled: DataFolder) -> None:
    found = verify(filled.database)
    assert found.problems == []
    assert found.surveys == [
        {"slug": "habits", "version": 1, "state": "closed", "reports": 4},
        {"slug": "habits", "version": 2, "state": "open", "reports": 0},
    ]


def test_verifying_only_reads(filled: DataFolder) -> None:
    before = filled.database.read_bytes()
    verify(filled.database)
    assert filled.database.read_bytes() == before


def test_every_flipped_bit_of_a_report_is_named(filled: DataFolder, id: str) -> None:
    """The content of one report, in the file itself, bit after bit."""
    content = next(row[2] for row in stored(filled)["reports"] if row[1] == id).encode()
    file = bytearray(filled.database.read_bytes())
    # In a page of a table without rowid the id comes right before the content.
    start = file.index(id.encode() + content) + len(id)
    for position in range(start, start + len(content)):
        for bit in range(8):
            file[position] ^= 1 << bit
            filled.database.write_bytes(file)
            assert any(f"report {id}" in line for line in problems(filled)), (position, bit)
            file[position] ^= 1 << bit


def test_a_slug_that_is_no_text_any_more_is_a_problem_and_no_crash(filled: DataFolder) -> None:
    change(filled, "UPDATE surveys SET slug = CAST(x'ff' AS TEXT) WHERE version = 2")
    assert any("cannot be read" in line for line in problems(filled))


def test_broken_words_of_a_table_are_a_problem_and_no_crash(
    filled: DataFolder, tmp_path: Path
) -> None:
    """SQLite's complaint quotes them, and then is no text itself."""
    file = bytearray(filled.database.read_bytes())
    start = file.index(b"CREATE TABLE invitations")
    for position in range(start, start + 40):
        file[position] ^= 0x80
        filled.database.write_bytes(file)
        assert problems(filled) != [], position
        with suppress(Refusal):
            open_writer(filled.database).close()
        filled.database.write_bytes(file)
        with suppress(Refusal):
            assert not back_up(
                filled.database, tmp_path / f"{position}.db", filled.log_key
            ).is_sound
        file[position] ^= 0x80


def test_an_entry_of_the_log_that_lost_its_chain_is_named(filled: DataFolder) -> None:
    with closing(sqlite3.connect(filled.database)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        loosened = ["chain BLOB NOT NULL", "chain BLOB"]
        db.execute("UPDATE sqlite_schema SET sql = replace(sql, ?, ?)", loosened)
        db.execute("DELETE FROM sqlite_schema WHERE type = 'trigger'")
    change(filled, "UPDATE audit_log SET chain = NULL WHERE entry = 1")
    assert "audit log: entry 1 does not fit the one before" in problems(filled)


def test_a_changed_checksum_is_named(filled: DataFolder, id: str) -> None:
    change(filled, "UPDATE reports SET checksum = ? WHERE id = ?", bytes(32), id)
    assert f"habits version 1: report {id}: its checksum does not match" in problems(filled)


def test_a_deleted_report_is_found_in_count_tallies_and_digest(filled: DataFolder, id: str) -> None:
    change(filled, "DELETE FROM reports WHERE id = ?", id)
    found = problems(filled)
    assert "habits version 1: reports: stored 4, counted 3" in found
    assert "habits version 1: tally of smokes, cell 0: stored 2, counted 1" in found
    assert any(line.startswith("habits version 1: digest") for line in found)


def test_a_report_slipped_in_is_found(filled: DataFolder, id: str) -> None:
    change(
        filled,
        "INSERT INTO reports SELECT survey, ?, randomized, checksum, '' FROM reports WHERE id = ?",
        "f" * 32,
        id,
    )
    assert f"habits version 1: report {'f' * 32}: its checksum does not match" in problems(filled)


def test_a_wrong_tally_is_named(filled: DataFolder) -> None:
    change(
        filled, "UPDATE tallies SET count = 9 WHERE survey = 1 AND question = 'drinks' AND cell = 1"
    )
    assert problems(filled) == ["habits version 1: tally of drinks, cell 1: stored 9, counted 0"]


def test_a_missing_tally_is_named(filled: DataFolder) -> None:
    change(filled, "DELETE FROM tallies WHERE survey = 2 AND question = 'drinks' AND cell = 1")
    assert problems(filled) == ["habits version 2: tally of drinks, cell 1: stored None, counted 0"]


def test_a_wrong_count_is_named(filled: DataFolder) -> None:
    change(filled, "UPDATE surveys SET reports = 5 WHERE version = 1")
    assert problems(filled) == ["habits version 1: reports: stored 5, counted 4"]


def test_a_used_ticket_is_missed(filled: DataFolder) -> None:
    change(filled, "DELETE FROM spent WHERE hash = (SELECT min(hash) FROM spent)")
    assert problems(filled) == ["habits version 1: used tickets: stored 4, counted 3"]


def test_a_wrong_digest_is_named(filled: DataFolder) -> None:
    change(filled, "UPDATE surveys SET digest = 'x' WHERE version = 1")
    assert [line[:24] for line in problems(filled)] == ["habits version 1: digest"]


def test_a_changed_document_is_named(filled: DataFolder) -> None:
    change(
        filled,
        "UPDATE documents SET document = CAST(replace(CAST(document AS TEXT), 'smoke', 'smile') "
        "AS BLOB) WHERE survey = 1",
    )
    assert any(line.startswith("habits version 1: fingerprint") for line in problems(filled))


def test_a_document_that_cannot_be_read_is_named(filled: DataFolder) -> None:
    change(filled, "UPDATE documents SET document = x'00' WHERE survey = 1")
    assert any("habits version 1: document" in line for line in problems(filled))


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "candor.db"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    found = verify(path)
    assert not found.is_sound
    assert "file is not a database" in found.problems[0]


def test_one_survey_can_be_verified_alone(filled: DataFolder) -> None:
    assert len(verify(filled.database, "habits").surveys) == 2
    with pytest.raises(Refusal, match="there is no survey 'nowhere'"):
        verify(filled.database, "nowhere")


def test_progress_is_told_once_per_report(filled: DataFolder) -> None:
    steps: list[None] = []
    verify(filled.database, advance=lambda: steps.append(None))
    assert len(steps) == count_reports(filled.database) == 4


def test_a_live_server_can_be_verified_and_backed_up(live: Live, tmp_path: Path) -> None:
    live.post(live.report())
    assert verify(live.folder.database).is_sound
    copy = tmp_path / "copy.db"
    assert back_up(live.folder.database, copy).is_sound
    assert live.post(live.report()).status == 201
    assert verify(copy).surveys[0]["reports"] == 1


def test_a_backup_restores_to_the_same_tallies(filled: DataFolder, tmp_path: Path) -> None:
    restored = DataFolder(tmp_path / "restored")
    restored.create()
    back_up(filled.database, restored.database)
    assert stat.S_IMODE(restored.database.stat().st_mode) == 0o600
    assert stored(restored) == stored(filled)
    assert sorted(path.name for path in restored.path.iterdir()) == ["candor.db"]
    with running_services(restored) as services:
        assert reading.versions(services.database.reader, "habits")[1].reports == 4


def test_a_backup_never_overwrites(filled: DataFolder, tmp_path: Path) -> None:
    target = tmp_path / "precious.db"
    target.write_text("precious")
    with pytest.raises(Refusal, match="never overwrites"):
        back_up(filled.database, target)
    assert target.read_text() == "precious"


def test_a_backup_that_cannot_be_written_leaves_nothing(filled: DataFolder, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be written"):
        back_up(filled.database, tmp_path / "nowhere" / "copy.db")
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_database_makes_a_backup_that_says_so(filled: DataFolder, tmp_path: Path) -> None:
    change(filled, "UPDATE surveys SET reports = 5 WHERE version = 1")
    assert not back_up(filled.database, tmp_path / "copy.db").is_sound


def test_verifying_while_reports_arrive_never_sees_half_a_report(
    services: Services, folder: DataFolder, draft: dict[str, object]
) -> None:
    survey = publish_draft(services, draft).published.survey
    live = Live("", folder, services, survey)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(hand_in, live, 1) for _ in range(200)]
        while not all(job.done() for job in jobs):
            assert verify(folder.database).problems == []
