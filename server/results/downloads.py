"""The estimates as files: the same for readers of a snapshot and for those who see it live."""

import json
from typing import Any

from flask import Response

from client.console.files import csv_text
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.tables.rows import Row
from estimators.tables.table import COLUMNS, CONFIDENCE
from server.results.showing import Shown


def json_answer(shown: Shown) -> Response:
    """All figures with what they rest on."""
    body = {
        **({"test": True} if shown.survey.test else {}),
        **_heading(shown.survey),
        "state": shown.published.state,
        "group": shown.group,
        "n": shown.n,
        "groups": dict(shown.groups),
        "final": shown.is_final,
        "sealed": shown.is_sealed,
        "next_n": shown.next_n,
        "hidden_below": shown.minimum,
        "confidence": CONFIDENCE,
        "estimates": _rows(shown),
    }
    return Response(json.dumps(body, indent=2, ensure_ascii=False), mimetype="application/json")


def csv_answer(shown: Shown) -> Response:
    shown.published.require_readable()
    return download(csv_text(COLUMNS, _rows(shown)), "text/csv", file_name(shown, "estimates.csv"))


def file_name(shown: Shown, end: str) -> str:
    """Whoever keeps the file must see what it is not: real, or public."""
    is_live = shown.is_live and not shown.is_final and not shown.survey.test
    group = f"-{shown.group}" if shown.group else ""
    return f"{file_stem(shown.survey)}{'-LIVE' if is_live else ''}{group}-{end}"


def file_stem(survey: Survey) -> str:
    """How the names of all files about a version begin."""
    return f"{survey.slug}-v{survey.version}{'-TEST' if survey.test else ''}"


def download(content: str | bytes, type: str, name: str) -> Response:
    """A file to be kept, whatever the browser could show."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=type, headers=headers)


def _rows(shown: Shown) -> list[Row]:
    """The table of all questions, from the same cache as the page."""
    return [
        row | {"group": shown.group or "", "version": shown.survey.version}
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
