"""Downloads of a survey as a file: YAML, JSON or an XLSForm workbook."""

from typing import Any

from flask import Response, abort
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.authoring.files import write_survey_file
from estimators.paperwork.pack import Paperwork
from estimators.paperwork.plan import StudyPlan
from server.results.downloads import download
from server.store import reading
from server.store.researchers import manuscripts
from server.surveys.manuscripts import draft_of
from server.web.services import services
from server.workbench.blueprint import workbench
from server.workbench.editor.new_survey import draft_for
from server.workbench.paperwork import pack_file
from server.workbench.session import me

TYPES = {
    "yaml": "application/yaml",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@workbench.get("/manuscripts/<id>/file/<suffix>")
def download_draft(id: str, suffix: str) -> ResponseReturnValue:
    return _file(draft_of(manuscripts.find(services().database.reader, me(), id)), suffix)


@workbench.get("/manuscripts/<id>/paperwork.<any(md, html):markup>")
def draft_paperwork(id: str, markup: str) -> ResponseReturnValue:
    """Return the ethics pack of a draft: boards read it before anything is published."""
    manuscript = manuscripts.find(services().database.reader, me(), id)
    survey = build_survey(draft_of(manuscript))
    return pack_file(Paperwork(survey, StudyPlan(manuscript.respondents)), markup)


@workbench.get("/surveys/<slug>/file/<suffix>")
def download_published(slug: str, suffix: str) -> ResponseReturnValue:
    return _file(draft_for(reading.newest(services().database.reader, slug).survey), suffix)


def _file(draft: dict[str, Any], suffix: str) -> Response:
    if suffix not in TYPES:
        abort(404)
    # Safe as a file name: `write_survey_file` refuses a draft with faults.
    name = f"{draft.get('slug')}.{suffix}"
    return download(write_survey_file(draft, name), TYPES[suffix], name)
