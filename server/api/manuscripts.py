"""Surveys that are being written, and help for their authors: faults, warnings and margins."""

from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.authoring.lint import look_through, problems_as_json
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from estimators.planning.survey_plan import Target, plan_survey
from server.api.blueprint import actor, management
from server.api.description import Gives, describe
from server.api.schemas import COUNT, DRAFT, MANUSCRIPT, PAGES, PROBLEMS, WHOLE, gives, many, shape
from server.store.researchers import manuscripts as manuscript_store
from server.surveys.manuscripts import content_of, draft_of
from server.surveys.researchers import Manuscript, Scope
from server.web.limits import READING
from server.web.requests import json_object, page_of, posted_draft, whole_number
from server.web.services import services

_DRAFT = {"type": "object"}
USUAL_RESPONDENTS = 1000


@management.get("/manuscripts")
@describe(
    "The surveys that you are writing, or your surveys' other editors.",
    gives("The latest first.", many(MANUSCRIPT)),
    query=PAGES,
)
def manuscripts() -> ResponseReturnValue:
    found, headers = page_of(
        manuscript_store.readable(services().database.reader, actor().as_researcher())
    )
    return [_shown(manuscript) for manuscript in found], headers


@management.post("/manuscripts")
@describe(
    "Begin a survey. It may be incomplete: `POST /api/lint` says what is missing.",
    gives("As it was saved.", MANUSCRIPT, 201),
    takes=_DRAFT,
)
def begin_manuscript() -> ResponseReturnValue:
    who = actor().as_researcher()
    return _shown(
        services().database.write(manuscript_store.begin, who, content_of(json_object("draft")))
    ), 201


@management.get("/manuscripts/<id>")
@describe("A survey that is being written.", gives("As it was saved.", MANUSCRIPT))
def manuscript(id: str) -> ResponseReturnValue:
    return _shown(manuscript_store.find(services().database.reader, actor().as_researcher(), id))


@management.put("/manuscripts/<id>")
@describe(
    "Save a survey that is being written, unless it was changed since `revision`.",
    gives("As it was saved.", MANUSCRIPT),
    takes=shape(draft=_DRAFT, revision=WHOLE),
)
def save_manuscript(id: str) -> ResponseReturnValue:
    body = json_object("body")
    draft, revision = body.get("draft"), body.get("revision")
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping.draft", "draft")
    if type(revision) is not int:
        raise Refusal("bad_revision", "revision")
    who = actor().as_researcher()
    return _shown(
        services().database.write(manuscript_store.save, who, id, content_of(draft), revision)
    )


@management.delete("/manuscripts/<id>")
@describe("Throw away a survey that is being written.", {204: Gives("Done.")})
def discard_manuscript(id: str) -> ResponseReturnValue:
    services().database.write(manuscript_store.discard, actor().as_researcher(), id)
    return "", 204


def _shown(manuscript: Manuscript) -> dict[str, Any]:
    return {
        "id": manuscript.id,
        "slug": manuscript.slug,
        "draft": draft_of(manuscript),
        "revision": manuscript.revision,
        "updated": manuscript.updated,
        "author": manuscript.author,
    }


@management.post("/lint")
@describe(
    "Every fault of a survey file, or, where there is none, every warning.",
    gives("How many, and each with its place.", PROBLEMS),
    takes={"type": "object"},
    scope=Scope.READ,
)
def lint() -> ResponseReturnValue:
    with READING:
        looked = look_through(canonical.canonical(posted_draft()), "draft")
    return problems_as_json("draft", looked.problems)


@management.post("/plan")
@describe(
    "The margin of every question for so many respondents, with what protects it.",
    gives("One entry per question.", many({"type": "object"})),
    takes=DRAFT,
    query={"respondents": COUNT},
    scope=Scope.READ,
)
def plan() -> ResponseReturnValue:
    respondents = whole_number(request, "respondents") or USUAL_RESPONDENTS
    return plan_survey(build_survey(posted_draft()), Target(None, respondents))
