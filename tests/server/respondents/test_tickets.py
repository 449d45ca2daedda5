"""Tickets: signed, bound to one version, spent once, and remembered only as a hash."""

import hashlib
import stat

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.surveys import tickets
from tests.support.live import Live

SECRET = b"a secret"
FINGERPRINT = "ab" * 32


def test_a_ticket_is_a_nonce_and_the_hmac_of_fingerprint_and_nonce() -> None:
    nonce, signature = tickets.issue(SECRET, FINGERPRINT).split(".")
    # HMAC-SHA256 written out, so that the format cannot drift.
    block = SECRET.ljust(64, b"\0")
    inner = hashlib.sha256(
        bytes(byte ^ 0x36 for byte in block) + f"{FINGERPRINT}\n{nonce}".encode()
    ).digest()
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).hexdigest()
    assert signature == outer


def test_a_genuine_ticket_is_spent_under_its_sha_256() -> None:
    ticket = tickets.issue(SECRET, FINGERPRINT)
    assert tickets.check(SECRET, FINGERPRINT, ticket) == hashlib.sha256(ticket.encode()).digest()


def test_no_two_tickets_are_alike() -> None:
    assert len({tickets.issue(SECRET, FINGERPRINT) for _ in range(1000)}) == 1000


def test_any_changed_character_makes_a_ticket_forged() -> None:
    ticket = tickets.issue(SECRET, FINGERPRINT)
    for position, character in enumerate(ticket):
        other = "0" if character != "0" else "1"
        changed = ticket[:position] + other + ticket[position + 1 :]
        with pytest.raises(Refusal) as caught:
            tickets.check(SECRET, FINGERPRINT, changed)
        assert caught.value.code == "ticket_forged"


@pytest.mark.parametrize("change", [str.upper, lambda text: text + "\n", lambda text: " " + text])
def test_another_spelling_of_a_ticket_is_not_a_second_ticket(change: "type[str]") -> None:
    # Two accepted spellings would have two hashes: the ticket could be spent twice.
    with pytest.raises(Refusal):
        tickets.check(SECRET, FINGERPRINT, change(tickets.issue(SECRET, FINGERPRINT)))


def test_a_ticket_is_good_for_one_version_only() -> None:
    with pytest.raises(Refusal, match="not issued for this survey"):
        tickets.check(SECRET, "cd" * 32, tickets.issue(SECRET, FINGERPRINT))


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


def test_the_database_holds_a_hash_and_a_used_bit_and_never_the_ticket(live: Live) -> None:
    ticket = live.ticket()
    live.put(live.report(), ticket)
    assert [row[1:] for row in live.stored()["tickets"]] == [
        (hashlib.sha256(ticket.encode()).digest(), 1)
    ]
    for file in live.folder.path.iterdir():
        assert ticket.encode() not in file.read_bytes()
        assert ticket.split(".")[0].encode() not in file.read_bytes()
