"""For readers: the results page, the estimates and the figures to download, all of one snapshot."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from server.guards import whole_number
from server.languages import telling
from server.respondents.trash import refuse_trashed
from server.results.downloads import csv_answer, json_answer
from server.results.showing import Shown, live_results, public_results
from server.results.views import drawing_answer, page_values
from server.services import store

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
    return show(store(test), slug, whole_number(request, "version"), request.args.get("group"))
