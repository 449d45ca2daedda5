"""Links to a survey: personal links, open links of groups, and what came of them."""

from flask import request
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import require
from server.api.blueprint import actor, management
from server.api.description import describe
from server.api.schemas import (
    BOOLEAN,
    COUNT,
    LINK_COUNTS,
    TEXT,
    WHOLE,
    many,
    optional,
    responds,
    shape,
)
from server.lifecycle import invitations
from server.lifecycle.invitations import invite, invite_strata, status
from server.surveys.researchers import Role
from server.web.requests import json_object, whole_number
from server.web.services import services

_FOR_LINKS = shape(slug=TEXT, fingerprint=TEXT, group=TEXT, invitations=many(TEXT))
_OF_STRATA = shape(
    slug=TEXT, fingerprint=TEXT, groups=many(shape(group=TEXT, invitations=many(TEXT)))
)
_COUNTS = {
    "slug": TEXT,
    "by_invitation": BOOLEAN,
    "merged_groups": WHOLE,
    "held_back": BOOLEAN,
    "rounded": BOOLEAN,
}
_OPEN = shape(**_COUNTS, groups=many(shape(group=TEXT, used=optional(WHOLE))))
_INVITED = shape(
    **_COUNTS, **LINK_COUNTS, groups=many(shape(group=TEXT, issued=WHOLE, given=WHOLE))
)


@management.post("/surveys/<slug>/invitations")
@describe(
    "Make personal links to a survey by invitation; each is good for one report. If the link sets "
    "the group, `group` names a level of each factor, as in `arm=treatment, age=Under 30`.",
    responds("What each link carries after the fingerprint; shown once.", _FOR_LINKS, 201),
    query={"count": COUNT, "group": TEXT},
)
def make_invitations(slug: str) -> ResponseReturnValue:
    count, group = whole_number(request, "count") or 0, request.args.get("group", "")
    return invite(services(), slug, count, group, actor().name), 201


@management.post("/surveys/<slug>/invitations/strata")
@describe(
    "Make personal links of several groups at once, all or none: how many of each. Names and "
    "addresses stay where they are.",
    responds("What each link carries after the fingerprint; shown once.", _OF_STRATA, 201),
    body=shape(counts={"type": "object", "additionalProperties": COUNT}),
)
def make_strata(slug: str) -> ResponseReturnValue:
    counts = json_object("body").get("counts")
    known = isinstance(counts, dict) and all(type(count) is int for count in counts.values())
    require(known, "bad_counts.strata", "counts")
    assert isinstance(counts, dict)
    return invite_strata(services(), slug, counts, actor().name), 201


@management.get("/surveys/<slug>/invitations")
@describe(
    "Of an invited survey: how many links were made and tickets given, by group, and how many "
    "reports came in all; never whose. Of an open one: how many reports came, by group. `used` is "
    "null if a group has too few reports to be counted separately, and rounded down to twenties "
    "while the survey is open. The group without a name is small groups together.",
    responds(
        "The counts; `held_back` says whether few reports are never counted.",
        {"oneOf": [_OPEN, _INVITED]},
    ),
    role=Role.VIEWER,
)
def count_invitations(slug: str) -> ResponseReturnValue:
    return status(services(), slug)


@management.post("/surveys/<slug>/open-link")
@describe(
    "Get the link that is the same for everybody, or for everybody in a group, such as "
    "`arm=treatment`. If the link sets the group, only the links of groups take reports.",
    responds("What the link carries after the fingerprint: nothing, or a group's key.", _FOR_LINKS),
    query={"group": TEXT},
)
def open_link(slug: str) -> ResponseReturnValue:
    return invitations.open_link(services(), slug, request.args.get("group", ""))
