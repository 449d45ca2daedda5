"""For readers: the results page and the estimates to download, all of one snapshot."""

import json
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from client.decimals import decimal_text
from client.refusal import require
from client.spreadsheet import csv_text
from client.survey import Survey
from estimators.rows import Row
from estimators.table import COLUMNS, CONFIDENCE
from server.drawing import TYPES, drawn, panel_of
from server.figures import WIDE, Figure
from server.guards import whole_number
from server.languages import percent, telling
from server.services import store
from server.showing import Shown, public_results
from server.store.milestones import MINIMUM
from server.trash import refuse_trashed

results = Blueprint("results", __name__)
results.before_request(refuse_trashed)


@results.get("/results")
def page(slug: str, test: bool) -> ResponseReturnValue:
    shown = _shown(slug, test)
    told = telling(shown.survey)
    return render_template(
        "results.html",
        shown=shown,
        told=told,
        figures=shown.figures(told.questions),
        query=f"?version={shown.survey.version}" if request.args.get("version") else "",
        confidence=percent(CONFIDENCE, decimals=0),
        often=round(100 * CONFIDENCE),
        least=MINIMUM,
        wide=round(100 * WIDE),
    )


@results.get("/estimates.json")
def estimates_json(slug: str, test: bool) -> ResponseReturnValue:
    shown = _shown(slug, test)
    body = {
        **({"test": True} if test else {}),
        **_heading(shown.survey),
        "state": shown.published.state,
        "n": shown.n,
        "final": shown.is_final,
        "next_n": shown.next_n,
        "hidden_below": shown.minimum,
        "confidence": CONFIDENCE,
        "estimates": _rows(shown),
    }
    return Response(json.dumps(body, indent=2, ensure_ascii=False), mimetype="application/json")


@results.get("/estimates.csv")
def estimates_csv(slug: str, test: bool) -> ResponseReturnValue:
    shown = _shown(slug, test)
    name = f"{slug}-v{shown.survey.version}{_mark(test)}-estimates.csv"
    return _download(csv_text(COLUMNS, _rows(shown)), "text/csv", name)


@results.get("/figures/<question>.<any(svg, png, pdf):format>")
def drawing(slug: str, test: bool, question: str, format: str) -> ResponseReturnValue:
    shown = _shown(slug, test)
    figure = _figure(shown, question)
    name = f"{slug}-v{shown.survey.version}{_mark(test)}-{question}.{format}"
    return _download(drawn(panel_of(figure), format), TYPES[format], name)


def _shown(slug: str, test: bool) -> Shown:
    return public_results(store(test), slug, _version())


def _figure(shown: Shown, id: str) -> Figure:
    """The figure of one question, told in the reader's language."""
    asked = [question for question in telling(shown.survey).questions if question.id == id]
    require(bool(asked), "unknown_figure", f"there is no question {id[:80]!r}", "question")
    (figure,) = shown.figures(asked)
    require(
        figure.n > 0,
        "too_few_reports",
        f"nothing is shown of fewer than {shown.minimum} reports",
        "question",
    )
    return figure


def _download(content: str | bytes, type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=type, headers=headers)


def _mark(test: bool) -> str:
    return "-TEST" if test else ""


def _version() -> int | None:
    """`?version=2` asks for an earlier version; without it the newest is shown."""
    return whole_number(request, "version")


def _rows(shown: Shown) -> list[Row]:
    """The table of all questions, from the same cache as the page."""
    return [
        row | {"version": shown.survey.version}
        for figure in shown.figures(shown.survey.questions)
        for row in figure.rows
    ]


def _heading(survey: Survey) -> dict[str, Any]:
    return {
        "survey": survey.slug,
        "title": survey.title,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
    }
