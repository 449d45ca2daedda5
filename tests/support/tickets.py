"""Tickets as devices get them, asked for without HTTP."""

import json
from dataclasses import dataclass
from functools import cached_property

from client.core.primitives.words import secure_hex
from client.core.survey import Survey
from client.core.tickets.ticket import Blinding, blind, finalize
from server.invitations.codes import read_code
from server.lifecycle.asking import ask
from server.lifecycle.invitations import invite, open_link
from server.signing.blinded import signed_by
from server.store import reading
from server.store.invitations import Gift, asked_for, give_all
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.tickets import link_hash
from server.web.services import Services
from tests.support.groups import code


@dataclass(frozen=True)
class Device:
    """A device that asks for the ticket of a personal link, or of a test without one."""

    survey: Survey
    invitation: str = ""

    @cached_property
    def group(self) -> str:
        found = read_code(self.invitation, self.survey) if self.invitation else None
        return found.group if found else ""

    @cached_property
    def key(self) -> str:
        return dict(self.survey.ticket_keys)[self.group]

    @cached_property
    def blinding(self) -> Blinding:
        return blind(self.key, self.survey.fingerprint, self.group)

    @property
    def wish(self) -> dict[str, str]:
        """What it sends."""
        link = {"invitation": self.invitation} if self.invitation else {}
        return {**link, "blinded": self.blinding.blinded}

    @property
    def body(self) -> bytes:
        return json.dumps(self.wish).encode()

    def ticket(self, signed: str) -> str:
        """Return the ticket once the server has signed."""
        return finalize(self.key, self.survey.fingerprint, self.group, self.blinding, signed)


def bought(services: Services, survey: Survey, invitation: str) -> str:
    """Return the ticket that a personal link buys, or that the test of an invited survey gives."""
    device = Device(survey, invitation)
    return device.ticket(ask(services, survey.slug, device.body, survey.test).shape["signed"])


def new_links(services: Services, survey: Survey, count: int = 1, group: str = "") -> list[str]:
    """Return the codes of new personal links, of a group by its label."""
    made = max(count, LEAST_IN_GROUP if group else 1)
    codes: list[str] = invite(services, survey.slug, made, group)["invitations"]
    return codes[:count]


def new_ticket(services: Services, survey: Survey, group: str = "") -> str:
    """Return a genuine ticket for anybody; on an invited survey that of a new link."""
    if survey.ticket_keys:
        invitation = "" if survey.test else new_links(services, survey, 1, group)[0]
        return bought(services, survey, invitation)
    wish = {}
    if group:
        wish["group"] = open_link(services, survey.slug, group)["invitations"][0]
    body = json.dumps(wish).encode()
    return ask(services, survey.slug, body, survey.test).shape["ticket"]


def use_links(services: Services, survey: Survey, count: int, group: str = "") -> None:
    """Have links made and tickets given, as if devices had asked: no ticket comes of it.

    What a signature was made for is found without the private key, so this takes no time.
    """
    in_link = group if code(survey, group) in survey.ticket_groups else ""
    of_link = code(survey, in_link)
    key = dict(survey.ticket_keys)[of_link]
    published = reading.newest(services.database.reader, survey.slug)
    given = []
    for invitation in new_links(services, survey, count, in_link):
        # One byte less than the key, so it is smaller.
        answer = f"{secure_hex(64)[2:]:0>512}"
        gift = Gift(
            published.key,
            link_hash(services.secret, survey.fingerprint, invitation),
            of_link,
            asked_for(signed_by(key, answer)),
            bytes.fromhex(answer),
        )
        given.append(services.database.start_in_set(give_all, gift))
    assert all(future.result() for future in given)
