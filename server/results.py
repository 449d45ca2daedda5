"""For readers: the results page and the estimates to download, all computed from the tallies."""

import csv
import io
import json
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from client.decimals import decimal_text
from client.question import Question
from client.survey import Survey
from estimators.estimate import Estimate
from estimators.intervals import Interval
from estimators.table import COLUMNS, CONFIDENCE, estimate_table
from server.services import store

results = Blueprint("results", __name__)


@results.get("/s/<slug>/results")
def page(slug: str) -> ResponseReturnValue:
    published, tallies = store().tallies(slug)
    survey = published.survey
    rows = groupby(estimate_table(survey, tallies), key=lambda row: row["question"])
    return render_template(
        "results.html",
        survey=survey,
        state=published.state,
        n=published.reports,
        questions=list(zip(survey.questions, (list(group) for _, group in rows), strict=True)),
        levers={question.id: lever(question) for question in survey.questions},
    )


@results.get("/s/<slug>/estimates.json")
def estimates_json(slug: str) -> ResponseReturnValue:
    published, tallies = store().tallies(slug)
    survey = published.survey
    body = {
        **_heading(survey),
        "state": published.state,
        "n": published.reports,
        "confidence": CONFIDENCE,
        "estimates": estimate_table(survey, tallies),
    }
    return Response(json.dumps(body, indent=2, ensure_ascii=False), mimetype="application/json")


@results.get("/s/<slug>/estimates.csv")
def estimates_csv(slug: str) -> ResponseReturnValue:
    published, tallies = store().tallies(slug)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(map(_spreadsheet_safe, estimate_table(published.survey, tallies)))
    name = f"{slug}-v{published.survey.version}-estimates.csv"
    return Response(
        text.getvalue(),
        mimetype="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def lever(question: Question) -> Interval:
    """How far one forged report can move an option's estimated total (math 11)."""
    mechanism = question.mechanism
    return Estimate(0, 1, float(mechanism.p), float(mechanism.q)).forgery_bound(1)


def _heading(survey: Survey) -> dict[str, Any]:
    return {
        "survey": survey.slug,
        "title": survey.title,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
    }


def _spreadsheet_safe(row: dict[str, Any]) -> dict[str, Any]:
    """A label that a spreadsheet would run as a formula gets an apostrophe in front."""
    label = str(row["label"])
    return {**row, "label": f"'{label}" if label.startswith(("=", "+", "-", "@")) else label}
