"""Invitations: personal links good for one report, and counts that name nobody."""

import hashlib
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.invitations.codes import new_code
from server.lifecycle import ending
from server.lifecycle.invitations import status
from server.store import audit_log
from server.store.verify import verify
from server.surveys import tickets
from tests.support.inviting import ask_for_ticket, group_key, personal
from tests.support.live import Live, everywhere
from tests.support.publishing import publish_draft, try_draft
from tests.support.tickets import Device, use_links

Draft = dict[str, Any]


def test_without_a_link_nobody_takes_part(staff: Live) -> None:
    genuine = tickets.issue(staff.services.secret, staff.survey.fingerprint)
    blinded = Device(staff.survey).blinding.blinded
    other = new_code()
    for invitation in ("x", genuine, "0" * 32, other, other.upper()):
        wish = {"invitation": invitation, "blinded": blinded}
        answer = ask_for_ticket(staff, wish)
        assert (answer.status, answer.code) == (403, "invitation_unknown")
    # A ticket of an open survey is none here.
    answer = staff.post(staff.report(), genuine)
    assert (answer.status, answer.code) == (403, "ticket_forged")
    assert staff.stored()["reports"] == staff.stored()["invitations"] == []


def test_a_code_is_read_as_people_type_it_and_with_its_group(sites: Live) -> None:
    """Another group's digit makes another code: nobody can choose a group."""
    (code,) = personal(sites, 1, "south")
    assert code.startswith("1-")
    typed = Device(sites.survey, code.upper().replace("-", "").replace("1", "l"))
    moved = Device(sites.survey, "2" + code[1:])
    assert ask_for_ticket(sites, moved.wish).code == "invitation_unknown"
    without = {**typed.wish, "invitation": code[2:]}
    assert ask_for_ticket(sites, without).code == "invitation_unknown"
    assert ask_for_ticket(sites, typed.wish).status == 201


def test_of_an_invitation_only_a_hash_and_zeros_are_kept(staff: Live) -> None:
    codes = personal(staff, 30)
    rows = staff.stored()["invitations"]
    assert len(rows) == 30
    assert {row[2:] for row in rows} == {(bytes(32), bytes(256))}
    file = everywhere(staff.folder)
    # Nor can whoever has the file but not the key try all codes: their hashes are keyed.
    written = [code for text in codes for code in (text, text.replace("-", ""))]
    for code in written:
        assert code.encode() not in file
        assert hashlib.sha256(code.encode()).digest() not in file


def test_what_was_asked_and_answered_is_kept_until_the_closing(staff: Live) -> None:
    person = Device(staff.survey, *personal(staff))
    personal(staff)
    signed = ask_for_ticket(staff, person.wish).json["signed"]
    asked = hashlib.sha256(bytes.fromhex(person.blinding.blinded)).digest()
    assert (asked, bytes.fromhex(signed)) in [row[2:] for row in staff.stored()["invitations"]]
    ending.close(staff.services.database, "habits")
    # Of each link there is left whether it was used.
    left = sorted(row[2:] for row in staff.stored()["invitations"])
    assert left == [(bytes(32), bytes(256)), (bytes(31) + b"\1", bytes(256))]
    file = everywhere(staff.folder)
    assert asked not in file
    assert bytes.fromhex(signed) not in file


def test_the_test_of_a_draft_is_open_to_everybody(live: Live, draft: Draft) -> None:
    survey = try_draft(live.services, {**draft, "access": "invited"}).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    assert test.post(test.report()).status == 201


def test_an_open_survey_has_no_personal_links_and_says_why(live: Live) -> None:
    with pytest.raises(
        Refusal, match=r"is open to everybody and cannot have personal links"
    ) as caught:
        personal(live)
    assert caught.value.code == "not_by_invitation"


def test_a_survey_by_invitation_has_no_open_link(staff: Live) -> None:
    with pytest.raises(Refusal, match="it has personal links, and no open ones"):
        group_key(staff, "")


def test_verification_notices_a_link_that_nobody_made(staff: Live) -> None:
    personal(staff, 2)
    add = "INSERT INTO invitations VALUES (1, randomblob(32), zeroblob(32), zeroblob(256))"
    staff.services.database.write(lambda db: db.execute(add))
    assert verify(staff.folder.database).problems == [
        "habits version 1: links made: stored 2, counted 3"
    ]


def test_the_status_counts_and_never_says_which(sites: Live) -> None:
    personal(sites, 20, "north")
    personal(sites, 25, "site=south")
    use_links(sites.services, sites.survey, 3, "north")
    assert sites.post(sites.report(), sites.ticket("south")).status == 201
    assert status(sites.services, "habits") == {
        "slug": "habits",
        "by_invitation": True,
        "links_made": 85,
        "tickets_given": 4,
        "reports": 1,
        "merged_groups": 0,
        "held_back": False,
        "rounded": False,
        "groups": [
            {"group": "north", "issued": 40, "given": 3},
            {"group": "south", "issued": 45, "given": 1},
            {"group": "east", "issued": 0, "given": 0},
            {"group": "west", "issued": 0, "given": 0},
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
    person = Device(staff.survey, *personal(staff))
    changed = {**draft, "access": "invited", "title": "Vices"}
    publish_draft(staff.services, changed, new_version=True)
    assert ask_for_ticket(staff, person.wish).code == "invitation_unknown"
