"""Tickets: each is the right to hand in one report, and gives the report its id.

A ticket of an open survey is a random nonce, the group of its link if that has one, and the
server's signature of both for one version of one survey. It names nobody, and nothing is stored
when it is issued. Those of invited surveys are blind: `client/core/tickets` checks them.
"""

import hmac
import re

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import secure_hex
from client.core.survey import Survey
from client.core.tickets import ticket as blind_tickets
from client.core.tickets.ticket import GROUP

TICKET = re.compile(rf"(?P<nonce>[0-9a-f]{{64}})(?:\.(?P<group>{GROUP.pattern}))?\.[0-9a-f]{{64}}")
# A group's name is shorter than a nonce, so its key is never a ticket.
GROUP_KEY = re.compile(rf"(?P<group>{GROUP.pattern})\.[0-9a-f]{{64}}")
_NONCE_WORDS = 8


def issue(secret: bytes, fingerprint: str, group: str = "") -> str:
    """Issue a ticket for one report to the open survey with this fingerprint."""
    nonce = secure_hex(_NONCE_WORDS)
    return _signed(secret, fingerprint, *([nonce, group] if group else [nonce]))


def check(secret: bytes, survey: Survey, ticket: str | None) -> str:
    """Return the group of a genuine ticket, "" for none; raise if it is missing or forged."""
    if ticket is None:
        raise Refusal("ticket_missing", "ticket")
    if survey.ticket_keys:
        return blind_tickets.verify(ticket, dict(survey.ticket_keys), survey.fingerprint).group
    found = TICKET.fullmatch(ticket)
    if found is None or not _is_signed(secret, survey.fingerprint, ticket):
        raise Refusal("ticket_forged", "ticket")
    return found["group"] or ""


def link_hash(secret: bytes, fingerprint: str, code: str) -> bytes:
    """Return what is stored of the code in a personal link; it says nothing without the secret."""
    return bytes.fromhex(_signature(secret, fingerprint, "invitation", code))


def group_key(secret: bytes, fingerprint: str, group: str) -> str:
    """Return the key in a group's open link, which entitles to tickets of that group."""
    return _signed(secret, fingerprint, group)


def group_of_key(secret: bytes, fingerprint: str, key: str) -> str:
    """Return the group of a group's key; raise if it is none of this survey."""
    found = GROUP_KEY.fullmatch(key)
    require(
        found is not None and _is_signed(secret, fingerprint, key),
        "invitation_unknown",
        "group",
    )
    return key.partition(".")[0]


def _signed(secret: bytes, fingerprint: str, *parts: str) -> str:
    return ".".join([*parts, _signature(secret, fingerprint, *parts)])


def _is_signed(secret: bytes, fingerprint: str, text: str) -> bool:
    *parts, signature = text.split(".")
    return hmac.compare_digest(signature, _signature(secret, fingerprint, *parts))


def _signature(secret: bytes, fingerprint: str, *parts: str) -> str:
    message = "\n".join([fingerprint, *parts])
    return hmac.digest(secret, message.encode(), "sha256").hex()
