"""Invitations: personal links good for one report, and counts that name nobody."""

import hashlib
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from server.lifecycle import ending
from server.lifecycle.invitations import status
from server.store import audit_log
from server.store.verify import verify
from server.surveys import tickets
from tests.support.inviting import ask_for_ticket, bought, group_key, personal
from tests.support.live import JSON, Live
from tests.support.publishing import publish_draft, try_draft

Draft = dict[str, Any]


def test_a_personal_link_is_good_for_one_report(staff: Live) -> None:
    (code,) = personal(staff)
    answer = ask_for_ticket(staff, code)
    assert answer.status == 201
    ticket = answer.json["ticket"]
    # The code is the secret of the link, and not what comes with a report.
    assert code.replace("-", "") not in ticket
    assert ask_for_ticket(staff, code).json == {"ticket": ticket}
    id = secure_hex(4)
    assert staff.put(staff.report(), ticket, id).status == 201
    assert staff.put(staff.report(), ticket, id).status == 200
    again = staff.put(staff.report(), ticket)
    assert (again.status, again.code) == (409, "ticket_spent")
    used = ask_for_ticket(staff, code)
    assert (used.status, used.code) == (409, "link_used")
    assert len(staff.stored()["reports"]) == 1


def test_without_a_link_nobody_takes_part(staff: Live) -> None:
    answer = ask_for_ticket(staff, None)
    assert (answer.status, answer.code) == (403, "invitation_missing")
    genuine = tickets.issue(staff.services.secret, staff.survey.fingerprint)
    for invitation in ("", "x", genuine, genuine[:-1] + "0", "0" * 32):
        answer = ask_for_ticket(staff, invitation)
        assert (answer.status, answer.code) == (403, "invitation_unknown")
    # Signed with the right key, yet nobody was invited with it.
    answer = staff.put(staff.report(), genuine)
    assert (answer.status, answer.code) == (403, "invitation_unknown")
    assert staff.stored()["reports"] == staff.stored()["tickets"] == []


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"invitation":"a","more":"b"}', b"x" * 2000])
def test_a_body_that_is_no_invitation_is_refused(live: Live, body: bytes) -> None:
    assert 400 <= live.send("POST", f"{live.api}/tickets", body, JSON).status < 500


def test_of_an_invitation_only_a_hash_and_a_used_bit_are_kept(staff: Live) -> None:
    codes = personal(staff, 30)
    made = bought(staff, codes)
    rows = staff.stored()["tickets"]
    assert sorted(row[1:] for row in rows) == sorted(
        (hashlib.sha256(ticket.encode()).digest(), 0) for ticket in made
    )
    file = b"".join(path.read_bytes() for path in staff.folder.path.iterdir())
    assert [ticket for ticket in made if ticket.split(".")[0].encode() in file] == []
    # Nor can whoever has the file but not the key try all codes: their tickets are signed.
    written = [code for text in codes for code in (text, text.replace("-", ""))]
    for code in written:
        assert code.encode() not in file
        assert hashlib.sha256(code.encode()).digest() not in file


def test_the_test_of_a_draft_is_open_to_everybody(live: Live, draft: Draft) -> None:
    survey = try_draft(live.services, {**draft, "access": "invited"}).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    assert test.put(test.report()).status == 201


def test_an_open_survey_has_no_personal_links_and_says_why(live: Live) -> None:
    with pytest.raises(
        Refusal, match=r"is open to everybody and cannot have personal links"
    ) as caught:
        personal(live)
    assert caught.value.code == "not_by_invitation"


def test_a_survey_by_invitation_has_no_open_link(staff: Live) -> None:
    with pytest.raises(Refusal, match="it has personal links, and no open ones"):
        group_key(staff, "")


def test_verification_notices_a_ticket_that_nobody_issued(staff: Live) -> None:
    personal(staff, 2)
    add = "INSERT INTO tickets VALUES (1, randomblob(32), 0)"
    staff.services.database.write(lambda db: db.execute(add))
    assert verify(staff.folder.database).problems == [
        "habits version 1: issued tickets: stored 2, counted 3"
    ]


def test_the_status_counts_and_never_says_which(sites: Live) -> None:
    staff = sites
    north = personal(staff, 20, "north")
    personal(staff, 25, "site=south")
    for ticket in bought(staff, north[:3]):
        assert staff.put(staff.report(), ticket).status == 201
    found = status(staff.services, "habits")
    assert found == {
        "slug": "habits",
        "by_invitation": True,
        "merged_groups": 0,
        "held_back": False,
        "rounded": False,
        "groups": [
            {"group": "north", "issued": 20, "used": 3, "unused": 17},
            {"group": "south", "issued": 25, "used": 0, "unused": 25},
            {"group": "east", "issued": 0, "used": 0, "unused": 0},
            {"group": "west", "issued": 0, "used": 0, "unused": 0},
        ],
    }


def test_a_closed_survey_invites_nobody(staff: Live) -> None:
    ending.close(staff.services.database, "habits")
    with pytest.raises(Refusal, match="is closed: it cannot invite anybody"):
        personal(staff)


def test_invitations_are_on_record_without_their_tickets(staff: Live) -> None:
    (code,) = personal(staff)
    entry = audit_log.entries_since_removal(staff.services.database.reader, "habits")[0]
    assert (entry.action, entry.details) == ("invite", {"version": 1, "group": "", "count": 1})
    assert code not in str(audit_log.entries(staff.services.database.reader))


def test_a_new_version_has_links_of_its_own(staff: Live, draft: Draft) -> None:
    (code,) = personal(staff)
    changed = {**draft, "access": "invited", "title": "Vices"}
    publish_draft(staff.services, changed, new_version=True)
    assert ask_for_ticket(staff, code).code == "invitation_unknown"
