"""Live estimates of a survey, and its export."""

from flask import request
from flask.typing import ResponseReturnValue

from server.api.blueprint import management
from server.api.description import ApiResponse, describe
from server.api.schemas import COUNT, ESTIMATES, TEXT, responds
from server.results.downloads import csv_response, export_response, json_response
from server.results.shown import ShownResults, live_results
from server.surveys.researchers import Scope
from server.web.limits import READERS
from server.web.requests import whole_number
from server.web.services import services

_VERSION = {"version": COUNT}
_PART = {**_VERSION, "group": TEXT}


@management.get("/surveys/<slug>/estimates")
@describe(
    "The live estimates of a version, by default the newest; the public sees snapshots instead. "
    "A survey by invitation is sealed: it has no estimates before it is closed. `group` selects "
    "groups by levels, as in `arm=treatment`, or one group by its label.",
    responds("Each row is one figure.", ESTIMATES),
    query=_PART,
    scope=Scope.READ,
)
@READERS
def estimates(slug: str) -> ResponseReturnValue:
    return json_response(_live(slug))


@management.get("/surveys/<slug>/estimates.csv")
@describe(
    "The same estimates as a table.",
    {200: ApiResponse("One row per figure.", type="text/csv")},
    query=_PART,
    scope=Scope.READ,
)
@READERS
def estimates_table(slug: str) -> ResponseReturnValue:
    return csv_response(_live(slug))


@management.get("/surveys/<slug>/export")
@describe(
    "Estimates, covariances, randomized reports, design, codebook and scripts in one zip. A survey "
    "by invitation can be exported once it is closed. Two exports are written at once; ask again "
    "later if the answer is 503.",
    {200: ApiResponse("The zip.", type="application/zip")},
    query=_VERSION,
    scope=Scope.READ,
)
def export(slug: str) -> ResponseReturnValue:
    return export_response(services().database, slug, whole_number(request, "version"))


def _live(slug: str) -> ShownResults:
    version = whole_number(request, "version")
    return live_results(services().database, slug, version, request.args.get("group"))
