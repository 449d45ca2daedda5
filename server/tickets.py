"""Tickets: the right to hand in one report. Signed, so nothing is stored when one is issued.

A ticket is a random nonce and its signature for one version of one survey. It names nobody; when
it is spent, only its hash is kept.
"""

import hashlib
import hmac
import re

from client.refusal import Refusal
from client.words import secure_hex

TICKET = re.compile(r"[0-9a-f]{32}\.[0-9a-f]{64}")


def issue(secret: bytes, fingerprint: str) -> str:
    """A fresh ticket for one report to the survey with this fingerprint."""
    nonce = secure_hex(4)
    return f"{nonce}.{_signature(secret, fingerprint, nonce)}"


def check(secret: bytes, fingerprint: str, ticket: str | None) -> bytes:
    """The hash under which a genuine ticket is spent."""
    if ticket is None:
        raise Refusal(
            "ticket_missing", "a report needs a ticket in the header Candor-Ticket", "ticket"
        )
    if not TICKET.fullmatch(ticket):
        raise _forged()
    nonce, _, signature = ticket.partition(".")
    if not hmac.compare_digest(signature, _signature(secret, fingerprint, nonce)):
        raise _forged()
    return hashlib.sha256(ticket.encode()).digest()


def _signature(secret: bytes, fingerprint: str, nonce: str) -> str:
    return hmac.new(secret, f"{fingerprint}\n{nonce}".encode(), hashlib.sha256).hexdigest()


def _forged() -> Refusal:
    return Refusal("ticket_forged", "this ticket was not issued for this survey", "ticket")
