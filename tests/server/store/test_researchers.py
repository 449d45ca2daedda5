"""The database: who may see and change what, decided in the store."""

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.database import Database
from server.store.researchers import access, accounts, api_keys, manuscripts
from server.store.verify import verify
from server.surveys.researchers import Manuscript, Researcher, Role, Scope
from server.web.services import Services
from tests.support.publishing import publish_as, publish_draft, try_as

Draft = dict[str, Any]


@pytest.fixture
def database(services: Services, draft: Draft) -> Database:
    publish_draft(services, draft)
    return services.database


def add(database: Database, name: str, role: Role | None = None) -> Researcher:
    researcher = database.write(accounts.add, name, "hash")
    if role is not None:
        database.write(access.give_role, "habits", name, role)
    return researcher


def refused(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


def test_a_name_is_given_once(database: Database) -> None:
    add(database, "ana")
    with refused("name_taken"):
        add(database, "ana")
    assert [person.name for person in accounts.everybody(database.reader)] == ["ana"]


def test_roles_are_given_changed_and_taken(database: Database) -> None:
    ana = add(database, "ana")
    assert access.role_of(database.reader, ana, "habits") is None
    database.write(access.give_role, "habits", "ana", Role.VIEWER)
    database.write(access.give_role, "habits", "ana", Role.EDITOR, actor="bea")
    assert [(item.name, item.role) for item in access.people(database.reader, "habits")] == [
        ("ana", Role.EDITOR)
    ]
    assert [item.slug for item in access.memberships(database.reader, ana)] == ["habits"]
    database.write(access.take_role, "habits", "ana")
    assert access.role_of(database.reader, ana, "habits") is None
    with refused("no_role"):
        database.write(access.take_role, "habits", "ana")
    with refused("unknown_survey"):
        database.write(access.give_role, "nowhere", "ana", Role.VIEWER)


def test_no_survey_is_left_without_an_owner_but_by_the_operator(database: Database) -> None:
    add(database, "ana", Role.OWNER)
    changes: list[Callable[[], object]] = [
        lambda: database.write(access.give_role, "habits", "ana", Role.EDITOR, actor="ana"),
        lambda: database.write(access.take_role, "habits", "ana", actor="ana"),
    ]
    for change in changes:
        with refused("last_owner"):
            change()
    add(database, "bea", Role.OWNER)
    database.write(access.take_role, "habits", "ana", actor="ana")
    database.write(access.take_role, "habits", "bea")
    assert access.people(database.reader, "habits") == []


def test_a_key_is_shown_once_and_kept_as_a_hash(database: Database, folder: DataFolder) -> None:
    ana = add(database, "ana")
    key, text = database.write(api_keys.make, ana, " R script ", Scope.READ)
    assert text.startswith("candor_")
    assert (key.label, key.scope, key.is_revoked) == ("R script", Scope.READ, False)
    assert api_keys.holder(database.reader, text) == (
        accounts.named(database.reader, "ana"),
        Scope.READ,
    )
    with closing(sqlite3.connect(folder.database)) as db:
        (row,) = db.execute("SELECT * FROM api_keys").fetchall()
    assert hashlib.sha256(text.encode()).digest() in row
    for file in folder.path.iterdir():
        assert text.removeprefix("candor_").encode() not in file.read_bytes(), file


@pytest.mark.parametrize("text", ["", "candor_", "candor_" + "0" * 64, "operator", "candor_" * 999])
def test_what_is_no_key_belongs_to_nobody(database: Database, text: str) -> None:
    database.write(api_keys.make, add(database, "ana"), "key", Scope.READ)
    assert api_keys.holder(database.reader, text) is None


def test_a_key_dies_when_it_is_revoked_and_sleeps_while_its_researcher_is_disabled(
    database: Database,
) -> None:
    ana, bea = add(database, "ana"), add(database, "bea")
    key, text = database.write(api_keys.make, ana, "key", Scope.MANAGE)
    with refused("unknown_api_key"):
        database.write(api_keys.revoke, bea, key.id)
    database.write(accounts.set_active, "ana", False)
    assert api_keys.holder(database.reader, text) is None
    database.write(accounts.set_active, "ana", True)
    assert api_keys.holder(database.reader, text) is not None
    database.write(api_keys.revoke, ana, key.id)
    database.write(api_keys.revoke, ana, key.id)
    assert api_keys.holder(database.reader, text) is None


@pytest.mark.parametrize("label", ["", "  ", "x" * 81, "a\nb", "a\x00b"])
def test_a_label_is_short_and_printable(database: Database, label: str) -> None:
    with refused("bad_label"):
        database.write(api_keys.make, add(database, "ana"), label, Scope.READ)


def test_a_manuscript_is_its_authors_alone(database: Database) -> None:
    ana, bea = add(database, "ana", Role.OWNER), add(database, "bea", Role.OWNER)
    mine = database.write(manuscripts.begin, ana, "{}")
    assert manuscripts.readable(database.reader, bea) == []
    attempts: list[Callable[[], object]] = [
        lambda: manuscripts.find(database.reader, bea, mine.id),
        lambda: database.write(manuscripts.save, bea, mine.id, "[]", 1),
        lambda: database.write(manuscripts.discard, bea, mine.id),
    ]
    for attempt in attempts:
        with refused("unknown_manuscript"):
            attempt()
    assert manuscripts.find(database.reader, ana, mine.id) == mine


def test_a_survey_s_manuscript_is_of_all_who_work_on_it(database: Database) -> None:
    people = {role: add(database, role.value, role) for role in Role}
    stranger = add(database, "stranger")
    shared = database.write(manuscripts.begin, people[Role.OWNER], "{}", "habits")
    for role, person in people.items():
        assert manuscripts.readable(database.reader, person) == [shared], role
    saved = database.write(manuscripts.save, people[Role.EDITOR], shared.id, "[]", 1)
    assert (saved.content, saved.revision, saved.author) == ("[]", 2, "owner")
    attempts: list[Callable[[], object]] = [
        lambda: database.write(manuscripts.save, people[Role.VIEWER], shared.id, "{}", 2),
        lambda: database.write(manuscripts.discard, people[Role.VIEWER], shared.id),
        lambda: database.write(manuscripts.begin, people[Role.VIEWER], "{}", "habits"),
    ]
    for attempt in attempts:
        with refused("role_too_low"):
            attempt()
    assert manuscripts.readable(database.reader, stranger) == []
    with refused("unknown_survey"):
        database.write(manuscripts.begin, stranger, "{}", "habits")
    # Who leaves a survey leaves its manuscripts, also those that they began.
    database.write(access.take_role, "habits", "owner")
    assert manuscripts.readable(database.reader, people[Role.OWNER]) == []


def test_a_manuscript_that_was_changed_elsewhere_is_not_overwritten(database: Database) -> None:
    ana = add(database, "ana")
    mine = database.write(manuscripts.begin, ana, "{}")
    database.write(manuscripts.save, ana, mine.id, '{"title": 1}', mine.revision)
    with refused("manuscript_changed"):
        database.write(manuscripts.save, ana, mine.id, '{"title": 2}', mine.revision)
    assert manuscripts.find(database.reader, ana, mine.id).content == '{"title": 1}'


def test_a_manuscript_goes_over_to_the_survey_that_it_became(
    services: Services, draft: Draft
) -> None:
    database = services.database
    ana, bea = (database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    mine: Manuscript = database.write(manuscripts.begin, ana, "{}")
    publish_as(services, ana, draft, manuscript=mine.id)
    database.write(access.give_role, "habits", "bea", Role.VIEWER)
    assert [item.slug for item in manuscripts.readable(database.reader, bea)] == ["habits"]
    database.write(manuscripts.discard, ana, mine.id)
    assert manuscripts.readable(database.reader, ana) == []


def test_publishing_and_becoming_the_owner_are_one_step(services: Services, draft: Draft) -> None:
    """Whatever goes wrong between them leaves no survey that nobody owns."""
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    hers = services.database.write(manuscripts.begin, bea, "{}")
    with refused("unknown_manuscript"):
        publish_as(services, ana, draft, manuscript=hers.id)
    services.database.write(
        lambda db: db.execute(
            "CREATE TRIGGER no_owners BEFORE INSERT ON memberships "
            "BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END"
        )
    )
    with pytest.raises(sqlite3.IntegrityError, match="the disk is gone"):
        publish_as(services, ana, draft)
    assert reading.slugs(services.database.reader) == []
    assert audit_log.entries_since_removal(services.database.reader, "habits") == []
    assert manuscripts.find(services.database.reader, bea, hers.id) == hers


def test_whoever_publishes_owns_the_survey(services: Services, draft: Draft) -> None:
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    assert access.role_of(services.database.reader, ana, "habits") is Role.OWNER
    assert [
        entry.actor for entry in audit_log.entries_since_removal(services.database.reader, "habits")
    ] == ["ana", "ana"]
    # The same content again is no way in, and neither is a new version or a test.
    vices = {**draft, "title": "Vices"}
    attempts: list[Callable[[], object]] = [
        lambda: publish_as(services, bea, draft),
        lambda: publish_as(services, bea, vices, new_version=True),
        lambda: try_as(services, bea, vices),
    ]
    for attempt in attempts:
        with refused("slug_taken"):
            attempt()
    services.database.write(access.give_role, "habits", "bea", Role.EDITOR)
    with refused("role_too_low"):
        publish_as(services, bea, vices, new_version=True)
    try_as(services, bea, vices)
    publish_as(services, ana, vices, new_version=True)
    assert reading.newest(services.database.reader, "habits").survey.title == "Vices"
    assert access.role_of(services.database.reader, bea, "habits") is Role.EDITOR


def test_whoever_comes_a_moment_too_late_takes_over_nothing(
    services: Services, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    # What bea saw before ana published.
    monkeypatch.setattr(reading, "next_version", lambda *_: 1)
    for late in (draft, {**draft, "title": "Vices"}):
        with refused("slug_taken"):
            publish_as(services, bea, late, new_version=True)
    assert access.role_of(services.database.reader, bea, "habits") is None
    assert reading.newest(services.database.reader, "habits").survey.title == "Habits"


def test_nobody_is_let_in_by_the_stamp_of_a_disabled_account(database: Database) -> None:
    add(database, "ana")
    database.write(accounts.set_active, "ana", False)
    assert (
        accounts.with_stamp(database.reader, accounts.named(database.reader, "ana").stamp) is None
    )


def test_a_survey_of_the_operator_is_not_taken_over(services: Services, draft: Draft) -> None:
    publish_draft(services, draft)
    ana = services.database.write(accounts.add, "ana", "hash")
    with refused("slug_taken"):
        publish_as(services, ana, draft)
    assert access.role_of(services.database.reader, ana, "habits") is None


def test_roles_end_with_the_survey_and_do_not_pass_to_the_next_one(
    services: Services, draft: Draft
) -> None:
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    services.database.write(manuscripts.begin, ana, "{}", "habits")
    ending.wipe(services.database, "habits")
    publish_as(services, bea, draft)
    assert access.role_of(services.database.reader, ana, "habits") is None
    assert manuscripts.readable(services.database.reader, bea) == []


def test_what_the_office_writes_keeps_the_log_whole(database: Database, folder: DataFolder) -> None:
    ana = add(database, "ana", Role.OWNER)
    database.write(api_keys.make, ana, "key", Scope.READ)
    database.write(accounts.change_password, "ana", "other")
    database.write(accounts.set_active, "ana", False)
    assert verify(folder.database).is_sound


def test_nobody_fills_the_disk_with_manuscripts(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = services.database
    ana = database.write(accounts.add, "ana", "hash")
    bea = database.write(accounts.add, "bea", "hash")
    monkeypatch.setattr(manuscripts, "MOST_MANUSCRIPTS", 3)
    kept = [database.write(manuscripts.begin, ana, "{}") for _ in range(3)]
    with pytest.raises(Refusal, match="you have 3 surveys that are being written"):
        database.write(manuscripts.begin, ana, "{}")
    database.write(manuscripts.begin, bea, "{}")
    database.write(manuscripts.discard, ana, kept[0].id)
    database.write(manuscripts.begin, ana, "{}")
    monkeypatch.setattr(manuscripts, "MOST_CHARACTERS", 100)
    with pytest.raises(Refusal, match="may have 100 characters together"):
        database.write(manuscripts.save, ana, kept[1].id, "x" * 100, 1)
    database.write(manuscripts.save, ana, kept[1].id, "x" * 50, 1)
