"""Every change that touches privacy is on record, in the transaction that made it."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.serving import running_services
from server.store import audit_log
from server.store.researchers import accounts
from server.store.verify import verify
from server.web.services import Services
from tests.support.clock import FakeClock
from tests.support.live import Live
from tests.support.publishing import publish_as, publish_draft

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
        ending.trash(services.database, "habits")
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
    assert verify(folder.database).is_sound
    with closing(sqlite3.connect(folder.database, isolation_level=None)) as db:
        db.execute("DROP TRIGGER audit_log_keeps_its_words")
        db.execute("DROP TRIGGER audit_log_keeps_its_rows")
        db.execute(forgery)
    problems = verify(folder.database).problems
    assert any("audit log: entry" in problem for problem in problems)
