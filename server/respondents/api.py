"""The API for respondents' devices: issue tickets and take reports."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.survey import MAX_REPORT_BYTES
from server.api.description import ApiResponse, describe
from server.api.schemas import TEXT, responds, shape
from server.lifecycle.hand_in import hand_in, issue_ticket
from server.web.requests import json_body, require_own_origin
from server.web.services import services

MAX_INVITATION_BYTES = 1024
_STORED = shape(status={"const": "stored"})

devices = Blueprint("devices", __name__)


@devices.post("/tickets")
@describe(
    "Get a ticket for one report; it names nobody. The body is empty, or {invitation: ...} with "
    "what follows the fingerprint in a personal link or in a group's link.",
    responds("The ticket.", shape(ticket=TEXT), 201),
    scope=None,
)
def ticket(slug: str, test: bool) -> ResponseReturnValue:
    require_own_origin(request)
    return {"ticket": issue_ticket(services(), slug, test, _invitation())}, 201


@devices.put("/reports/<id>")
@describe(
    "Hand in a report under a random id. A status of 201 or 200 means that it is on disk.",
    {
        201: ApiResponse("Stored.", _STORED),
        200: ApiResponse("The same report was already stored.", _STORED),
    },
    body=shape(fingerprint=TEXT, randomized={"type": "object"}),
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
    """Return the invitation in the request's body, if there is one."""
    if not request.content_length:
        return None
    value = canonical.parse(json_body(request, MAX_INVITATION_BYTES), MAX_INVITATION_BYTES)
    if not isinstance(value, dict) or set(value) != {"invitation"}:
        raise Refusal("bad_invitation", "body")
    return str(value["invitation"])
