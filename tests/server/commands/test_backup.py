"""A backup is brought back with its keys, or says what is lost without them."""

import json
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from server.cli import main
from server.data_folder import KEYS, DataFolder
from server.lifecycle import ending
from server.serving import running_services
from server.store import audit_log
from server.store.verify import verify
from server.surveys.researchers import Role
from tests.support.inviting import ask_for_ticket
from tests.support.live import Live, running, stored
from tests.support.publishing import publish_draft
from tests.support.researcher import hire, key_of
from tests.support.tickets import Device, new_links

Draft = dict[str, Any]


def candor(folder: DataFolder, *words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words), "--data", str(folder.path)])


@pytest.fixture
def kept(live: Live, draft: Draft, tmp_path: Path) -> Path:
    """A backup with its keys of a running server, with a report, a link and a closed survey."""
    hire(live, "ana", Role.OWNER)
    live.post(live.report(smokes=1))
    publish_draft(live.services, {**draft, "slug": "over"})
    ending.close(live.services.database, "over")
    copy = tmp_path / "safe" / "monday.db"
    copy.parent.mkdir()
    result = candor(live.folder, "backup", copy, "--with-keys")
    assert result.exit_code == 0, result.output
    assert f"Copied the keys to {copy}.keys: keep it somewhere else" in result.output
    return copy


@pytest.fixture
def new(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "new")


@pytest.mark.parametrize("with_keys", [True, False])
def test_a_server_goes_on_from_a_backup_and_its_keys_decide_what_still_works(
    live: Live, draft: Draft, tmp_path: Path, new: DataFolder, with_keys: bool
) -> None:
    """Tickets and personal links need the keys; reports, API keys and accounts do not."""
    hire(live, "ana", Role.OWNER)
    key = key_of(live, "ana")
    staff = publish_draft(live.services, {**draft, "slug": "staff", "access": "invited"})
    (code,) = new_links(live.services, staff.published.survey)
    publish_draft(live.services, {**draft, "slug": "over"})
    anchor = ending.close(live.services.database, "over").log_anchor
    used, ticket = live.ticket(), live.ticket()
    live.post(live.report(smokes=1), used)
    copy = tmp_path / "monday.db"
    flags = ["--with-keys"] if with_keys else []
    assert candor(live.folder, "backup", copy, *flags).exit_code == 0
    result = candor(new, "restore-backup", copy)
    assert result.exit_code == 0, result.output
    assert ("Without secret.key: personal links" in result.output) is not with_keys
    assert (new.keys == live.folder.keys) is with_keys
    with running_services(new) as services, running(services) as url:
        again = Live(url, new, services, live.survey)
        assert again.post(again.report(smokes=1), used).status == (200 if with_keys else 403)
        assert again.post(again.report(), ticket).status == (201 if with_keys else 403)
        assert again.post(again.report()).status == 201
        there = Live(url, new, services, staff.published.survey)
        redeemed = ask_for_ticket(there, Device(there.survey, code).wish)
        assert redeemed.status == (201 if with_keys else 403)
        counted = again.send("GET", "/api/surveys/habits", headers=key).json["reports"]
        assert counted == (3 if with_keys else 2)
        assert audit_log.entries(services.database.reader)[0].action == "restore_backup"
    verified = candor(new, "verify")
    assert verified.exit_code == (0 if with_keys else 1)
    # Of all that is lost, only this keeps anybody from taking part.
    lost = "staff version 1: the key that signs the tickets of a survey is not in"
    assert (lost in verified.output) is not with_keys
    assert verified.output.count("DIFFERS") == (not with_keys)
    with running_services(new) as services:
        ending.close(services.database, "staff")
    assert candor(new, "verify").exit_code == 0
    assert candor(new, "verify", "--anchor", anchor).exit_code == (0 if with_keys else 1)


def test_without_its_keys_a_backup_says_what_is_lost(kept: Path, new: DataFolder) -> None:
    alone = kept.rename(kept.with_name("alone.db"))
    result = candor(new, "restore-backup", alone, "--json")
    assert result.exit_code == 0, result.output
    summary = json.loads(result.output)
    assert summary["keys"] == []
    assert summary["lost"].keys() == {"secret.key", "session.key", "log.key"}
    assert candor(new, "verify").exit_code == 0


def test_what_is_restored_is_for_its_owner_only(kept: Path, new: DataFolder) -> None:
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.with_name("monday.db.keys").stat().st_mode) == 0o600
    assert candor(new, "restore-backup", kept).exit_code == 0
    assert stat.S_IMODE(new.path.stat().st_mode) == 0o700
    names = {path.name: stat.S_IMODE(path.stat().st_mode) for path in new.path.iterdir()}
    assert names == dict.fromkeys(["candor.db", "lock", *KEYS], 0o600)


def test_a_folder_in_use_or_with_anything_in_it_is_refused(
    live: Live, kept: Path, new: DataFolder
) -> None:
    before = live.stored()
    assert "is not empty" in candor(live.folder, "restore-backup", kept).output
    assert live.stored() == before
    new.create()
    (new.path / "secret.key").write_text("mine")
    refused = candor(new, "restore-backup", kept)
    assert (refused.exit_code, "is not empty" in refused.output) == (2, True)
    assert [path.name for path in new.path.iterdir()] == ["secret.key"]


@pytest.mark.parametrize("damage", ["count", "log", "garbage", "nothing", "keys", "other keys"])
def test_a_bad_backup_is_refused_and_leaves_nothing(
    kept: Path, new: DataFolder, damage: str, tmp_path: Path
) -> None:
    keys = kept.with_name("monday.db.keys")
    with closing(sqlite3.connect(kept)) as db, db:
        if damage == "count":
            db.execute("UPDATE surveys SET reports = 7 WHERE slug = 'habits'")
        if damage == "log":
            db.execute("DROP TRIGGER audit_log_keeps_its_words")
            db.execute("UPDATE audit_log SET actor = 'mallory' WHERE entry = 2")
    if damage == "garbage":
        kept.write_bytes(b"garbage" * 1000)
    if damage == "nothing":
        kept.unlink()
    if damage == "keys":
        keys.write_text('{"secret.key": "short"}')
    if damage == "other keys":
        found = json.loads(keys.read_text())
        keys.write_text(json.dumps({**found, "log.key": "ab" * 32}))
    result = candor(new, "restore-backup", kept)
    assert result.exit_code == 2, result.output
    assert result.output.startswith("Error: ")
    assert not new.path.exists() or {path.name for path in new.path.iterdir()} <= {"lock"}
    assert not list(tmp_path.rglob("*.unfinished*"))


def test_a_backup_from_before_a_table_was_added_is_brought_up_to_date(
    kept: Path, new: DataFolder
) -> None:
    with closing(sqlite3.connect(kept)) as db, db:
        db.execute("DROP TABLE clock")
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'clock_table'")
    result = candor(new, "restore-backup", kept)
    assert result.exit_code == 0, result.output
    assert verify(new.database, log_key=new.log_key).is_sound
    assert len(stored(new)["reports"]) == 1


def test_keys_are_never_overwritten_by_a_backup(live: Live, kept: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.with_name("other.db.keys").write_text("precious")
    refused = candor(live.folder, "backup", other, "--with-keys")
    assert (refused.exit_code, other.exists()) == (2, False)
    assert other.with_name("other.db.keys").read_text() == "precious"


def test_tickets_that_came_after_a_backup_do_not_spoil_what_comes_of_it(
    live: Live, draft: Draft, tmp_path: Path, new: DataFolder
) -> None:
    """Nobody knows of them, so one link may then buy two reports; but nothing is damaged."""
    staff = publish_draft(live.services, {**draft, "slug": "staff", "access": "invited"})
    survey = staff.published.survey
    (code,) = new_links(live.services, survey)
    copy = tmp_path / "monday.db"
    assert candor(live.folder, "backup", copy, "--with-keys").exit_code == 0
    before = Live(live.url, live.folder, live.services, survey)
    device = Device(survey, code)
    ticket = device.ticket(ask_for_ticket(before, device.wish).json["signed"])
    assert candor(new, "restore-backup", copy).exit_code == 0
    with running_services(new) as services, running(services) as url:
        there = Live(url, new, services, survey)
        assert there.post(there.report(), ticket).status == 201
        assert verify(new.database).problems == []
        second = Device(survey, code)
        other = second.ticket(ask_for_ticket(there, second.wish).json["signed"])
        assert there.post(there.report(), other).status == 201
        assert verify(new.database).problems == []
        ending.close(services.database, "staff")
    later, newest = tmp_path / "tuesday.db", DataFolder(tmp_path / "newest")
    assert candor(new, "backup", later, "--with-keys").exit_code == 0
    assert candor(newest, "restore-backup", later).exit_code == 0


def test_an_older_file_of_keys_brings_back_none_that_was_deleted(
    live: Live, draft: Draft, tmp_path: Path, new: DataFolder
) -> None:
    """Whoever has the restored folder could make tickets, and nothing would delete the key."""
    invited = {**draft, "access": "invited"}
    for slug in ("staff", "guests"):
        publish_draft(live.services, {**invited, "slug": slug})
    monday, tuesday = tmp_path / "monday.db", tmp_path / "tuesday.db"
    assert candor(live.folder, "backup", monday, "--with-keys").exit_code == 0
    ending.close(live.services.database, "staff")
    assert candor(live.folder, "backup", tuesday).exit_code == 0
    assert candor(new, "restore-backup", tuesday, "--keys", f"{monday}.keys").exit_code == 0
    left = [path.name for path in new.ticket_keys.iterdir()]
    assert left == [path.name for path in live.folder.ticket_keys.iterdir()]
    assert len(left) == 1
