"""Groups of links: signed into tickets, counted apart, and dissolved where they are small."""

import sqlite3
from typing import Any

import pytest
from sqlite_utils import Database

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from server.data import DataFolder
from server.respondents import tickets
from server.results.showing import live_results
from server.serving import running_services
from server.store.disclosure.small_groups import LEAST_IN_GROUP
from server.store.records import checksum
from server.store.schema import migrations
from server.store.verify import verify
from tests.inviting import ask_for_ticket, group_key, personal
from tests.live import Live

Draft = dict[str, Any]


def test_the_group_of_an_open_link_is_signed_into_its_tickets(live: Live) -> None:
    key = group_key(live, "arm-a")
    ticket = ask_for_ticket(live, key).json["ticket"]
    assert tickets.group_of(ticket) == "arm-a"
    assert live.put(live.report(smokes=1), ticket).status == 201
    assert live.put(live.report()).status == 201
    forged = ticket.replace("arm-a", "arm-b")
    assert live.put(live.report(), forged).code == "ticket_forged"
    group_key(live, "arm-b")
    assert ask_for_ticket(live, key.replace("arm-a", "arm-b")).code == "invitation_unknown"
    groups = {group.name: group.reports for group in live.services.store.groups("habits")}
    assert groups == {"": 1, "arm-a": 1, "arm-b": 0}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reports SET in_group = 'arm-b' WHERE in_group = 'arm-a'",
        "UPDATE groups SET reports = 2 WHERE name = 'arm-a'",
        "UPDATE tallies SET count = count + 1 WHERE in_group = 'arm-b'",
    ],
)
def test_verification_notices_a_group_that_was_changed(live: Live, statement: str) -> None:
    group_key(live, "arm-b")
    ticket = ask_for_ticket(live, group_key(live, "arm-a")).json["ticket"]
    live.put(live.report(), ticket)
    assert verify(live.folder.database).problems == []
    live.services.store._file.write(lambda db: db.execute(statement))
    assert verify(live.folder.database).problems != []


@pytest.mark.parametrize("group", ["Arm A", "-a", "a" * 32, "a.b", "ä", "a;b"])
def test_a_name_that_cannot_stand_in_a_link_is_no_group(live: Live, group: str) -> None:
    with pytest.raises(Refusal) as caught:
        group_key(live, group)
    assert caught.value.code == "bad_group"


def test_a_group_of_a_few_personal_links_is_refused(staff: Live) -> None:
    with pytest.raises(Refusal, match="fewer would tell whose report it is"):
        personal(staff, LEAST_IN_GROUP - 1, "north")
    assert staff.stored()["tickets"] == []


def test_a_file_from_before_the_groups_is_brought_up_to_date(
    folder: DataFolder, draft: Draft
) -> None:
    survey = build_survey(draft)
    randomized = '{"drinks":0,"smokes":1}'
    bound = checksum(survey.fingerprint, "a" * 32, randomized)
    folder.create()
    old = Database(sqlite3.connect(folder.database, isolation_level=None))
    migrations.apply(old, stop_before="groups")
    old.execute(
        "INSERT INTO surveys (id, slug, version, fingerprint, state, reports) "
        "VALUES (1, 'habits', 1, ?, 'open', 1)",
        [survey.fingerprint],
    )
    old.execute("INSERT INTO documents VALUES (1, ?)", [survey.document])
    old.execute("INSERT INTO reports VALUES (1, ?, ?, ?)", ["a" * 32, randomized, bound])
    old.execute("INSERT INTO tickets VALUES (1, randomblob(32), 1)")
    for question, cell, count in (("smokes", 0, 0), ("smokes", 1, 1), ("drinks", 0, 1)):
        old.execute("INSERT INTO tallies VALUES (1, ?, ?, ?)", [question, cell, count])
    old.execute("INSERT INTO tallies VALUES (1, 'drinks', 1, 0)")
    old.close()
    with running_services(folder) as services:
        found = live_results(services.store, "habits")
        assert (found.n, found.tallies["smokes"].counts) == (1, (0, 1))
        assert [group.reports for group in services.store.groups("habits")] == [1]
    assert verify(folder.database).problems == []
