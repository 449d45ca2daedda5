"""Results as a page and as figures, of whatever tallies are shown."""

from typing import Any

from flask import Response

from client.refusal import require
from client.translation import Telling
from estimators.table import CONFIDENCE
from server.downloads import download, file_name
from server.drawing import TYPES, drawn, panel_of
from server.figures import WIDE, Figure
from server.languages import percent
from server.showing import Shown
from server.store.milestones import MINIMUM


def page_values(shown: Shown, told: Telling) -> dict[str, Any]:
    """What the templates of results need."""
    return {
        "shown": shown,
        "told": told,
        "figures": shown.figures(told.questions),
        "confidence": percent(CONFIDENCE, decimals=0),
        "often": round(100 * CONFIDENCE),
        "least": MINIMUM,
        "wide": round(100 * WIDE),
    }


def drawing_answer(shown: Shown, told: Telling, question: str, format: str) -> Response:
    """One question's figure, in the words of a telling."""
    content = drawn(panel_of(_figure(shown, told, question)), format)
    return download(content, TYPES[format], file_name(shown, f"{question}.{format}"))


def _figure(shown: Shown, told: Telling, id: str) -> Figure:
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
