"""For the operator's command line while the server runs: publish and close, with the key."""

import hmac

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client import strict
from client.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.refusal import Refusal, require
from server.guards import json_body
from server.publishing import publish_draft
from server.services import services, store
from server.summary import closing_summary, publication_summary

operator = Blueprint("operator", __name__, url_prefix="/api/surveys")


@operator.before_request
def require_operator_key() -> None:
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    require(
        scheme == "Bearer" and hmac.compare_digest(key.encode(), services().operator_key.encode()),
        "operator_key_wrong",
        "only the operator may do this; the key in Authorization is missing or wrong",
        "Authorization",
    )


@operator.post("")
def publish() -> ResponseReturnValue:
    body = json_body(request, MAX_DOCUMENT_BYTES)
    draft = strict.parse(body, MAX_DOCUMENT_BYTES, "draft", MAX_DEPTH)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", "a draft must be a JSON object", "draft")
    publication = publish_draft(
        store(),
        draft,
        new_version="new_version" in request.args,
        confirm_weak="confirm_weak" in request.args,
    )
    return publication_summary(publication), 201 if publication.created else 200


@operator.post("/<slug>/close")
def close(slug: str) -> ResponseReturnValue:
    return closing_summary(store().close_survey(slug))
