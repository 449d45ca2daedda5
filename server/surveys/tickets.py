"""Tickets: the right to hand in one report. Signed, so nothing is stored when one is issued.

A ticket is a random nonce, the group of its link if that has one, and their signature for one
version of one survey. It names nobody; when it is spent, only its hash is kept.
"""

import hashlib
import hmac
import re

from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex

GROUP = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?")
TICKET = re.compile(rf"(?P<nonce>[0-9a-f]{{32}})(?:\.(?P<group>{GROUP.pattern}))?\.[0-9a-f]{{64}}")
# A group's name is shorter than a nonce, so its key is never a ticket.
GROUP_KEY = re.compile(rf"(?P<group>{GROUP.pattern})\.[0-9a-f]{{64}}")


def issue(secret: bytes, fingerprint: str, group: str = "") -> str:
    """Issue a ticket for one report to the survey with this fingerprint, in a group or in none."""
    nonce = secure_hex(4)
    return _signed(secret, fingerprint, *([nonce, group] if group else [nonce]))


def for_code(secret: bytes, fingerprint: str, code: str, group: str = "") -> str:
    """Return the one ticket that the code of a personal link buys, in the group of that link."""
    # Half of a signature over three parts, which is never that of a ticket or of a group's key.
    nonce = _signature(secret, fingerprint, "code", code, group)[:32]
    return _signed(secret, fingerprint, *([nonce, group] if group else [nonce]))


def check(secret: bytes, fingerprint: str, ticket: str | None) -> bytes:
    """Return the hash of a genuine ticket; raise if it is missing or forged."""
    if ticket is None:
        raise Refusal("ticket_missing", "ticket")
    if not (TICKET.fullmatch(ticket) and _is_signed(secret, fingerprint, ticket)):
        raise Refusal("ticket_forged", "ticket")
    return hash_of(ticket)


def hash_of(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode()).digest()


def group_of(ticket: str) -> str:
    """Return the group in a ticket or in a group's key; "" for none."""
    found = TICKET.fullmatch(ticket) or GROUP_KEY.fullmatch(ticket)
    return found["group"] or "" if found else ""


def group_key(secret: bytes, fingerprint: str, group: str) -> str:
    """Return the key in a group's open link, which entitles to tickets of that group."""
    return _signed(secret, fingerprint, group)


def is_group_key(secret: bytes, fingerprint: str, key: str) -> bool:
    return GROUP_KEY.fullmatch(key) is not None and _is_signed(secret, fingerprint, key)


def _signed(secret: bytes, fingerprint: str, *parts: str) -> str:
    return ".".join([*parts, _signature(secret, fingerprint, *parts)])


def _is_signed(secret: bytes, fingerprint: str, text: str) -> bool:
    *parts, signature = text.split(".")
    return hmac.compare_digest(signature, _signature(secret, fingerprint, *parts))


def _signature(secret: bytes, fingerprint: str, *parts: str) -> str:
    message = "\n".join([fingerprint, *parts])
    return hmac.digest(secret, message.encode(), "sha256").hex()
