"""For the operator's command line while the server runs: the same changes, with the key."""

import hmac
from typing import Any

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from client import strict
from client.document import MAX_DEPTH, MAX_DOCUMENT_BYTES
from client.refusal import Refusal, require
from server.accounts_api import accounts
from server.closing import close_survey
from server.deleting import delete_due
from server.guards import json_body, whole_number
from server.publishing import publish_draft, rehearse_draft
from server.services import services
from server.store import Schedule
from server.summary import publication_summary, state_summary

operator = Blueprint("operator", __name__, url_prefix="/api")
operator.register_blueprint(accounts)


@operator.before_request
def require_operator_key() -> None:
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    require(
        scheme == "Bearer" and hmac.compare_digest(key.encode(), services().operator_key.encode()),
        "operator_key_wrong",
        "only the operator may do this; the key in Authorization is missing or wrong",
        "Authorization",
    )


@operator.post("/surveys")
def publish() -> ResponseReturnValue:
    publication = publish_draft(
        services(),
        _draft(),
        new_version="new_version" in request.args,
        confirm_weak="confirm_weak" in request.args,
        schedule=Schedule.of_days(
            request.args.get("opens"),
            request.args.get("closes"),
            services().store.now,
            whole_number(request, "closes_at"),
        ),
    )
    return publication_summary(publication), 201 if publication.created else 200


@operator.post("/drafts")
def rehearse() -> ResponseReturnValue:
    publication = rehearse_draft(services(), _draft(), "confirm_weak" in request.args)
    return publication_summary(publication), 201


@operator.post("/surveys/<slug>/close")
def close(slug: str) -> ResponseReturnValue:
    return close_survey(services().store, slug, request.args.get("grace"))


@operator.post("/surveys/<slug>/archive")
def archive(slug: str) -> ResponseReturnValue:
    return state_summary(services().store.archive(slug))


@operator.post("/surveys/<slug>/trash")
def trash(slug: str) -> ResponseReturnValue:
    return state_summary(services().store.trash(slug))


@operator.post("/surveys/<slug>/restore")
def restore(slug: str) -> ResponseReturnValue:
    return state_summary(services().store.restore(slug))


@operator.post("/purge")
def purge() -> ResponseReturnValue:
    return delete_due(services(), "dry_run" in request.args)


def _draft() -> dict[str, Any]:
    body = json_body(request, MAX_DOCUMENT_BYTES)
    draft = strict.parse(body, MAX_DOCUMENT_BYTES, "draft", MAX_DEPTH)
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", "a draft must be a JSON object", "draft")
    return draft
