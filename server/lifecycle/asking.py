"""Asking for a ticket: one that names nobody on an open survey, a blind one for a personal link.

On an invited survey the server signs what it cannot read, once for each link. Whoever asks again
with the same gets the same, so no device loses its turn because an answer was lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from client.core.access import INVITED
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from server.invitations.codes import read_code
from server.signing.blinded import check_blinded
from server.store import invitations, reading
from server.store.database import Database
from server.store.invitations import HAS_ASKED, NOT_ASKED, Asked, Gift, asked_for
from server.surveys import tickets
from server.surveys.groups import takes_plain_link
from server.surveys.records import Published
from server.surveys.states import OVER, refusal_for_respondents
from server.web.limits import SIGNING, TEST_SIGNING
from server.web.services import Services

MAX_BYTES = 1024
# Longer than a disk's bad moment, shorter than a client's patience.
GIVING_SECONDS = 10.0
# All that anybody may ask with; the values are texts.
_SHAPES = (set[str](), {"group"}, {"blinded"}, {"invitation", "blinded"})

Wish = Mapping[str, str]


@dataclass(frozen=True)
class Given:
    """What a device gets, and whether it is given for the first time."""

    shape: dict[str, str]
    is_new: bool = True


def ask(services: Services, slug: str, body: bytes, test: bool = False) -> Given:
    """Give a ticket to whoever asks with this body."""
    wish = read_wish(body)
    database = services.database_of(test)
    published = reading.newest(database.reader, slug)
    if published.survey.access != INVITED:
        require("blinded" not in wish, "no_tickets", "slug", slug=slug)
        return Given({"ticket": _open_ticket(services, published, wish)})
    if published.state in OVER:
        raise refusal_for_respondents(published.state)
    if published.survey.test:
        return Given({"signed": _of_a_test(database, published, wish)})
    return _for_a_link(services, published, wish)


def read_wish(body: bytes) -> Wish:
    """Return what somebody asks with; raise unless it is one of the shapes."""
    try:
        wish = canonical.parse(body, MAX_BYTES)
    except Refusal as refusal:
        raise Refusal("bad_ticket_request.json", "body", reason=refusal.message) from None
    known = isinstance(wish, dict) and set(wish) in _SHAPES
    require(known and all(isinstance(item, str) for item in wish.values()), "bad_ticket_request")
    found: Wish = wish
    return found


def _open_ticket(services: Services, published: Published, wish: Wish) -> str:
    """Issue a ticket of an open survey, in the group whose open link has the key."""
    published.require_tickets()
    survey, group = published.survey, ""
    if "group" in wish:
        require(not survey.test, "invitation_unknown", "group")
        group = tickets.group_of_key(services.secret, survey.fingerprint, wish["group"])
    require(bool(group) or takes_plain_link(survey), "link_without_group", "group")
    services.tickets_issued.count(published.key, published.schedule.per_hour)
    return tickets.issue(services.secret, survey.fingerprint, group)


def _of_a_test(database: Database, published: Published, wish: Wish) -> str:
    """Sign for anybody: everybody who has the link of a test may try it, as often as they like."""
    require(set(wish) == {"blinded"}, "bad_ticket_request")
    ((_, key),) = published.survey.ticket_keys
    blinded = check_blinded(key, wish["blinded"])
    with TEST_SIGNING:
        return database.keys.sign(key, blinded)


def _for_a_link(services: Services, published: Published, wish: Wish) -> Given:
    """Sign once for a personal link; the same again for the device that asked before."""
    survey, database = published.survey, services.database
    require(bool(wish.get("invitation")), "invitation_missing", "invitation")
    code, keys = read_code(wish["invitation"], survey), dict(survey.ticket_keys)
    if code is None or code.group not in keys:
        raise Refusal("invitation_unknown", "invitation")
    hash = tickets.link_hash(services.secret, survey.fingerprint, code.text)
    stored = _stored(database, published, hash)
    key = keys[code.group]
    blinded = check_blinded(key, wish["blinded"])
    asked = asked_for(blinded)
    if not _is_free(stored, asked):
        return Given({"signed": stored.answer.hex()}, is_new=False)
    published.require_tickets()
    with SIGNING:
        signed = database.keys.sign(key, blinded)
    gift = Gift(published.key, hash, code.group, asked, bytes.fromhex(signed))
    if database.write_in_set(GIVING_SECONDS, invitations.give_all, gift):
        return Given({"signed": signed})
    # What was signed in vain is thrown away: another device was faster, or the time is up.
    stored = _stored(database, published, hash)
    if not _is_free(stored, asked):
        return Given({"signed": stored.answer.hex()}, is_new=False)
    reading.version_of(database.reader, survey.slug, survey.version).require_tickets()
    raise Refusal("storage_unavailable.slow")


def _stored(database: Database, published: Published, hash: bytes) -> Asked:
    row = invitations.find(database.reader, published, hash)
    if row is None:
        raise Refusal("invitation_unknown", "invitation")
    return row


def _is_free(stored: Asked, asked: bytes) -> bool:
    """Tell whether nobody asked with this link yet; raise if somebody else did."""
    require(stored.hash != HAS_ASKED, "survey_closed")
    require(stored.hash in (NOT_ASKED, asked), "link_used", "invitation")
    return stored.hash == NOT_ASKED
