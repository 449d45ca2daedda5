"""The Results and Export tabs: a survey's live results, for researchers with a role in it."""

from flask import request
from flask.typing import ResponseReturnValue

from server.results.downloads import csv_response, export_response
from server.results.pages import figure_response, page_values
from server.results.readers import readers_of
from server.results.shown import ShownResults, live_results, public_results
from server.store import reading
from server.surveys.disclosure import LEAST_IN_GROUP
from server.web.limits import READERS
from server.web.requests import whole_number
from server.web.services import services
from server.workbench.blueprint import workbench
from server.workbench.rendering import render_tab


@workbench.get("/surveys/<slug>/results")
@READERS
def results(slug: str) -> ResponseReturnValue:
    shown = _shown(slug)
    public = public_results(services().database, slug, shown.survey.version)
    values = page_values(shown, shown.survey.in_language(shown.survey.language))
    return render_tab(
        "results.html",
        slug,
        public=public,
        least_in_group=LEAST_IN_GROUP,
        **(values | {"readers": readers_of(public)}),
    )


@workbench.get("/surveys/<slug>/estimates.csv")
@READERS
def live_estimates(slug: str) -> ResponseReturnValue:
    return csv_response(_shown(slug))


@workbench.get("/surveys/<slug>/figures/<question>.<any(svg, png, pdf):format>")
@READERS
def live_figure(slug: str, question: str, format: str) -> ResponseReturnValue:
    shown = _shown(slug)
    localized = shown.survey.in_language(shown.survey.language)
    return figure_response(shown, localized, question, format)


def _shown(slug: str) -> ShownResults:
    version = whole_number(request, "version")
    return live_results(services().database, slug, version, request.args.get("group"))


@workbench.get("/surveys/<slug>/export")
def export(slug: str) -> ResponseReturnValue:
    return render_tab(
        "export.html",
        slug,
        versions=reading.versions(services().database.reader, slug),
        least_in_group=LEAST_IN_GROUP,
    )


@workbench.get("/surveys/<slug>/export/<int:version>")
def export_file(slug: str, version: int) -> ResponseReturnValue:
    return export_response(services().database, slug, version)
