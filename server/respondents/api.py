"""The API for respondents' devices: give tickets and take reports.

No address has anything of a ticket or of a report in it, so no log of a proxy has either.
"""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client.core.survey import MAX_REPORT_BYTES
from server.api.description import ApiResponse, describe
from server.api.schemas import TEXT, shape
from server.lifecycle.asking import MAX_BYTES, ask
from server.lifecycle.hand_in import hand_in
from server.web.requests import json_body, require_own_origin
from server.web.services import services

_STORED = shape(status={"const": "stored"})
_DIGITS = {"type": "string", "pattern": "^[0-9a-f]{512}$"}
_OPEN, _GROUP, _TEST = shape(), shape(group=TEXT), shape(blinded=_DIGITS)
_LINK = shape(invitation=TEXT, blinded=_DIGITS)
_TICKET = {"oneOf": [shape(ticket=TEXT), shape(signed=_DIGITS)]}

devices = Blueprint("devices", __name__)


@devices.post("/tickets")
@describe(
    "Get a ticket for one report. On an open survey it names nobody; `group` is what follows the "
    "fingerprint in a group's link. On an invited one the server signs `blinded` once for each "
    "`invitation`, which is what follows the fingerprint in a personal link, and closes the "
    "connection.",
    {
        201: ApiResponse("The ticket, or the signature from which the device makes it.", _TICKET),
        200: ApiResponse("The same device asked for the same before.", _TICKET),
    },
    body={"oneOf": [_OPEN, _GROUP, _LINK, _TEST]},
    scope=None,
)
def ticket(slug: str, test: bool) -> ResponseReturnValue:
    require_own_origin(request)
    given = ask(services(), slug, json_body(request, MAX_BYTES), test)
    return given.shape, 201 if given.is_new else 200


@devices.post("/reports")
@describe(
    "Hand in a report with its ticket. A status of 201 or 200 means that it is on disk.",
    {
        201: ApiResponse("Stored.", _STORED),
        200: ApiResponse("The same report was already stored.", _STORED),
    },
    body=shape(fingerprint=TEXT, randomized={"type": "object"}),
    headers={"Candor-Ticket": TEXT},
    scope=None,
)
def report(slug: str, test: bool) -> ResponseReturnValue:
    require_own_origin(request)
    body = json_body(request, MAX_REPORT_BYTES)
    new = hand_in(services(), slug, body, request.headers.get("Candor-Ticket"), test)
    return {"status": "stored"}, 201 if new else 200
