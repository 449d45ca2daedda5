"""Honest reports to surveys of every kind, and what becomes of them before they are sent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from client.core.assignment import draw_assignment
from client.core.primitives.domain import Checks, Levels
from client.core.question import Question
from client.core.respond import respond
from client.core.survey import Survey
from client.core.tickets.ticket import blind_with, finalize
from server.signing.keys import SigningKeys
from server.surveys import tickets
from server.web.services import Services
from tests.support import every_kind
from tests.support.ballots import DRAFT
from tests.support.groups import with_factors
from tests.support.hand_in import HandIn, hand_in
from tests.support.publishing import publish_draft, try_draft
from tests.support.roads import ODD_HEADERS
from tests.support.surveys import EVERY_KIND
from tests.torture.bad_input.mutation import spoil_bytes, spoil_json

# One for each way to be asked; a survey by invitation is open to anybody only as a test.
_DRAFTS: Mapping[str, dict[str, Any]] = {
    "plain": DRAFT,
    "kinds": EVERY_KIND,
    "sampled": every_kind.SAMPLED,
    "choice": with_factors(DRAFT, "choice"),
    "link": with_factors(DRAFT),
    "device": {**every_kind.SAMPLED, "access": "invited"},
}
_HTTP = (
    *(b"\r\n", b"\r\n\r\n", b"\n", b"\r", b"\x00", b" ", b":", b"\t", b"\xff", b"%", b"?", b"#"),
    *(b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n"),
    *(b"Content-Length: 99999999999\r\n", b"Connection: close\r\n", b"Expect: 100-continue\r\n"),
    *(b"Host: [\r\n", b"HTTP/1.0", b"HTTP/9.9", b"GET", b"../", b"//", b"X: " + b"x" * 5000),
)
# Completes most requests that lack some bytes: nobody has to wait for their deadline.
_REST = b" " * 100 + b"\r\n\r\n"
# How a request reaches the server, and what of it is spoiled.
BODY, HEAD, SOCKET, WIRE = "body", "head", "socket", "wire"


class DiceWords:
    """Words that dice decide."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def word(self) -> int:
        return self._dice.getrandbits(32)


@dataclass(frozen=True)
class Asked:
    """A survey that is open, its document, and what signs its tickets."""

    survey: Survey
    secret: bytes
    keys: SigningKeys

    @cached_property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.survey.document))

    def _ticket(self, group: str, dice: Random) -> str:
        survey = self.survey
        if not survey.ticket_keys:
            return tickets.issue(self.secret, survey.fingerprint, group)
        ((_, key),) = survey.ticket_keys
        blinding = blind_with(DiceWords(dice), key, survey.fingerprint, group)
        signed = self.keys.sign(key, blinding.blinded)
        return finalize(key, survey.fingerprint, group, blinding, signed)

    def answer(self, dice: Random) -> tuple[dict[str, Any], HandIn]:
        """Return an honest report's randomized answers, and the request that hands it in."""
        survey, words = self.survey, DiceWords(dice)
        group = dice.choice(survey.groups.codes) if survey.groups else ""
        by_link = "" if survey.chosen_groups else group
        ticket = self._ticket(by_link, dice)
        answers = {question.id: _answer(question, dice) for question in survey.questions}
        report = respond(survey, draw_assignment(survey, ticket), answers, words, group)
        return report.randomized, hand_in(survey, report.wire(survey), ticket)


@dataclass(frozen=True)
class Sent:
    """A request that may be spoiled, and the answers of the honest report that it was."""

    asked: Asked
    way: str
    answers: dict[str, Any]
    item: HandIn
    # What is changed in the environment of the request, or the whole of it in bytes.
    head: Mapping[str, Any]
    wire: bytes = b""

    def __repr__(self) -> str:
        return repr((self.way, self.item, self.head, self.wire, self.asked.survey.document))


def open_surveys(services: Services) -> list[Asked]:
    """Publish all surveys."""
    return [
        Asked(_open(services, {**draft, "slug": name}), services.secret, services.drafts.keys)
        for name, draft in _DRAFTS.items()
    ]


def _open(services: Services, draft: dict[str, Any]) -> Survey:
    publish = try_draft if "access" in draft else publish_draft
    return publish(services, draft, confirm_weak=True).published.survey


def draw(asked: Asked, dice: Random) -> Sent:
    """Draw a request: most have only another body, some are sent over a socket."""
    answers, item = asked.answer(dice)
    way = dice.choices((BODY, HEAD, SOCKET, WIRE), (87, 8, 4, 1))[0]
    if way == WIRE:
        return Sent(asked, way, answers, item, {}, spoil_bytes(item.wire, dice, _HTTP) + _REST)
    body = spoil_json(item.body.decode(), dice)
    head = _odd_head(dice) if way == HEAD else {}
    return Sent(asked, way, answers, replace(item, body=body), head)


def _odd_head(dice: Random) -> dict[str, Any]:
    name = dice.choice(list(ODD_HEADERS))
    return {name: dice.choice(ODD_HEADERS[name])}


def _answer(question: Question, dice: Random) -> Any:
    domain = question.domain
    if isinstance(domain, Checks):
        return sorted(dice.sample(range(domain.options), dice.randint(0, domain.at_most)))
    return dice.randrange(domain.count if isinstance(domain, Levels) else domain.options)
