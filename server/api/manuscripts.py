"""Manuscripts (surveys that are being written), and the lint and plan of a draft."""

from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.authoring.lint import lint_bytes, problems_as_json
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from estimators.planning.survey_plan import Target, plan_survey
from server.api.blueprint import actor, management
from server.api.description import ApiResponse, describe
from server.api.schemas import (
    COUNT,
    DRAFT,
    MANUSCRIPT,
    PAGES,
    PROBLEMS,
    WHOLE,
    many,
    responds,
    shape,
)
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
    "The surveys that you or your fellow editors are writing.",
    responds("The latest first.", many(MANUSCRIPT)),
    query=PAGES,
)
def manuscripts() -> ResponseReturnValue:
    found, headers = page_of(
        manuscript_store.readable(services().database.reader, actor().as_researcher())
    )
    return [_shown(manuscript) for manuscript in found], headers


@management.post("/manuscripts")
@describe(
    "Begin a survey. It may be incomplete; `POST /api/lint` says what is missing.",
    responds("As saved.", MANUSCRIPT, 201),
    body=_DRAFT,
)
def begin_manuscript() -> ResponseReturnValue:
    who = actor().as_researcher()
    return _shown(
        services().database.write(manuscript_store.begin, who, content_of(json_object("draft")))
    ), 201


@management.get("/manuscripts/<id>")
@describe("A survey that is being written.", responds("As saved.", MANUSCRIPT))
def manuscript(id: str) -> ResponseReturnValue:
    return _shown(manuscript_store.find(services().database.reader, actor().as_researcher(), id))


@management.put("/manuscripts/<id>")
@describe(
    "Save a survey that is being written, unless somebody changed it since `revision`.",
    responds("As saved.", MANUSCRIPT),
    body=shape(draft=_DRAFT, revision=WHOLE),
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
@describe("Discard a survey that is being written.", {204: ApiResponse("Done.")})
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
    "All faults of a survey file; if it has none, all warnings.",
    responds("Their number, and each with its place.", PROBLEMS),
    body={"type": "object"},
    scope=Scope.READ,
)
def lint() -> ResponseReturnValue:
    with READING:
        result = lint_bytes(canonical.canonical(posted_draft()), "draft")
    return problems_as_json("draft", result.problems)


@management.post("/plan")
@describe(
    "The margin of every question for a number of respondents, and its randomizer.",
    responds("One entry per question.", many({"type": "object"})),
    body=DRAFT,
    query={"respondents": COUNT},
    scope=Scope.READ,
)
def plan() -> ResponseReturnValue:
    respondents = whole_number(request, "respondents") or USUAL_RESPONDENTS
    return plan_survey(build_survey(posted_draft()), Target(None, respondents))
