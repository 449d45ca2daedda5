"""The ticket of a device: asked for once, and kept until the report takes it along.

Whatever a device asks the server with is on disk first. After silence it sends the same bytes
again, so that a link buys one ticket however often it is tried.
"""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from client.core.access import INVITED
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from client.core.tickets.ticket import Blinding, blind, finalize
from client.terminal import kept
from client.terminal.groups import group_of_code, plain_code
from client.terminal.transport import SurveyLink, with_retries


@dataclass(frozen=True)
class Asked:
    """What a device keeps from before it asks until it has a ticket."""

    invitation: str
    # None if the key was bad. That is kept, too: to try again would be to choose what is drawn.
    blinding: Blinding | None


class TicketPocket:
    """What a device has asked with, by document and link, and its ticket, by document."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ticket(self, fingerprint: str) -> str | None:
        """Return the ticket; what it was asked with goes for good, as a kill may have left it."""
        ticket = kept.read(self._ticket(fingerprint))
        if ticket is None:
            return None
        self._forget_asked(fingerprint)
        return str(ticket)

    def asked(self, fingerprint: str, invitation: str) -> Asked | None:
        """Return what was asked with for this link; a link without a code means the only one."""
        files = [self._asked(fingerprint, invitation)]
        if not invitation:
            files = sorted(self._folder.glob(f"{fingerprint}.*.asked"))[:2]
        found = [_asked_in(path) for path in files]
        return found[0] if len(found) == 1 else None

    def keep_asked(self, fingerprint: str, asked: Asked) -> Asked | None:
        """Keep what the server is asked with, or return what was kept first, if it still is."""
        path = self._asked(fingerprint, asked.invitation)
        kept.keep_first(path, asdict(asked))
        return _asked_in(path)

    def keep_ticket(self, fingerprint: str, ticket: str) -> str:
        """Keep a ticket instead of what it was asked with, or return the one that was first."""
        first = kept.keep_first(self._ticket(fingerprint), ticket)
        self._forget_asked(fingerprint)
        return str(first or ticket)

    def forget(self, fingerprint: str) -> None:
        """Remove the ticket, which the report now takes along."""
        kept.remove(self._ticket(fingerprint))
        self._forget_asked(fingerprint)
        for draft in self._folder.glob(f"{fingerprint}.*.part"):
            kept.remove(draft)

    def _forget_asked(self, fingerprint: str) -> None:
        for path in self._folder.glob(f"{fingerprint}.*.asked"):
            kept.remove(path)

    def _ticket(self, fingerprint: str) -> Path:
        return self._folder / f"{fingerprint}.ticket"

    def _asked(self, fingerprint: str, invitation: str) -> Path:
        digest = hashlib.sha256(plain_code(invitation).encode()).hexdigest()
        return self._folder / f"{fingerprint}.{digest[:16]}.asked"


def _asked_in(path: Path) -> Asked | None:
    value = kept.read(path)
    try:
        if value is None:
            return None
        blinding = value["blinding"]
        return Asked(value["invitation"], None if blinding is None else Blinding(**blinding))
    except (KeyError, TypeError):
        raise Refusal("outbox_unreadable", path=path) from None


def get_ticket(link: SurveyLink, survey: Survey, pocket: TicketPocket) -> str:
    """Return the ticket of this device, and ask for one only if there is none yet."""
    if survey.access != INVITED:
        return link.ask_for_open_ticket()
    fingerprint = survey.fingerprint
    ticket = pocket.ticket(fingerprint)
    if ticket is not None:
        return ticket
    asked = pocket.asked(fingerprint, link.invitation)
    group = group_of_code(survey, asked.invitation if asked else link.invitation)
    key = dict(survey.ticket_keys)[group]
    if asked is None:
        new = Asked(link.invitation, _covered(key, fingerprint, group))
        asked = pocket.keep_asked(fingerprint, new)
        # Another terminal may have got the ticket meanwhile. It keeps that before it removes what
        # it has asked with, so whoever finds nothing asked finds the ticket here.
        if asked is None or pocket.ticket(fingerprint) is not None:
            return get_ticket(link, survey, pocket)
    invitation, blinding = asked.invitation, asked.blinding
    if blinding is None:
        raise Refusal("bad_ticket_key.factor", "ticket_keys")
    signed = with_retries(lambda: link.ask_to_sign(invitation, blinding.blinded))
    return pocket.keep_ticket(fingerprint, finalize(key, fingerprint, group, blinding, signed))


def _covered(key: str, fingerprint: str, group: str) -> Blinding | None:
    try:
        return blind(key, fingerprint, group)
    except Refusal:
        return None
