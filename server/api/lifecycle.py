"""The steps that end a survey: closing, reopening a full one, archiving, and the trash."""

from flask import request
from flask.typing import ResponseReturnValue

from server.api.blueprint import actor, management
from server.api.description import ApiResponse, describe
from server.api.schemas import CLOSING, COUNT, STATE, TEXT, one_of, responds
from server.lifecycle import ending
from server.lifecycle.ending import close_survey
from server.surveys.researchers import Role
from server.surveys.strays import GroupChoice, group_choice
from server.surveys.summary import state_summary
from server.web.requests import whole_number
from server.web.services import services


@management.post("/surveys/<slug>/close")
@describe(
    "Close a survey for ever; with `grace`, let pages that are already open send for some hours. "
    "If few reports have no group, `groups` says what becomes of them: `keep` tells groups apart "
    "and never counts these few, `drop` counts all reports and tells no groups apart. If there are "
    "such reports and nothing was chosen, the answer says so and nothing is closed.",
    {200: ApiResponse("The final figures, or when the survey ends.", {"oneOf": [CLOSING, STATE]})},
    query={"grace": TEXT, "groups": one_of(GroupChoice)},
    role=Role.OWNER,
)
def close(slug: str) -> ResponseReturnValue:
    asked = request.args
    groups = group_choice(asked.get("groups"))
    return close_survey(services(), slug, asked.get("grace"), groups, actor().name)


@management.post("/surveys/<slug>/reopen")
@describe(
    "Let a full survey take reports again, until it has `closes_at` of them.",
    responds("Its new state.", STATE),
    query={"closes_at": COUNT},
    role=Role.OWNER,
)
def reopen(slug: str) -> ResponseReturnValue:
    number = whole_number(request, "closes_at") or 0
    return state_summary(ending.reopen(services().database, slug, number, actor().name))


@management.post("/surveys/<slug>/archive")
@describe(
    "Archive a closed survey; its results stay readable.",
    responds("Its new state.", STATE),
    role=Role.OWNER,
)
def archive(slug: str) -> ResponseReturnValue:
    return state_summary(ending.archive(services().database, slug, actor().name))


@management.post("/surveys/<slug>/trash")
@describe(
    "Move a survey to the trash, where it can be restored for 30 days.",
    responds("Its new state.", STATE),
    role=Role.OWNER,
)
def trash(slug: str) -> ResponseReturnValue:
    return state_summary(ending.trash(services(), slug, actor().name))


@management.post("/surveys/<slug>/restore")
@describe(
    "Take a survey out of the trash, just as it was.",
    responds("Its new state.", STATE),
    role=Role.OWNER,
)
def restore(slug: str) -> ResponseReturnValue:
    return state_summary(ending.restore(services().database, slug, actor().name))
