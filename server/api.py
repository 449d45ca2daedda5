"""For respondents' devices: tickets and reports."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client.survey import MAX_REPORT_BYTES
from server.guards import json_body, require_own_origin
from server.handing_in import hand_in, issue_ticket
from server.services import services

api = Blueprint("api", __name__)


@api.post("/tickets")
def ticket(slug: str, test: bool) -> ResponseReturnValue:
    require_own_origin(request)
    return {"ticket": issue_ticket(services(), slug, test)}, 201


@api.put("/reports/<id>")
def report(slug: str, test: bool, id: str) -> ResponseReturnValue:
    require_own_origin(request)
    body = json_body(request, MAX_REPORT_BYTES)
    ticket = request.headers.get("Candor-Ticket")
    new = hand_in(services(), slug, id, body, ticket, test)
    return {"status": "stored"}, 201 if new else 200
