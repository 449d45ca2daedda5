"""Estimates and figures as files, of a snapshot or of the live tallies."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import IO, Any

from flask import Response, request
from werkzeug.wsgi import wrap_file

from client.console.files import csv_text
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.plots.cross_panel import CrossPanel, cross_panel
from estimators.plots.panels import Column, ForestPanel, MarginPanel, Result, ResultPanel
from estimators.plots.plotting import cross_bytes, forest_bytes, margin_bytes, result_bytes
from estimators.tables.level_rows import MIDDLE
from estimators.tables.rows import MEAN, Row
from estimators.tables.table import COLUMNS
from server.lifecycle.export import export_file, export_heading, file_stem
from server.results.figures import Figure
from server.results.kept import MOST_WAITING, WAIT_SECONDS, Kept
from server.results.readers import readers_of
from server.results.shown import ShownResults
from server.store.database import Database
from server.web.languages import percent, say
from server.web.limits import EXPORTS, Limit
from server.web.static_files import packed

TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
ZIP = "application/zip"
Panel = ResultPanel | MarginPanel | CrossPanel | ForestPanel
# A drawing takes a good part of a second, and about 100 kB.
DRAWN = Kept(
    Limit(1, key="drawing_busy", waiting=MOST_WAITING, seconds=WAIT_SECONDS), most_bytes=2**24
)


def json_response(shown: ShownResults) -> Response:
    """Return all estimates as JSON, with the version and the state that they belong to."""
    body = {
        **({"test": True} if shown.survey.test else {}),
        **_heading(shown.survey),
        "state": shown.published.state,
        "group": None if shown.group is None else shown.group_label,
        "n": shown.n,
        "groups": shown.sizes_by_label,
        "factors": {
            id: {level.label(shown.survey.groups): n for level, n in sizes.items()}
            for id, sizes in shown.sizes_by_factor.items()
        },
        "strays_held_back": shown.strays > 0,
        "final": shown.is_final,
        "sealed": shown.is_sealed,
        "tickets": shown.tickets,
        "next_n": shown.next_n,
        "hidden_below": shown.minimum,
        "confidence": CONFIDENCE,
        "readers": _readers(shown),
        "estimates": _rows(shown),
        "leaders": [
            {"question": figure.question.id, "best": figure.best, "confidence": CONFIDENCE}
            for figure in shown.figures(shown.survey.questions)
            if figure.leaders
        ],
        "forging": _of_questions(shown, lambda figure: figure.forging),
        "draws": _of_questions(shown, lambda figure: figure.draws),
    }
    return packed(Response(_json_text(body), mimetype="application/json"))


def _json_text(body: Mapping[str, Any]) -> str:
    """Write JSON with each field, and each row of a field's rows, on a line of its own.

    A distribution may have a thousand rows: with indents they would take half as much again.
    """
    fields = (f'"{name}": {_value(value)}' for name, value in body.items())
    return "\n".join(["{", ",\n".join(fields), "}", ""])


def _value(value: Any) -> str:
    if not isinstance(value, list):
        return _compact(value)
    return "\n".join(["[", ",\n".join(map(_compact, value)), "]"])


_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _readers(shown: ShownResults) -> dict[str, float] | None:
    """Return what readers of public figures learn about one person at most."""
    bound = readers_of(shown)
    if bound is None:
        return None
    return {"epsilon": bound.epsilon, "delta": bound.delta, "n": bound.n}


def csv_response(shown: ShownResults) -> Response:
    """Return all estimates as a CSV file; raise if nobody may read them yet."""
    shown.published.require_readable()
    table = csv_text(COLUMNS, _rows(shown))
    return packed(download(table, "text/csv", file_name(shown, "estimates.csv")))


def file_name(shown: ShownResults, end: str) -> str:
    """Return a file name that says if the figures are a test's, or live and not public."""
    is_live = shown.is_live and not shown.is_final and not shown.survey.test
    part = shown.group.file_part(shown.survey.groups) if shown.group else ""
    group = f"-{part}" if part else ""
    return f"{file_stem(shown.survey)}{'-LIVE' if is_live else ''}{group}-{end}"


def download(content: str | bytes, type: str, name: str) -> Response:
    """Return a response that browsers save as a file instead of showing it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, mimetype=type, headers=headers)


def download_file(file: IO[bytes], type: str, name: str) -> Response:
    """Return an open file as a response that browsers save.

    It is sent and closed by the server's own loop: no thread waits for a slow reader.
    """
    response = download(b"", type, name)
    response.response, response.direct_passthrough = wrap_file(request.environ, file), True
    response.content_length = os.fstat(file.fileno()).st_size
    return response


def export_response(database: Database, slug: str, version: int | None) -> Response:
    """Return the zip of a version. HEAD is told what GET would be, which takes no work."""
    if request.method == "HEAD":
        response = download(b"", ZIP, export_heading(database, slug, version))
        # How long the zip is would be known once it is written.
        response.automatically_set_content_length = False
        del response.headers["Content-Length"]
        return response
    with EXPORTS:
        name, file = export_file(database, slug, version)
    return download_file(file, ZIP, name)


def _rows(shown: ShownResults) -> list[Row]:
    """Return the table of all questions, from the same cache as the page."""
    return [
        row | {"group": shown.group_label, "version": shown.survey.version}
        for figure in shown.figures(shown.survey.questions)
        for row in figure.rows
    ]


def _of_questions(shown: ShownResults, rows_of: Callable[[Figure], Iterable[Row]]) -> list[Row]:
    """The rows of all questions, each with its question."""
    return [
        {"question": figure.question.id} | row
        for figure in shown.figures(shown.survey.questions)
        for row in rows_of(figure)
    ]


def _heading(survey: Survey) -> dict[str, Any]:
    return {
        "survey": survey.slug,
        "title": survey.title,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
    }


def draw_figure(panel: Panel, format: str) -> bytes:
    """Draw a figure as a file, once; raise while too many others are waiting to be drawn."""
    return DRAWN.get((panel, format), lambda: _drawn(panel, format))


def _drawn(panel: Panel, format: str) -> bytes:
    if isinstance(panel, MarginPanel):
        return margin_bytes([panel], format)
    if isinstance(panel, CrossPanel):
        return cross_bytes(panel, format)
    if isinstance(panel, ForestPanel):
        return forest_bytes(panel, format)
    return result_bytes(panel, format)


def panel_of(figure: Figure, group: str | None = None) -> ResultPanel | CrossPanel:
    """Return what to draw for a question, in the reader's language.

    A figure of a group names it: a picture soon parts with the name of its file.
    """
    named = f"{group}\n" if group else ""
    if figure.cross is not None:
        interval = say("results.interval_heading", confidence=percent(CONFIDENCE, decimals=0))
        reports = say("results.figure.reports", n=figure.n)
        return replace(
            cross_panel(figure.cross),
            title=figure.question.prompt,
            note=f"{named}%, [{interval}]. {reports}",
            bare_note=f"{named}%. {reports}",
        )
    # If there is no mean, the options for silence are all that can be drawn.
    shares = figure.bars or ([] if figure.facts else figure.silent)
    rows = shares or figure.quantiles or figure.facts[:1]
    return ResultPanel(
        figure.question.prompt,
        tuple(map(_result, rows)),
        columns=tuple(Column(float(row["label"]), row["value"]) for row in figure.levels),
        unit=None if shares else figure.question.unit,
        estimated=say("results.estimated"),
        reported=say("results.reported"),
        interval=say("results.interval_heading", confidence=percent(CONFIDENCE, decimals=0)),
        note=f"{named}{say('results.figure.reports', n=figure.n)}",
    )


def _result(row: Row) -> Result:
    label = row["label"]
    if row["quantity"] == MEAN:
        label = say("results.mean")
    elif "part" in row:
        label = say("results.median") if row["part"] == MIDDLE else percent(row["part"], 0)
    return Result(label, row["value"], row["low"], row["high"], row["reported_share"])
