"""Surveys that are still being written."""

from typing import Any

from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import Refusal
from server.api.actor import actor
from server.api.asking import mapping, page_of
from server.api.blueprint import management
from server.api.describing import Gives, describe
from server.api.schemas import MANUSCRIPT, PAGES, WHOLE, gives, many, shape
from server.life.manuscripts import content_of, draft_of
from server.services import services
from server.store import Manuscript

_DRAFT = {"type": "object"}


@management.get("/manuscripts")
@describe(
    "The surveys that you are writing, or your surveys' other editors.",
    gives("The latest first.", many(MANUSCRIPT)),
    query=PAGES,
)
def manuscripts() -> ResponseReturnValue:
    found, headers = page_of(services().office.manuscripts(actor().as_researcher()))
    return [_shown(manuscript) for manuscript in found], headers


@management.post("/manuscripts")
@describe(
    "Begin a survey. It may be incomplete: `POST /api/lint` says what is missing.",
    gives("As it was saved.", MANUSCRIPT, 201),
    takes=_DRAFT,
)
def begin_manuscript() -> ResponseReturnValue:
    who = actor().as_researcher()
    return _shown(services().office.begin_manuscript(who, content_of(mapping("draft")))), 201


@management.get("/manuscripts/<id>")
@describe("A survey that is being written.", gives("As it was saved.", MANUSCRIPT))
def manuscript(id: str) -> ResponseReturnValue:
    return _shown(services().office.manuscript(actor().as_researcher(), id))


@management.put("/manuscripts/<id>")
@describe(
    "Save a survey that is being written, unless it was changed since `revision`.",
    gives("As it was saved.", MANUSCRIPT),
    takes=shape(draft=_DRAFT, revision=WHOLE),
)
def save_manuscript(id: str) -> ResponseReturnValue:
    body = mapping("body")
    draft, revision = body.get("draft"), body.get("revision")
    if not isinstance(draft, dict):
        raise Refusal("not_a_mapping", "draft must be a JSON object", "draft")
    if type(revision) is not int:
        raise Refusal("bad_revision", "revision must be a whole number", "revision")
    who = actor().as_researcher()
    return _shown(services().office.save_manuscript(who, id, content_of(draft), revision))


@management.delete("/manuscripts/<id>")
@describe("Throw away a survey that is being written.", {204: Gives("Done.")})
def discard_manuscript(id: str) -> ResponseReturnValue:
    services().office.discard_manuscript(actor().as_researcher(), id)
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
