"""The audit log in plain words: a sentence for every action, at the terminal within 100 columns."""

from typing import Any

from click.testing import CliRunner

from client.core.primitives.words import secure_hex
from server.cli import main
from server.commands.log import WIDTH
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.serving import running_services
from server.store import audit_log
from server.store.database import Connection
from server.store.invitations import invite
from server.store.researchers import access, accounts, api_keys
from server.surveys.audit import ACTIONS, log_line
from server.surveys.researchers import OPERATOR, Role, Scope
from server.surveys.schedule import Schedule
from tests.support.clock import FakeClock
from tests.support.live import Live
from tests.support.publishing import publish_as, publish_draft
from tests.support.researcher import hire, logged_in
from tests.workbench.test_pages import words

Draft = dict[str, Any]
LONG = "a-survey-whose-slug-is-as-long-as-it-may-be-for-all-that-we-know"


def fill(db: Connection, key: int) -> None:
    db.execute("UPDATE surveys SET reports = 1 WHERE id = ?", [key])


def live_through_everything(folder: DataFolder, draft: Draft, clock: FakeClock) -> None:
    """Take every action that the log records, at least once."""
    with running_services(folder, clock, False, clock.passed) as services:
        store, database = services.database, services.database
        ana = database.write(accounts.add, "ana", "hash")
        database.write(accounts.change_password, "ana", "another hash")
        database.write(accounts.set_active, "ana", False)
        database.write(accounts.set_active, "ana", True)
        database.write(accounts.note_login_link, "ana")
        ana = database.write(accounts.log_in_by_link, "ana")
        key, _ = database.write(api_keys.make, ana, "R", Scope.READ)
        database.write(api_keys.revoke, ana, key.id)
        days = Schedule.of_days("2026-11-20", "2026-11-25", clock.now, 5000)
        publish_as(services, ana, {**draft, "slug": LONG[:60].rstrip("-")}, schedule=days)
        publish_draft(services, {**draft, "delete_on": "2026-11-30"})
        full = publish_draft(services, {**draft, "slug": "full"}, schedule=Schedule(closes_at=1))
        database.write(fill, full.published.key)
        ending.reopen(store, "full", 2)
        database.write(access.give_role, "habits", "ana", Role.OWNER)
        database.write(access.take_role, "habits", "ana")
        ending.begin_closing(services, "habits", "2")
        ending.close(store, "habits")
        ending.archive(store, "habits")
        clock.now = "2026-11-30T00:00:00Z"
        ending.purge(store)
        ending.trash(services, "habits")
        ending.restore(store, "habits")
        ending.trash(services, "habits")
        clock.now = "2027-02-01T00:00:00Z"
        services.watch.confirm("2027-02-01", OPERATOR)
        database.write(lambda db: audit_log.record(db, OPERATOR, "restore_backup", ""))
        ending.purge(store)
        staff = publish_draft(services, {**draft, "slug": "staff", "access": "invited"})
        store.write(
            invite,
            staff.published,
            "",
            [bytes.fromhex(secure_hex(8)) for _ in range(1200)],
        )


def test_every_action_has_a_sentence_and_no_line_is_too_long(
    folder: DataFolder, draft: Draft, clock: FakeClock
) -> None:
    live_through_everything(folder, draft, clock)
    with running_services(folder, clock, False, clock.passed) as services:
        assert {
            entry.action for entry in audit_log.entries(services.database.reader)
        } == ACTIONS.keys()
    printed = CliRunner().invoke(main, ["log", "--data", str(folder.path)]).output
    assert all(len(line) <= WIDTH for line in printed.splitlines())
    for sentence in (
        "operator added the researcher ana",
        "habits: operator published version 1",
        "habits: operator took away the role of ana, who was owner",
        "habits: operator removed the survey with all its versions",
        "staff: operator made personal links to version 1: 1,200",
        "the key may  read results and exports",
        "reports are deleted on  2026-11-30",
        "takes reports until             2026-11-25 23:59 UTC",
        "full at this number of reports  5,000",
    ):
        assert sentence in printed, sentence
    assert "{" not in printed
    assert "None" not in printed


def test_a_log_without_entries_says_so(folder: DataFolder) -> None:
    with running_services(folder):
        pass
    assert CliRunner().invoke(main, ["log", "--data", str(folder.path)]).output == (
        "The log is empty.\n"
    )


def test_a_deed_that_is_not_known_is_told_by_its_own_words() -> None:
    line = log_line("move_house", {"new_town": "Bonn", "rooms": 4000, "cat": None})
    assert line.sentence == "move house"
    assert line.facts == (("new town", "Bonn"), ("rooms", "4,000"))


def test_a_name_with_braces_is_only_a_name() -> None:
    assert (
        log_line("add_researcher", {"researcher": "{role}"}).sentence
        == "added the researcher {role}"
    )


def test_the_log_of_the_workbench_is_a_list_of_facts(live: Live) -> None:
    hire(live, "ana", Role.OWNER)
    page = logged_in(live, "ana").get("/workbench/surveys/habits/log")
    shown = words(page)
    assert "operator made ana owner of the survey" in shown
    assert "operator published version 1 delete on" not in shown
    assert b"<dt>total epsilon</dt> <dd>1.5</dd>" in page.body
    assert b"<dt>reports are deleted on</dt> <dd>2999-12-31</dd>" in page.body
