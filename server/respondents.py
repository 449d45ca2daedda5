"""For respondents: the page, the document, the privacy figures, and the client's own files.

Everything here is the same for everybody, so that a fingerprint can pin it.
"""

from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, render_template, send_from_directory
from flask.typing import ResponseReturnValue

from client.decimals import decimal_text
from client.mechanisms import Supporting
from client.question import Question
from server.services import store

ROOT = Path(__file__).parent.parent
# What may be served from where; anything else in a folder does not exist.
CLIENT_TYPES = {".js": "text/javascript", ".json": "application/json"}
STATIC_TYPES = {".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}

HOME = (
    "Surveys live here whose answers are randomized on your own device before they are sent. "
    "To take part, open the link that you were given."
)
CLOSED = "This survey is closed"
CLOSED_MORE = "It takes no more reports. Thank you for wanting to take part."

respondents = Blueprint("respondents", __name__)


@respondents.get("/")
def home() -> ResponseReturnValue:
    return render_template("notice.html", title="Candor", message=HOME)


@respondents.get("/s/<slug>")
def page(slug: str) -> ResponseReturnValue:
    published = store().latest(slug)
    if not published.is_open:
        link = (f"/s/{slug}/results", "See the results")
        return render_template("notice.html", title=CLOSED, message=CLOSED_MORE, link=link), 410
    return render_template("survey.html")


@respondents.get("/s/<slug>/document.json")
def document(slug: str) -> ResponseReturnValue:
    return Response(store().latest(slug).survey.document, mimetype="application/json")


@respondents.get("/s/<slug>/privacy.json")
def privacy(slug: str) -> ResponseReturnValue:
    survey = store().latest(slug).survey
    return {
        "fingerprint": survey.fingerprint,
        "unit": "one person, this survey",
        "total_epsilon": decimal_text(survey.total_epsilon),
        "questions": [_figures(question) for question in survey.questions],
    }


@respondents.get("/client/<path:name>")
def client_file(name: str) -> ResponseReturnValue:
    return _send(ROOT / "client" / "browser", name, CLIENT_TYPES)


@respondents.get("/static/<path:name>")
def static_file(name: str) -> ResponseReturnValue:
    return _send(ROOT / "server" / "static", name, STATIC_TYPES)


def _figures(question: Question) -> dict[str, Any]:
    mechanism = question.mechanism
    chances = (
        {"p": float(mechanism.p), "q": float(mechanism.q)}
        if isinstance(mechanism, Supporting)
        else {}
    )
    return {
        "id": question.id,
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "threshold": mechanism.threshold,
        **mechanism.shape,
        "keep": float(mechanism.keep),
        **chances,
        "delivered_epsilon": mechanism.delivered_epsilon,
    }


def _send(folder: Path, name: str, types: dict[str, str]) -> Response:
    type = types.get(Path(name).suffix)
    if type is None:
        abort(404)
    # No validators: a cached copy is never asked about, and an ETag could tell visitors apart.
    return send_from_directory(folder, name, mimetype=type, etag=False, conditional=False)
