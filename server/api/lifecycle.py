"""The steps of a survey's life: closing, archiving, the trash, and deletion."""

from flask import request
from flask.typing import ResponseReturnValue

from server.api.blueprint import actor, management
from server.api.description import Gives, describe
from server.api.schemas import CLOSING, STATE, TEXT, gives
from server.lifecycle import ending
from server.lifecycle.ending import close_survey
from server.surveys.researchers import Role
from server.surveys.summary import state_summary
from server.web.services import services


@management.post("/surveys/<slug>/close")
@describe(
    "Close a survey for ever, or give no more tickets and let open pages send for a while.",
    {200: Gives("The final figures, or when it ends.", {"oneOf": [CLOSING, STATE]})},
    query={"grace": TEXT},
    role=Role.OWNER,
)
def close(slug: str) -> ResponseReturnValue:
    return close_survey(services().database, slug, request.args.get("grace"), actor().name)


@management.post("/surveys/<slug>/archive")
@describe(
    "Put a closed survey away; its results stay readable.",
    gives("How it stands now.", STATE),
    role=Role.OWNER,
)
def archive(slug: str) -> ResponseReturnValue:
    return state_summary(ending.archive(services().database, slug, actor().name))


@management.post("/surveys/<slug>/trash")
@describe(
    "Put a survey in the trash, from where it can be taken out for 30 days.",
    gives("How it stands now.", STATE),
    role=Role.OWNER,
)
def trash(slug: str) -> ResponseReturnValue:
    return state_summary(ending.trash(services().database, slug, actor().name))


@management.post("/surveys/<slug>/restore")
@describe(
    "Take a survey out of the trash, just as it was.",
    gives("How it stands now.", STATE),
    role=Role.OWNER,
)
def restore(slug: str) -> ResponseReturnValue:
    return state_summary(ending.restore(services().database, slug, actor().name))
