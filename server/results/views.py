"""Results as a page and as figures, of whatever tallies are shown."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from client.core.primitives.refusal import require
from client.core.translation import LocalizedSurvey
from estimators.tables.table import CONFIDENCE
from server.languages import percent
from server.results.downloads import download, file_name
from server.results.drawing import TYPES, drawn, panel_of
from server.results.figures import WIDE, Figure
from server.results.showing import Shown
from server.store.disclosure.milestones import MINIMUM


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
    require(bool(asked), "unknown_figure", f"there is no question {id[:80]!r}", "question")
    (figure,) = shown.figures(asked)
    require(
        figure.n > 0,
        "too_few_reports",
        f"nothing is shown of fewer than {shown.minimum} reports",
        "question",
    )
    return figure
