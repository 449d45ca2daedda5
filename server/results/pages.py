"""For readers: the results page, the estimates and the figures to download, all of one snapshot."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import require
from client.core.translation import LocalizedSurvey
from estimators.confidence import CONFIDENCE
from server.results.downloads import (
    TYPES,
    csv_answer,
    download,
    drawn,
    file_name,
    json_answer,
    panel_of,
)
from server.results.figures import WIDE, Figure
from server.results.shown import Shown, live_results, public_results
from server.surveys.disclosure import MINIMUM
from server.web.languages import percent, telling
from server.web.requests import whole_number
from server.web.services import database, refuse_trashed

results = Blueprint("results", __name__)
results.before_request(refuse_trashed)


@results.get("/results")
def page(slug: str, test: bool) -> ResponseReturnValue:
    shown = _shown(slug, test)
    return render_template("results.html", **page_values(shown, telling(shown.survey)))


@results.get("/estimates.json")
def estimates_json(slug: str, test: bool) -> ResponseReturnValue:
    return json_answer(_shown(slug, test))


@results.get("/estimates.csv")
def estimates_csv(slug: str, test: bool) -> ResponseReturnValue:
    return csv_answer(_shown(slug, test))


@results.get("/figures/<question>.<any(svg, png, pdf):format>")
def drawing(slug: str, test: bool, question: str, format: str) -> ResponseReturnValue:
    shown = _shown(slug, test)
    return drawing_answer(shown, telling(shown.survey), question, format)


def _shown(slug: str, test: bool) -> Shown:
    """`?version=2` asks for an earlier version, `?group=arm-a` for one group.

    A test is live for everybody, and nothing of it is hidden: its reports are rehearsals.
    """
    show = live_results if test else public_results
    return show(database(test), slug, whole_number(request, "version"), request.args.get("group"))


def page_values(shown: Shown, told: LocalizedSurvey) -> dict[str, Any]:
    """What the templates of results need."""
    return {
        "shown": shown,
        "told": told,
        "figures": shown.figures(told.questions),
        "confidence": percent(CONFIDENCE, decimals=0),
        "often": round(100 * CONFIDENCE),
        "least": MINIMUM,
        "wide": round(100 * WIDE),
        "query": _query(shown, shown.group),
        "query_of": partial(_query, shown),
    }


def _query(shown: Shown, group: str | None) -> str:
    """What leads to a group, or to all of them, of the version that was asked for."""
    asked = {"version": str(shown.survey.version)} if "version" in request.args else {}
    if group is not None:
        asked["group"] = group
    return f"?{urlencode(asked)}" if asked else ""


def drawing_answer(shown: Shown, told: LocalizedSurvey, question: str, format: str) -> Response:
    """One question's figure, in the words of a telling."""
    shown.published.require_readable()
    content = drawn(panel_of(_figure(shown, told, question)), format)
    return download(content, TYPES[format], file_name(shown, f"{question}.{format}"))


def _figure(shown: Shown, told: LocalizedSurvey, id: str) -> Figure:
    asked = [question for question in told.questions if question.id == id]
    require(bool(asked), "unknown_figure", "question", id=id)
    (figure,) = shown.figures(asked)
    require(figure.n > 0, "too_few_reports.figure", "question", least=shown.minimum)
    return figure
