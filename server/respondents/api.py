"""For respondents' devices: tickets and reports."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.survey import MAX_REPORT_BYTES
from server.api.description import Gives, describe
from server.api.schemas import TEXT, gives, shape
from server.lifecycle.hand_in import hand_in, issue_ticket
from server.web.requests import json_body, require_own_origin
from server.web.services import services

MAX_INVITATION_BYTES = 1024
_STORED = shape(status={"const": "stored"})

devices = Blueprint("devices", __name__)


@devices.post("/tickets")
@describe(
    "A ticket for one report; it names nobody. The body is empty, or {invitation: ...} with what "
    "stands after the fingerprint in a personal link or in that of a group.",
    gives("The ticket.", shape(ticket=TEXT), 201),
    scope=None,
)
def ticket(slug: str, test: bool) -> ResponseReturnValue:
    require_own_origin(request)
    return {"ticket": issue_ticket(services(), slug, test, _invitation())}, 201


@devices.put("/reports/<id>")
@describe(
    "Hand in a report under a random id. Its answer means that the report is on disk.",
    {201: Gives("Stored.", _STORED), 200: Gives("The same report again.", _STORED)},
    takes=shape(fingerprint=TEXT, randomized={"type": "object"}),
    headers={"Candor-Ticket": TEXT},
    scope=None,
)
def report(slug: str, test: bool, id: str) -> ResponseReturnValue:
    require_own_origin(request)
    body = json_body(request, MAX_REPORT_BYTES)
    ticket = request.headers.get("Candor-Ticket")
    new = hand_in(services(), slug, id, body, ticket, test)
    return {"status": "stored"}, 201 if new else 200


def _invitation() -> str | None:
    """What the device's link carries, if it carries anything."""
    if not request.content_length:
        return None
    value = canonical.parse(json_body(request, MAX_INVITATION_BYTES), MAX_INVITATION_BYTES)
    if not isinstance(value, dict) or set(value) != {"invitation"}:
        raise Refusal("bad_invitation", "body")
    return str(value["invitation"])
