"""The office: who may see and change what, decided in the store."""

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle.publishing import publish_as, publish_draft, rehearse_as
from server.store.researchers.office import Office
from server.store.store import Store
from server.store.verify import verify
from server.surveys.researchers import Manuscript, Researcher, Role, Scope
from server.web.services import Services

Draft = dict[str, Any]


@pytest.fixture
def office(services: Services, draft: Draft) -> Office:
    publish_draft(services, draft)
    return services.office


def add(office: Office, name: str, role: Role | None = None) -> Researcher:
    researcher = office.add_researcher(name, "hash")
    if role is not None:
        office.give_role("habits", name, role)
    return researcher


def refused(code: str) -> Any:
    return pytest.raises(Refusal, check=lambda refusal: refusal.code == code)


def test_a_name_is_given_once(office: Office) -> None:
    add(office, "ana")
    with refused("name_taken"):
        add(office, "ana")
    assert [person.name for person in office.everybody()] == ["ana"]


def test_roles_are_given_changed_and_taken(office: Office) -> None:
    ana = add(office, "ana")
    assert office.role_of(ana, "habits") is None
    office.give_role("habits", "ana", Role.VIEWER)
    office.give_role("habits", "ana", Role.EDITOR, actor="bea")
    assert [(item.name, item.role) for item in office.people("habits")] == [("ana", Role.EDITOR)]
    assert [item.slug for item in office.memberships(ana)] == ["habits"]
    office.take_role("habits", "ana")
    assert office.role_of(ana, "habits") is None
    with refused("no_role"):
        office.take_role("habits", "ana")
    with refused("unknown_survey"):
        office.give_role("nowhere", "ana", Role.VIEWER)


def test_no_survey_is_left_without_an_owner_but_by_the_operator(office: Office) -> None:
    add(office, "ana", Role.OWNER)
    changes: list[Callable[[], object]] = [
        lambda: office.give_role("habits", "ana", Role.EDITOR, actor="ana"),
        lambda: office.take_role("habits", "ana", actor="ana"),
    ]
    for change in changes:
        with refused("last_owner"):
            change()
    add(office, "bea", Role.OWNER)
    office.take_role("habits", "ana", actor="ana")
    office.take_role("habits", "bea")
    assert office.people("habits") == []


def test_a_key_is_shown_once_and_kept_as_a_hash(office: Office, folder: DataFolder) -> None:
    ana = add(office, "ana")
    key, text = office.make_key(ana, " R script ", Scope.READ)
    assert text.startswith("candor_")
    assert (key.label, key.scope, key.is_revoked) == ("R script", Scope.READ, False)
    assert office.holder(text) == (office.researcher("ana"), Scope.READ)
    with closing(sqlite3.connect(folder.database)) as db:
        (row,) = db.execute("SELECT * FROM api_keys").fetchall()
    assert hashlib.sha256(text.encode()).digest() in row
    for file in folder.path.iterdir():
        assert text.removeprefix("candor_").encode() not in file.read_bytes(), file


@pytest.mark.parametrize("text", ["", "candor_", "candor_" + "0" * 64, "operator", "candor_" * 999])
def test_what_is_no_key_belongs_to_nobody(office: Office, text: str) -> None:
    office.make_key(add(office, "ana"), "key", Scope.READ)
    assert office.holder(text) is None


def test_a_key_dies_when_it_is_revoked_and_sleeps_while_its_researcher_is_disabled(
    office: Office,
) -> None:
    ana, bea = add(office, "ana"), add(office, "bea")
    key, text = office.make_key(ana, "key", Scope.MANAGE)
    with refused("unknown_api_key"):
        office.revoke_key(bea, key.id)
    office.set_active("ana", False)
    assert office.holder(text) is None
    office.set_active("ana", True)
    assert office.holder(text) is not None
    office.revoke_key(ana, key.id)
    office.revoke_key(ana, key.id)
    assert office.holder(text) is None


@pytest.mark.parametrize("label", ["", "  ", "x" * 81, "a\nb", "a\x00b"])
def test_a_label_is_short_and_printable(office: Office, label: str) -> None:
    with refused("bad_label"):
        office.make_key(add(office, "ana"), label, Scope.READ)


def test_a_manuscript_is_its_authors_alone(office: Office) -> None:
    ana, bea = add(office, "ana", Role.OWNER), add(office, "bea", Role.OWNER)
    mine = office.begin_manuscript(ana, "{}")
    assert office.manuscripts(bea) == []
    attempts: list[Callable[[], object]] = [
        lambda: office.manuscript(bea, mine.id),
        lambda: office.save_manuscript(bea, mine.id, "[]", 1),
        lambda: office.discard_manuscript(bea, mine.id),
    ]
    for attempt in attempts:
        with refused("unknown_manuscript"):
            attempt()
    assert office.manuscript(ana, mine.id) == mine


def test_a_survey_s_manuscript_is_of_all_who_work_on_it(office: Office) -> None:
    people = {role: add(office, role.value, role) for role in Role}
    stranger = add(office, "stranger")
    shared = office.begin_manuscript(people[Role.OWNER], "{}", "habits")
    for role, person in people.items():
        assert office.manuscripts(person) == [shared], role
    saved = office.save_manuscript(people[Role.EDITOR], shared.id, "[]", 1)
    assert (saved.content, saved.revision, saved.author) == ("[]", 2, "owner")
    attempts: list[Callable[[], object]] = [
        lambda: office.save_manuscript(people[Role.VIEWER], shared.id, "{}", 2),
        lambda: office.discard_manuscript(people[Role.VIEWER], shared.id),
        lambda: office.begin_manuscript(people[Role.VIEWER], "{}", "habits"),
    ]
    for attempt in attempts:
        with refused("role_too_low"):
            attempt()
    assert office.manuscripts(stranger) == []
    with refused("unknown_survey"):
        office.begin_manuscript(stranger, "{}", "habits")
    # Who leaves a survey leaves its manuscripts, also those that they began.
    office.take_role("habits", "owner")
    assert office.manuscripts(people[Role.OWNER]) == []


def test_a_manuscript_that_was_changed_elsewhere_is_not_overwritten(office: Office) -> None:
    ana = add(office, "ana")
    mine = office.begin_manuscript(ana, "{}")
    office.save_manuscript(ana, mine.id, '{"title": 1}', mine.revision)
    with refused("manuscript_changed"):
        office.save_manuscript(ana, mine.id, '{"title": 2}', mine.revision)
    assert office.manuscript(ana, mine.id).content == '{"title": 1}'


def test_a_manuscript_goes_over_to_the_survey_that_it_became(
    services: Services, draft: Draft
) -> None:
    office = services.office
    ana, bea = (office.add_researcher(name, "hash") for name in ("ana", "bea"))
    mine: Manuscript = office.begin_manuscript(ana, "{}")
    publish_as(services, ana, draft, manuscript=mine.id)
    office.give_role("habits", "bea", Role.VIEWER)
    assert [item.slug for item in office.manuscripts(bea)] == ["habits"]
    office.discard_manuscript(ana, mine.id)
    assert office.manuscripts(ana) == []


def test_publishing_and_becoming_the_owner_are_one_step(services: Services, draft: Draft) -> None:
    """Whatever goes wrong between them leaves no survey that nobody owns."""
    ana, bea = (services.office.add_researcher(name, "hash") for name in ("ana", "bea"))
    hers = services.office.begin_manuscript(bea, "{}")
    with refused("unknown_manuscript"):
        publish_as(services, ana, draft, manuscript=hers.id)
    services.store._file.write(
        lambda db: db.execute(
            "CREATE TRIGGER no_owners BEFORE INSERT ON memberships "
            "BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END"
        )
    )
    with pytest.raises(sqlite3.IntegrityError, match="the disk is gone"):
        publish_as(services, ana, draft)
    assert services.store.slugs() == []
    assert services.store.history("habits") == []
    assert services.office.manuscript(bea, hers.id) == hers


def test_whoever_publishes_owns_the_survey(services: Services, draft: Draft) -> None:
    ana, bea = (services.office.add_researcher(name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    assert services.office.role_of(ana, "habits") is Role.OWNER
    assert [entry.actor for entry in services.store.history("habits")] == ["ana", "ana"]
    # The same content again is no way in, and neither is a new version or a test.
    vices = {**draft, "title": "Vices"}
    attempts: list[Callable[[], object]] = [
        lambda: publish_as(services, bea, draft),
        lambda: publish_as(services, bea, vices, new_version=True),
        lambda: rehearse_as(services, bea, vices),
    ]
    for attempt in attempts:
        with refused("slug_taken"):
            attempt()
    services.office.give_role("habits", "bea", Role.EDITOR)
    with refused("role_too_low"):
        publish_as(services, bea, vices, new_version=True)
    rehearse_as(services, bea, vices)
    publish_as(services, ana, vices, new_version=True)
    assert services.store.latest("habits").survey.title == "Vices"
    assert services.office.role_of(bea, "habits") is Role.EDITOR


def test_whoever_comes_a_moment_too_late_takes_over_nothing(
    services: Services, draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bea = (services.office.add_researcher(name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    # What bea saw before ana published.
    monkeypatch.setattr(Store, "next_version", lambda *_: 1)
    for late in (draft, {**draft, "title": "Vices"}):
        with refused("slug_taken"):
            publish_as(services, bea, late, new_version=True)
    assert services.office.role_of(bea, "habits") is None
    assert services.store.latest("habits").survey.title == "Habits"


def test_nobody_is_let_in_by_the_stamp_of_a_disabled_account(office: Office) -> None:
    add(office, "ana")
    office.set_active("ana", False)
    assert office.with_stamp(office.researcher("ana").stamp) is None


def test_a_survey_of_the_operator_is_not_taken_over(services: Services, draft: Draft) -> None:
    publish_draft(services, draft)
    ana = services.office.add_researcher("ana", "hash")
    with refused("slug_taken"):
        publish_as(services, ana, draft)
    assert services.office.role_of(ana, "habits") is None


def test_roles_end_with_the_survey_and_do_not_pass_to_the_next_one(
    services: Services, draft: Draft
) -> None:
    ana, bea = (services.office.add_researcher(name, "hash") for name in ("ana", "bea"))
    publish_as(services, ana, draft)
    services.office.begin_manuscript(ana, "{}", "habits")
    services.store.wipe("habits")
    publish_as(services, bea, draft)
    assert services.office.role_of(ana, "habits") is None
    assert services.office.manuscripts(bea) == []


def test_what_the_office_writes_keeps_the_log_whole(office: Office, folder: DataFolder) -> None:
    ana = add(office, "ana", Role.OWNER)
    office.make_key(ana, "key", Scope.READ)
    office.change_password("ana", "other")
    office.set_active("ana", False)
    assert verify(folder.database).is_sound
