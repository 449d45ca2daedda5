"""Surveys: publishing and testing them, those that one has a part in, how each stands."""

from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue

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
from server.lifecycle.publishing import publish_as, publish_draft, rehearse_as, rehearse_draft
from server.surveys.records import Published
from server.surveys.researchers import Role, Scope
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
    return [_shown(services().store.latest(slug)) for slug in slugs], headers


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
        services().store.now,
        whole_number(request, "closes_at"),
    )
    choices = (posted_draft(), flag("new_version"), flag("confirm_weak"), schedule)
    publication = (
        publish_draft(services(), *choices)
        if who is None
        else publish_as(services(), who, *choices)
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
    asked = (posted_draft(), flag("confirm_weak"))
    who = actor().researcher
    publication = (
        rehearse_draft(services(), *asked) if who is None else rehearse_as(services(), who, *asked)
    )
    return publication_summary(publication), 201


@management.get("/surveys/<slug>")
@describe("How a survey stands.", gives("Its newest version.", SURVEY), scope=Scope.READ)
def survey(slug: str) -> ResponseReturnValue:
    return _shown(services().store.latest(slug))


@management.get("/surveys/<slug>/document")
@describe(
    "The published document, whose SHA-256 is the fingerprint.",
    gives("The newest version's document.", {"type": "object"}),
    scope=Scope.READ,
)
def document(slug: str) -> ResponseReturnValue:
    return Response(services().store.latest(slug).survey.document, mimetype=JSON)


@management.get("/surveys/<slug>/log")
@describe(
    "What was decided about a survey, when and by whom, the newest first.",
    gives("Entries of the audit log.", many(ENTRY)),
    query=PAGES,
    role=Role.VIEWER,
)
def log(slug: str) -> ResponseReturnValue:
    entries, headers = page_of(services().store.history(slug))
    return [entry_summary(entry) for entry in entries], headers


def _slugs() -> list[str]:
    who = actor().researcher
    if who is None:
        return services().store.slugs()
    return [membership.slug for membership in services().office.memberships(who)]


def _shown(published: Published) -> dict[str, Any]:
    survey = published.survey
    address = request.url_root.rstrip("/")
    return survey_summary(published) | {"links": links(address, survey.slug, survey.fingerprint)}
