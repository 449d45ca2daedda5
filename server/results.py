"""For readers: the results page and the estimates to download, all of one snapshot."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from client.refusal import require
from estimators.table import CONFIDENCE
from server.downloads import csv_answer, download, file_name, json_answer
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
    return json_answer(_shown(slug, test))


@results.get("/estimates.csv")
def estimates_csv(slug: str, test: bool) -> ResponseReturnValue:
    return csv_answer(_shown(slug, test))


@results.get("/figures/<question>.<any(svg, png, pdf):format>")
def drawing(slug: str, test: bool, question: str, format: str) -> ResponseReturnValue:
    shown = _shown(slug, test)
    figure = _figure(shown, question)
    content = drawn(panel_of(figure), format)
    return download(content, TYPES[format], file_name(shown, f"{question}.{format}"))


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


def _version() -> int | None:
    """`?version=2` asks for an earlier version; without it the newest is shown."""
    return whole_number(request, "version")
