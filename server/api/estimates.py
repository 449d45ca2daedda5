"""What a survey found, as it stands now: estimates, and everything in one zip."""

from flask import request
from flask.typing import ResponseReturnValue

from server.api.blueprint import management
from server.api.description import Gives, describe
from server.api.schemas import COUNT, ESTIMATES, TEXT, gives
from server.lifecycle.export import export_zip
from server.results.downloads import csv_answer, download, json_answer
from server.results.shown import Shown, live_results
from server.surveys.researchers import Scope
from server.web.requests import whole_number
from server.web.services import services

_VERSION = {"version": COUNT}
_PART = {**_VERSION, "group": TEXT}


@management.get("/surveys/<slug>/estimates")
@describe(
    "The live estimates of a version, the newest unless told; readers see a snapshot instead. "
    "A survey by invitation is sealed: it shows none before it is closed.",
    gives("Each row is one figure.", ESTIMATES),
    query=_PART,
    scope=Scope.READ,
)
def estimates(slug: str) -> ResponseReturnValue:
    return json_answer(_live(slug))


@management.get("/surveys/<slug>/estimates.csv")
@describe(
    "The same estimates as a table.",
    {200: Gives("One row per figure.", type="text/csv")},
    query=_PART,
    scope=Scope.READ,
)
def estimates_table(slug: str) -> ResponseReturnValue:
    return csv_answer(_live(slug))


@management.get("/surveys/<slug>/export")
@describe(
    "Estimates, covariances, randomized reports, design, codebook and scripts; of a survey by "
    "invitation once it is closed.",
    {200: Gives("One zip.", type="application/zip")},
    query=_VERSION,
    scope=Scope.READ,
)
def export(slug: str) -> ResponseReturnValue:
    name, content = export_zip(services().database, slug, whole_number(request, "version"))
    return download(content, "application/zip", name)


def _live(slug: str) -> Shown:
    version = whole_number(request, "version")
    return live_results(services().database, slug, version, request.args.get("group"))
