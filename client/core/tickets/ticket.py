"""Tickets for reports by invitation: what devices ask for, keep and show, and how it is checked.

A device blinds its ticket before the server signs it, so a report that comes with the ticket cannot
be joined to the link that bought it: the server never saw the two together. The arithmetic is in
`rsabssa.py`. All numbers are written as 512 lower-case hexadecimal digits, and in no other way.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import SecureWords, Words
from client.core.tickets import rsabssa

GROUP = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?")
_NUMBER = re.compile(r"[0-9a-f]{512}")
_TICKET = re.compile(rf"([0-9a-f]{{64}})(?:\.({GROUP.pattern}))?\.({_NUMBER.pattern})")
_NONCE_WORDS = 8
_PURPOSE = "candor ticket 1"
_ID_PURPOSE = "candor report"
_ID_DIGITS = 32


@dataclass(frozen=True)
class Blinding:
    """What a device keeps, from before it asks for its ticket until the server has signed."""

    nonce: str
    # What unblinds the signature: with it a link can be joined to its report.
    inv: str
    # All that is sent.
    blinded: str


@dataclass(frozen=True)
class Ticket:
    """A ticket in parts: as text, `nonce.signature` or `nonce.group.signature`."""

    nonce: str
    group: str
    signature: str


def blind(key: str, fingerprint: str, group: str = "") -> Blinding:
    """Draw a ticket for this document and group, and blind it; raise if the key is bad.

    Then a device must stop: trying again with other values could tell the server about them.
    """
    return blind_with(SecureWords(), key, fingerprint, group)


def blind_with(words: Words, key: str, fingerprint: str, group: str) -> Blinding:
    """Blind with these words, of which the nonce takes the first eight: for test vectors."""
    nonce = "".join(f"{words.word():08x}" for _ in range(_NONCE_WORDS))
    encoded = _encoded(nonce, key, fingerprint, group)
    try:
        blinded, inverse = rsabssa.blind_message(encoded, _number(key), words)
    except ValueError:
        raise Refusal("bad_ticket_key.factor", "ticket_keys") from None
    return Blinding(nonce, _digits(inverse), _digits(blinded))


def finalize(key: str, fingerprint: str, group: str, blinding: Blinding, signed: object) -> str:
    """Return the ticket; raise if the server did not sign what was sent with the published key."""
    is_number = isinstance(signed, str) and _NUMBER.fullmatch(signed) is not None
    received, modulus = _number(str(signed)) if is_number else 0, _number(key)
    require(0 < received < modulus, "ticket_unsound")
    signature = rsabssa.unblind(received, _number(blinding.inv), modulus)
    encoded = _encoded(blinding.nonce, key, fingerprint, group)
    require(rsabssa.is_signed(encoded, signature, modulus), "ticket_unsound")
    return ticket_of(blinding.nonce, group, _digits(signature))


def ticket_of(nonce: str, group: str, signature: str) -> str:
    """Return the text of a ticket."""
    return ".".join([nonce, group, signature] if group else [nonce, signature])


def read(ticket: str) -> Ticket:
    """Return a ticket in parts; raise unless it is written in the one way."""
    found = _TICKET.fullmatch(ticket)
    if not found:
        raise Refusal("ticket_forged", "ticket")
    return Ticket(found[1], found[2] or "", found[3])


def verify(ticket: str, keys: Mapping[str, str], fingerprint: str) -> Ticket:
    """Return a ticket in parts; raise unless it was signed for this document and its group.

    A signature plus the modulus would be the same ticket under another name, so it is refused.
    """
    parts = read(ticket)
    key = keys.get(parts.group)
    if key is None:
        raise Refusal("ticket_forged", "ticket")
    encoded = _encoded(parts.nonce, key, fingerprint, parts.group)
    genuine = rsabssa.is_signed(encoded, _number(parts.signature), _number(key))
    require(genuine, "ticket_forged", "ticket")
    return parts


def report_id(ticket: str) -> str:
    """Return the id of the one report that any ticket, blind or not, can pay for."""
    nonce = ticket.partition(".")[0]
    return hashlib.sha256(f"{_ID_PURPOSE}\n{nonce}".encode()).hexdigest()[:_ID_DIGITS]


def _encoded(nonce: str, key: str, fingerprint: str, group: str) -> int:
    message = f"{_PURPOSE}\n{fingerprint}\n{group}"
    return rsabssa.encode(bytes.fromhex(nonce) + message.encode("ascii"), _number(key))


def _number(digits: str) -> int:
    return int(digits, 16)


def _digits(number: int) -> str:
    return f"{number:0512x}"
