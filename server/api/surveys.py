"""Surveys: publishing and testing them, those that one has a part in, how each stands."""

from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from server.api.blueprint import actor, management
from server.api.description import JSON, Gives, describe
from server.api.schemas import (
    COUNT,
    DAY,
    DRAFT,
    ENTRY,
    FLAG,
    PAGES,
    PUBLICATION,
    SURVEY,
    gives,
    many,
)
from server.lifecycle.publishing import publish as publish_survey
from server.lifecycle.publishing import put_up_test
from server.store import audit_log, reading
from server.store.researchers import access
from server.surveys.records import Published
from server.surveys.researchers import Author, Role, Scope
from server.surveys.schedule import Schedule
from server.surveys.summary import entry_summary, publication_summary, survey_summary
from server.web.requests import flag, page_of, posted_draft, whole_number
from server.web.services import services
from server.web.urls import links

_WEAK = {"confirm_weak": FLAG}


@management.get("/surveys")
@describe(
    "The surveys that you have a part in; all of them for the operator.",
    gives("The newest version of each.", many(SURVEY)),
    query=PAGES,
    scope=Scope.READ,
)
def surveys() -> ResponseReturnValue:
    slugs, headers = page_of(_slugs())
    return [_shown(reading.newest(services().database.reader, slug)) for slug in slugs], headers


@management.post("/surveys")
@describe(
    "Publish a survey, or a new version of it. Whoever publishes it first owns it.",
    {
        201: Gives("It is open, or will be.", PUBLICATION),
        200: Gives("It was published before with the same content.", PUBLICATION),
    },
    takes=DRAFT,
    query={"new_version": FLAG, **_WEAK, "opens": DAY, "closes": DAY, "closes_at": COUNT},
)
def publish() -> ResponseReturnValue:
    asked, who = request.args, actor().researcher
    schedule = Schedule.of_days(
        asked.get("opens"),
        asked.get("closes"),
        services().database.now,
        whole_number(request, "closes_at"),
    )
    publication = publish_survey(
        services(),
        build_survey(posted_draft()),
        flag("new_version"),
        flag("confirm_weak"),
        schedule,
        None if who is None else Author(who),
    )
    return publication_summary(publication), 201 if publication.created else 200


@management.post("/drafts")
@describe(
    "Put up a survey to be tested under /t/, in place of what you tested there before.",
    gives("It takes reports of a test.", PUBLICATION, 201),
    takes=DRAFT,
    query=_WEAK,
)
def rehearse() -> ResponseReturnValue:
    survey = build_survey(posted_draft())
    publication = put_up_test(services(), survey, flag("confirm_weak"), actor().researcher)
    return publication_summary(publication), 201


@management.get("/surveys/<slug>")
@describe("How a survey stands.", gives("Its newest version.", SURVEY), scope=Scope.READ)
def survey(slug: str) -> ResponseReturnValue:
    return _shown(reading.newest(services().database.reader, slug))


@management.get("/surveys/<slug>/document")
@describe(
    "The published document, whose SHA-256 is the fingerprint.",
    gives("The newest version's document.", {"type": "object"}),
    scope=Scope.READ,
)
def document(slug: str) -> ResponseReturnValue:
    return Response(reading.newest(services().database.reader, slug).survey.document, mimetype=JSON)


@management.get("/surveys/<slug>/log")
@describe(
    "What was decided about a survey, when and by whom, the newest first.",
    gives("Entries of the audit log.", many(ENTRY)),
    query=PAGES,
    role=Role.VIEWER,
)
def log(slug: str) -> ResponseReturnValue:
    entries, headers = page_of(audit_log.entries_since_removal(services().database.reader, slug))
    return [entry_summary(entry) for entry in entries], headers


def _slugs() -> list[str]:
    who = actor().researcher
    if who is None:
        return reading.slugs(services().database.reader)
    return [membership.slug for membership in access.memberships(services().database.reader, who)]


def _shown(published: Published) -> dict[str, Any]:
    survey = published.survey
    address = request.url_root.rstrip("/")
    return survey_summary(published) | {"links": links(address, survey.slug, survey.fingerprint)}
