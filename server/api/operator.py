"""For the operator's key alone: researchers, the whole audit log, and deletion."""

from flask import request
from flask.typing import ResponseReturnValue

from server.accounts.management import ACTIONS, act
from server.api.blueprint import actor, management
from server.api.description import describe
from server.api.schemas import DELETION, ENTRY, FLAG, TEXT, gives, many, shape
from server.lifecycle.ending import delete_due
from server.store import audit_log
from server.surveys.summary import log_summary
from server.web.requests import flag, json_object
from server.web.services import services


@management.post("/researchers/<action>")
@describe(
    f"Manage researchers; the action is one of {', '.join(ACTIONS)}. For the operator.",
    gives("The researcher as they are now, or all of them.", {"type": "object"}),
    takes={"type": "object", "additionalProperties": {"type": "string"}},
)
def researchers(action: str) -> ResponseReturnValue:
    actor().require_operator()
    return act(services().database, action, json_object("body"))


@management.get("/log")
@describe(
    "What was decided about all that a slug ever had, or about everything. For the operator.",
    gives("Entries of the audit log, the newest first.", shape(entries=many(ENTRY))),
    query={"slug": TEXT},
)
def whole_log() -> ResponseReturnValue:
    actor().require_operator()
    return log_summary(audit_log.entries(services().database.reader, request.args.get("slug")))


@management.post("/purge")
@describe(
    "Carry out all deletion dates and empty the trash of what is due. For the operator.",
    gives("What was deleted, or would be.", DELETION),
    query={"dry_run": FLAG},
)
def purge() -> ResponseReturnValue:
    actor().require_operator()
    return delete_due(services(), flag("dry_run"))
