"""Surveys: publish and test them, list them, and read their documents and logs."""

from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from server.api.blueprint import actor, management
from server.api.description import JSON, ApiResponse, describe
from server.api.schemas import (
    COUNT,
    DAY,
    DRAFT,
    ENTRY,
    FLAG,
    PAGES,
    PUBLICATION,
    SURVEY,
    many,
    responds,
)
from server.lifecycle.publishing import publish as publish_survey
from server.lifecycle.publishing import put_up_test
from server.store import audit_log, reading
from server.store.researchers import access
from server.surveys.records import Published
from server.surveys.researchers import Author, Role, Scope
from server.surveys.schedule import Schedule
from server.surveys.summary import entry_summary, publication_summary, survey_summary
from server.web.requests import flag, page_of, posted_draft, public_root, whole_number
from server.web.services import services
from server.web.urls import links

_WEAK = {"confirm_weak": FLAG}


@management.get("/surveys")
@describe(
    "The surveys in which you have a role; for the operator, all surveys.",
    responds("The newest version of each.", many(SURVEY)),
    query=PAGES,
    scope=Scope.READ,
)
def surveys() -> ResponseReturnValue:
    slugs, headers = page_of(_slugs())
    return [_shown(reading.newest(services().database.reader, slug)) for slug in slugs], headers


@management.post("/surveys")
@describe(
    "Publish a survey, or a new version of it. The first publisher becomes its owner. With "
    "`closes_at` it takes so many reports, and then waits until its owner closes or reopens it. "
    "Whoever has an open link can send many reports; `per_hour` limits how many tickets it gives.",
    {
        201: ApiResponse("It is open, or will open on its first day.", PUBLICATION),
        200: ApiResponse("The same content was already published.", PUBLICATION),
    },
    body=DRAFT,
    query={
        **{"new_version": FLAG, **_WEAK, "opens": DAY, "closes": DAY},
        **{"closes_at": COUNT, "per_hour": COUNT},
    },
)
def publish() -> ResponseReturnValue:
    asked, who = request.args, actor().researcher
    schedule = Schedule.of_days(
        asked.get("opens"),
        asked.get("closes"),
        services().database.now,
        whole_number(request, "closes_at"),
        whole_number(request, "per_hour"),
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
    "Put a survey up for testing under /t/, in place of your previous test.",
    responds("The test is up.", PUBLICATION, 201),
    body=DRAFT,
    query=_WEAK,
)
def rehearse() -> ResponseReturnValue:
    survey = build_survey(posted_draft())
    publication = put_up_test(services(), survey, flag("confirm_weak"), actor().researcher)
    return publication_summary(publication), 201


@management.get("/surveys/<slug>")
@describe("The state of a survey.", responds("Its newest version.", SURVEY), scope=Scope.READ)
def survey(slug: str) -> ResponseReturnValue:
    return _shown(reading.newest(services().database.reader, slug))


@management.get("/surveys/<slug>/document")
@describe(
    "The published document, whose SHA-256 is the fingerprint.",
    responds("The newest version's document.", {"type": "object"}),
    scope=Scope.READ,
)
def document(slug: str) -> ResponseReturnValue:
    return Response(reading.newest(services().database.reader, slug).survey.document, mimetype=JSON)


@management.get("/surveys/<slug>/log")
@describe(
    "What was decided about a survey, when and by whom, newest first.",
    responds("Entries of the audit log.", many(ENTRY)),
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
    address = public_root()
    return survey_summary(published) | {"links": links(address, survey.slug, survey.fingerprint)}
