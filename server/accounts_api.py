"""For the operator's command line while the server runs: researchers and the audit log."""

from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client import strict
from client.document import MAX_DEPTH
from client.refusal import require
from server.accounts import act
from server.guards import json_body
from server.services import services
from server.summary import log_summary

MAX_BYTES = 4096

# Within the operator's blueprint, whose key it needs.
accounts = Blueprint("accounts", __name__)


@accounts.post("/researchers/<action>")
def researchers(action: str) -> ResponseReturnValue:
    return act(services().office, action, _fields())


@accounts.get("/log")
def log() -> ResponseReturnValue:
    return log_summary(services().store.history(request.args.get("slug")))


def _fields() -> dict[str, Any]:
    fields = strict.parse(json_body(request, MAX_BYTES), MAX_BYTES, "body", MAX_DEPTH)
    require(isinstance(fields, dict), "not_a_mapping", "the body must be a JSON object")
    found: dict[str, Any] = fields
    return found
