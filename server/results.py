"""For readers: the results page and the estimates to download, all computed from the tallies."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from client.decimals import decimal_text
from client.question import Question
from client.spreadsheet import csv_text
from client.survey import Survey
from estimators.rows import Row
from estimators.table import COLUMNS, CONFIDENCE
from estimators.tally import Tally
from server.figures import FORGED, WIDE, Figure, figure
from server.guards import whole_number
from server.languages import percent, telling
from server.services import store
from server.trash import refuse_trashed

results = Blueprint("results", __name__)
results.before_request(refuse_trashed)


@results.get("/results")
def page(slug: str, test: bool) -> ResponseReturnValue:
    published, tallies = store(test).tallies(slug, _version())
    survey = published.survey
    told = telling(survey)
    return render_template(
        "results.html",
        survey=survey,
        told=told,
        state=published.state,
        n=published.reports,
        query=f"?version={survey.version}" if request.args.get("version") else "",
        figures=_figures(survey, told.questions, tallies),
        confidence=percent(CONFIDENCE, decimals=0),
        forged=FORGED,
        wide=round(100 * WIDE),
    )


@results.get("/estimates.json")
def estimates_json(slug: str, test: bool) -> ResponseReturnValue:
    published, tallies = store(test).tallies(slug, _version())
    survey = published.survey
    body = {
        **({"test": True} if test else {}),
        **_heading(survey),
        "state": published.state,
        "n": published.reports,
        "confidence": CONFIDENCE,
        "estimates": _rows(survey, tallies),
    }
    return Response(json.dumps(body, indent=2, ensure_ascii=False), mimetype="application/json")


@results.get("/estimates.csv")
def estimates_csv(slug: str, test: bool) -> ResponseReturnValue:
    published, tallies = store(test).tallies(slug, _version())
    mark = "-TEST" if test else ""
    name = f"{slug}-v{published.survey.version}{mark}-estimates.csv"
    return Response(
        csv_text(COLUMNS, _rows(published.survey, tallies)),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _version() -> int | None:
    """`?version=2` asks for an earlier version; without it the newest is shown."""
    return whole_number(request, "version")


def _figures(
    survey: Survey, questions: Iterable[Question], tallies: Mapping[str, Tally]
) -> list[Figure]:
    """The questions in the survey's own words, or in another language."""
    return [figure(question, tallies[question.id], survey.drawn_by) for question in questions]


def _rows(survey: Survey, tallies: Mapping[str, Tally]) -> list[Row]:
    """The table of all questions, from the same cache as the page."""
    return [
        row | {"version": survey.version}
        for shown in _figures(survey, survey.questions, tallies)
        for row in shown.rows
    ]


def _heading(survey: Survey) -> dict[str, Any]:
    return {
        "survey": survey.slug,
        "title": survey.title,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
    }
