"""Groups of links: signed into tickets, counted apart, and dissolved where they are small."""

from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.store import reading
from server.store.verify import verify
from server.surveys import tickets
from server.surveys.disclosure import LEAST_IN_GROUP
from tests.support.inviting import ask_for_ticket, group_key, personal
from tests.support.live import Live

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
    groups = {
        group.name: group.reports
        for group in reading.groups_of(live.services.database.reader, "habits")
    }
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
    live.services.database.write(lambda db: db.execute(statement))
    assert verify(live.folder.database).problems != []


@pytest.mark.parametrize("group", ["Arm A", "-a", "a" * 32, "a.b", "ä", "a;b"])
def test_a_name_that_cannot_stand_in_a_link_is_no_group(live: Live, group: str) -> None:
    with pytest.raises(Refusal) as caught:
        group_key(live, group)
    assert caught.value.code == "bad_group"


def test_a_group_of_a_few_personal_links_is_refused(staff: Live) -> None:
    with pytest.raises(Refusal, match="with fewer, its reports could be traced to people"):
        personal(staff, LEAST_IN_GROUP - 1, "north")
    assert staff.stored()["tickets"] == []
