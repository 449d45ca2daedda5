"""Tickets of open surveys: signed, bound to one version, and kept only as the id of a report."""

import hashlib
import stat

import pytest

from client.core.primitives.refusal import Refusal
from client.core.tickets.ticket import report_id
from server.data_folder import DataFolder
from server.surveys import tickets
from tests.support.live import Live, everywhere
from tests.support.surveys import survey_of, yes_no

SECRET = b"a secret"
SURVEY = survey_of(yes_no("a", "1"))
OTHER = survey_of(yes_no("b", "1"))
FINGERPRINT = SURVEY.fingerprint


def test_a_ticket_is_a_nonce_and_the_hmac_of_fingerprint_and_nonce() -> None:
    nonce, signature = tickets.issue(SECRET, FINGERPRINT).split(".")
    # HMAC-SHA256 written out, so that the format cannot drift.
    block = SECRET.ljust(64, b"\0")
    inner = hashlib.sha256(
        bytes(byte ^ 0x36 for byte in block) + f"{FINGERPRINT}\n{nonce}".encode()
    ).digest()
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).hexdigest()
    assert signature == outer


def test_the_group_of_a_ticket_is_signed_with_it() -> None:
    assert tickets.check(SECRET, SURVEY, tickets.issue(SECRET, FINGERPRINT)) == ""
    ticket = tickets.issue(SECRET, FINGERPRINT, "0-2")
    assert tickets.check(SECRET, SURVEY, ticket) == "0-2"
    with pytest.raises(Refusal):
        tickets.check(SECRET, SURVEY, ticket.replace("0-2", "0-1"))


def test_no_two_tickets_are_alike() -> None:
    assert len({tickets.issue(SECRET, FINGERPRINT) for _ in range(1000)}) == 1000


def test_any_changed_character_makes_a_ticket_forged() -> None:
    ticket = tickets.issue(SECRET, FINGERPRINT)
    for position, character in enumerate(ticket):
        other = "0" if character != "0" else "1"
        changed = ticket[:position] + other + ticket[position + 1 :]
        with pytest.raises(Refusal) as caught:
            tickets.check(SECRET, SURVEY, changed)
        assert caught.value.code == "ticket_forged"


@pytest.mark.parametrize("change", [str.upper, lambda text: text + "\n", lambda text: " " + text])
def test_another_spelling_of_a_ticket_is_not_a_second_ticket(change: "type[str]") -> None:
    # Two accepted spellings could give two reports.
    with pytest.raises(Refusal):
        tickets.check(SECRET, SURVEY, change(tickets.issue(SECRET, FINGERPRINT)))


def test_a_ticket_is_good_for_one_version_only() -> None:
    with pytest.raises(Refusal, match="not issued for this survey"):
        tickets.check(SECRET, OTHER, tickets.issue(SECRET, FINGERPRINT))


def test_the_keys_are_made_once_and_only_their_owner_may_read_them(folder: DataFolder) -> None:
    folder.create()
    secret, operator_key = folder.secret, folder.operator_key
    again = DataFolder(folder.path)
    assert (again.secret, again.operator_key) == (secret, operator_key)
    assert len(secret) == 32
    assert secret.hex() != operator_key
    for name in ("secret.key", "operator.key"):
        assert stat.S_IMODE((folder.path / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_no_key_of_a_group_and_no_hash_of_a_link_is_a_ticket() -> None:
    key = tickets.group_key(SECRET, FINGERPRINT, "0")
    assert tickets.group_of_key(SECRET, FINGERPRINT, key) == "0"
    signature = tickets.link_hash(SECRET, FINGERPRINT, "7k3mq-2xw9-pbd4r").hex()
    for text in (key, f"invitation.7k3mq-2xw9-pbd4r.{signature}"):
        with pytest.raises(Refusal, match="not issued for this survey"):
            tickets.check(SECRET, SURVEY, text)
    with pytest.raises(Refusal, match="not made for this survey"):
        tickets.group_of_key(SECRET, FINGERPRINT, tickets.issue(SECRET, FINGERPRINT, "0"))


def test_the_files_hold_the_id_of_the_report_and_nothing_else_of_a_ticket(live: Live) -> None:
    ticket = live.ticket()
    live.post(live.report(), ticket)
    assert [row[1] for row in live.stored()["reports"]] == [report_id(ticket)]
    assert live.stored()["spent"] == live.stored()["invitations"] == []
    files = everywhere(live.folder)
    for part in (ticket, *ticket.split(".")):
        assert part.encode() not in files
        assert bytes.fromhex(ticket.partition(".")[0]) not in files
