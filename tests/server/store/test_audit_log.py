"""Every change that touches privacy is on record, in the transaction that made it."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from sqlite_utils import Database

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.serving import running_services
from server.store import audit_log
from server.store.researchers import accounts
from server.store.schema import _LOG_TRIGGERS, rechain
from server.store.verify import verify
from server.surveys.researchers import Role
from server.web.services import Services
from tests.support.clock import FakeClock
from tests.support.exported import export_zip
from tests.support.live import Live
from tests.support.publishing import publish_as, publish_draft
from tests.support.researcher import hire, logged_in

Draft = dict[str, Any]


def recorded(services: Services) -> list[tuple[str, str, str]]:
    """Return actor, action and survey of every entry, oldest first."""
    entries = reversed(audit_log.entries(services.database.reader))
    return [(entry.actor, entry.action, entry.slug) for entry in entries]


def test_publishing_closing_and_archiving_are_on_record(services: Services, draft: Draft) -> None:
    survey = publish_draft(services, draft).published.survey
    ending.close(services.database, "habits", actor="ana")
    ending.archive(services.database, "habits")
    assert recorded(services) == [
        ("operator", "publish", "habits"),
        ("ana", "close", "habits"),
        ("operator", "archive", "habits"),
    ]
    first = audit_log.entries_since_removal(services.database.reader, "habits")[-1]
    assert first.details["fingerprint"] == survey.fingerprint
    assert first.details["total_epsilon"] == "1.5"


def test_what_changes_nothing_and_what_is_refused_leave_no_entry(
    services: Services, draft: Draft
) -> None:
    publish_draft(services, draft)
    publish_draft(services, draft)
    with pytest.raises(Refusal):
        ending.archive(services.database, "habits")
    assert recorded(services) == [("operator", "publish", "habits")]


def test_a_new_version_also_records_the_end_of_the_one_before(
    services: Services, draft: Draft
) -> None:
    publish_draft(services, draft)
    publish_draft(services, {**draft, "title": "Vices"}, new_version=True)
    assert [action for _, action, _ in recorded(services)] == ["publish", "close", "publish"]


def test_the_log_of_a_removed_survey_is_not_for_the_next_owner_of_its_slug(
    folder: DataFolder, draft: Draft, clock: FakeClock
) -> None:
    with running_services(folder, clock, housekeeping=False) as services:
        ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
        publish_as(services, ana, draft)
        ending.close(services.database, "habits")
        ending.trash(services, "habits")
        clock.now = "2027-02-01T00:00:00Z"
        ending.purge(services.database)
        publish_as(services, bea, draft)
        mine = [
            (entry.actor, entry.action)
            for entry in audit_log.entries_since_removal(services.database.reader, "habits")
        ]
        assert mine == [("bea", "give_role"), ("bea", "publish")]
        all_actions = [
            entry.action for entry in audit_log.entries(services.database.reader, "habits")
        ]
        assert all_actions == [
            *("give_role", "publish", "remove", "trash", "close", "give_role", "publish")
        ]


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_log SET actor = 'nobody'", "DELETE FROM audit_log"]
)
def test_entries_cannot_be_changed_or_deleted(live: Live, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="only be added to"):
        live.services.database.write(lambda db: db.execute(statement))
    assert recorded(live.services) == [("operator", "publish", "habits")]


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE audit_log SET actor = 'nobody' WHERE entry = 1",
        "UPDATE audit_log SET details = '{}' WHERE entry = 1",
        "DELETE FROM audit_log WHERE entry = 1",
    ],
)
def test_a_log_rewritten_with_other_tools_no_longer_fits_together(
    folder: DataFolder, draft: Draft, forgery: str
) -> None:
    with running_services(folder) as services:
        publish_draft(services, draft)
        ending.close(services.database, "habits")
    assert verify(folder.database, log_key=folder.log_key).is_sound
    forge(folder, forgery)
    problems = verify(folder.database, log_key=folder.log_key).problems
    assert any("audit log: entry" in problem for problem in problems)


def forge(folder: DataFolder, *statements: str) -> None:
    """Change the log with other tools."""
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as db:
        for name in ("words", "rows"):
            db.execute(f"DROP TRIGGER IF EXISTS audit_log_keeps_its_{name}")
        for statement in statements:
            db.execute(statement)


def rewrite(folder: DataFolder, key: bytes) -> None:
    """Blame somebody else for everything, and chain the log again with a key."""
    forge(folder, "UPDATE audit_log SET actor = 'mallory'")
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as db:
        for statement in _LOG_TRIGGERS:
            db.execute(statement)
        rechain(Database(db), key)


@pytest.fixture
def closed(folder: DataFolder, draft: Draft) -> tuple[DataFolder, str]:
    """A folder with a closed survey, and the anchor that the closing told."""
    with running_services(folder) as services:
        publish_draft(services, draft)
        anchor = ending.close(services.database, "habits").log_anchor
        ending.archive(services.database, "habits")
    return folder, anchor


def problems(folder: DataFolder, anchor: str = "") -> list[str]:
    return verify(folder.database, log_key=folder.log_key, anchor=anchor).problems


def test_whoever_has_the_file_but_not_the_key_cannot_rewrite_the_log(
    closed: tuple[DataFolder, str],
) -> None:
    folder, _ = closed
    assert folder.log_key not in folder.database.read_bytes()
    assert folder.log_key.hex().encode() not in folder.database.read_bytes()
    rewrite(folder, b"another key")
    assert problems(folder) == [
        "audit log: no entry fits the key: log.key was lost or replaced, or the log was rewritten"
    ]


def test_whoever_has_the_key_is_caught_by_an_anchor_only(closed: tuple[DataFolder, str]) -> None:
    folder, anchor = closed
    assert problems(folder, anchor) == problems(folder, anchor.upper()) == []
    rewrite(folder, folder.log_key)
    assert problems(folder) == []
    (problem,) = problems(folder, anchor)
    assert problem == (
        f"audit log: no entry has the anchor {anchor}: the log was rewritten, cut off or replaced"
    )


def test_entries_that_are_cut_off_show_by_an_anchor_only(closed: tuple[DataFolder, str]) -> None:
    folder, anchor = closed
    forge(folder, "DELETE FROM audit_log WHERE entry = 3")
    assert problems(folder, anchor) == []
    forge(folder, "DELETE FROM audit_log WHERE entry = 2")
    assert problems(folder) == []
    assert len(problems(folder, anchor)) == 1


def test_the_anchor_is_printed_exported_and_shown_to_everybody(live: Live) -> None:
    live.fill(50)
    with live.folder.announced(live.url):
        command = ["close", "habits", "--yes", "--json", "--data", str(live.folder.path)]
        anchor = json.loads(CliRunner().invoke(main, command).output)["log_anchor"]
    entry = audit_log.entries(live.services.database.reader)[0]
    assert (entry.action, entry.chain.hex()) == ("close", anchor)
    assert f'Audit log at closing <code dir="ltr">{anchor}' in (
        live.get("/s/habits/results").body.decode()
    )
    _, content = export_zip(live.services.database, "habits")
    with ZipFile(BytesIO(content)) as archive:
        assert f"Log anchor at closing: {anchor}\n" in archive.read("README.txt").decode()
    hire(live, "ana", Role.VIEWER)
    assert anchor in logged_in(live, "ana").get("/workbench/surveys/habits").body.decode()
    command = ["verify", "--anchor", anchor, "--data", str(live.folder.path)]
    assert CliRunner().invoke(main, command).exit_code == 0
    assert CliRunner().invoke(main, [*command[:2], "ab" * 32, *command[3:]]).exit_code == 1


def test_an_open_survey_has_no_anchor(live: Live) -> None:
    assert b"Audit log at closing" not in live.get("/s/habits/results").body


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_log_without_a_key_is_chained_again_and_no_damage_is_mended(
    closed: tuple[DataFolder, str], is_damaged: bool
) -> None:
    folder, _ = closed
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as db:
        db.execute("DROP TRIGGER audit_log_keeps_its_words")
        before = b""
        for entry, *words in db.execute(
            "SELECT entry, moment, actor, action, slug, details FROM audit_log"
        ).fetchall():
            before = sha256(before + canonical.canonical(words)).digest()
            db.execute("UPDATE audit_log SET chain = ? WHERE entry = ?", [before, entry])
        if is_damaged:
            db.execute("UPDATE audit_log SET actor = 'mallory' WHERE entry = 2")
        db.execute("DELETE FROM _sqlite_migrations WHERE name = 'keyed_log'")
        db.execute(_LOG_TRIGGERS[0])
    with running_services(folder, housekeeping=False):
        pass
    found = problems(folder)
    assert found == (["audit log: entry 2 does not fit the one before"] if is_damaged else [])
    forge(folder, "UPDATE audit_log SET actor = 'mallory' WHERE entry = 1")
    assert "audit log: entry 1 does not fit the one before" in problems(folder)
