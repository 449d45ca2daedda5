"""Refusals and failures become answers, here only: JSON for programs, a page for people.

A page says what happened, what can be done, and where to look. The log names the endpoint and the
place in our code, never the request: a path holds a report's id, and an exception's message may
quote a body.
"""

import logging
import traceback
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from client.core.primitives.refusal import Refusal
from server.store.engines.failures import is_of_the_storage
from server.web.languages import say
from server.web.requests import wants_json
from server.web.urls import in_workbench

# Refusals that have texts of their own in the catalogue; the others repeat what programs hear.
_WITH_TEXTS = frozenset(
    {
        "failed",
        "not_found",
        "results_busy",
        "results_sealed",
        "storage_unavailable",
        "survey_archived",
        "survey_closed",
        "survey_full",
        "survey_not_open",
        "survey_purged",
        "survey_trashed",
        "unknown_group",
        "unknown_survey",
        "unknown_test",
    }
)
# Everything else that is refused is a bad request.
STATUS = {
    "login_needed": 401,
    "key_missing": 401,
    "key_wrong": 401,
    "for_operator": 403,
    "for_researchers": 403,
    "foreign_origin": 403,
    "invitation_missing": 403,
    "invitation_unknown": 403,
    "link_without_group": 403,
    "login_link_void": 403,
    "only_a_preview": 403,
    "role_too_low": 403,
    "scope_too_small": 403,
    "collecting_over": 410,
    "ticket_forged": 403,
    "survey_full": 403,
    "survey_not_open": 403,
    "unknown_api_key": 404,
    "unknown_group": 404,
    "unknown_manuscript": 404,
    "unknown_researcher": 404,
    "too_few_reports": 404,
    "unknown_figure": 404,
    "unknown_survey": 404,
    "by_invitation": 409,
    "clock_not_trusted": 409,
    "dates_fixed": 409,
    "document_changed": 409,
    "last_owner": 409,
    "link_used": 409,
    "manuscript_changed": 409,
    "manuscripts_full": 409,
    "name_taken": 409,
    "not_by_invitation": 409,
    "researcher_disabled": 409,
    "results_sealed": 409,
    "slug_taken": 409,
    "strays_undecided": 409,
    "ticket_spent": 409,
    "wrong_state": 409,
    "survey_archived": 410,
    "survey_closed": 410,
    "survey_closing": 410,
    "survey_purged": 410,
    "survey_trashed": 410,
    "too_large": 413,
    "wrong_content_type": 415,
    "too_many_attempts": 429,
    "too_many_now": 429,
    "storage_damaged": 500,
    "analysis_busy": 503,
    "drawing_busy": 503,
    "export_busy": 503,
    "hashing_busy": 503,
    "reading_busy": 503,
    "results_busy": 503,
    "signing_failed": 503,
    "storage_unavailable": 503,
    "ticket_key_missing": 503,
    "tickets_busy": 503,
}
RETRY_SECONDS = 2
_log = logging.getLogger("candor")


def notice(code: str, message: str = "", results: str = "", **values: str) -> str:
    """Render the page for a refusal. `results` is the address of the results, if there are any."""
    if in_workbench(request.path):
        return render_template("workbench/notice.html", code=code, message=message)
    name = "unknown_test" if code == "unknown_survey" and _is_test() else code
    if name not in _WITH_TEXTS:
        return render_template("notice.html", title=say("page.other.heading"), technical=message)
    return render_template(
        "notice.html",
        title=say(f"page.{name}.heading"),
        message=say(f"page.{name}.text", **values),
        advice=say(f"page.{name}.advice"),
        results=results or (_results_of_all() if code == "unknown_group" else ""),
    )


def _results_of_all() -> str:
    """Return the address of the results of all groups together."""
    return f"/{'t' if _is_test() else 's'}/{(request.view_args or {})['slug']}/results"


def _is_test() -> bool:
    return bool((request.view_args or {}).get("test"))


def translate_errors(app: Flask) -> None:
    app.register_error_handler(Refusal, _refused)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _failed)


def status_of(refusal: Refusal) -> int:
    return STATUS.get(refusal.code, 400)


def error_body(code: str, message: str, field: str | None) -> dict[str, Any]:
    """Return what programs hear of an error."""
    return {"error": {"code": code, "message": message, "field": field}}


def retry_header(refusal: Refusal) -> dict[str, str]:
    """Return the header that says when to try again, if that may help."""
    if refusal.code == "too_many_now":
        return {"Retry-After": str(60 * refusal.values["minutes"])}
    return {"Retry-After": str(RETRY_SECONDS)} if status_of(refusal) == 503 else {}


def _refused(refusal: Refusal) -> Response:
    response = _answer(status_of(refusal), refusal.code, refusal.message, refusal.field)
    response.headers.update(retry_header(refusal))
    return response


def _http_error(error: HTTPException) -> Response:
    """Answer what Flask refuses: unknown paths, and methods that a path does not take."""
    plain = error.get_response()
    if plain.status_code < 400:
        return make_response(plain)
    response = _answer(plain.status_code, error.name.lower().replace(" ", "_"), error.name, None)
    if "Allow" in plain.headers:
        response.headers["Allow"] = plain.headers["Allow"]
    return response


def _failed(error: Exception) -> Response:
    if is_of_the_storage(error):
        _log.error("%s could not read: %s", request.endpoint, type(error).__name__)
        return _refused(Refusal("storage_unavailable.reading"))
    place = "".join(traceback.format_tb(error.__traceback__))
    _log.error("%s failed with %s\n%s", request.endpoint, type(error).__name__, place)
    return _answer(500, "failed", "the server failed; nothing is known to be stored", None)


def _answer(status: int, code: str, message: str, field: str | None) -> Response:
    if wants_json(request):
        response = jsonify(error_body(code, message, field))
    else:
        response = make_response(notice(code, message))
    response.status_code = status
    return response
