"""Views for the operator's key only: researchers, the audit log, clock, deletion, and metrics."""

from flask import Response, request
from flask.typing import ResponseReturnValue

from server.accounts.management import ACTIONS, act
from server.api.blueprint import actor, management
from server.api.description import ApiResponse, describe
from server.api.schemas import CLOCK, DAY, DELETION, ENTRY, FLAG, TEXT, many, responds, shape
from server.lifecycle.ending import delete_due
from server.store import audit_log
from server.surveys.summary import log_summary
from server.web.metrics import TYPE, metrics_text
from server.web.requests import flag, json_object
from server.web.services import services


@management.post("/researchers/<action>")
@describe(
    f"Manage researchers; the action is one of {', '.join(ACTIONS)}. Operator only.",
    responds("The researcher after the change, or all researchers.", {"type": "object"}),
    body={"type": "object", "additionalProperties": {"type": "string"}},
)
def researchers(action: str) -> ResponseReturnValue:
    actor().require_operator()
    return act(services(), action, json_object("body"))


@management.get("/log")
@describe(
    "The audit log of everything, or of all surveys that ever had a slug. Operator only.",
    responds("Entries of the audit log, the newest first.", shape(entries=many(ENTRY))),
    query={"slug": TEXT},
)
def whole_log() -> ResponseReturnValue:
    actor().require_operator()
    return log_summary(audit_log.entries(services().database.reader, request.args.get("slug")))


@management.get("/clock")
@describe(
    "The server's clock, and whether it can be trusted to close and to delete. Operator only.",
    responds("The clock.", CLOCK),
)
def clock() -> ResponseReturnValue:
    actor().require_operator()
    return services().watch.summary()


@management.post("/clock")
@describe(
    "Confirm the server's clock, by saying which day it is in UTC. Operator only.",
    responds("The clock.", CLOCK),
    query={"confirm": DAY},
)
def confirm_clock() -> ResponseReturnValue:
    actor().require_operator()
    services().watch.confirm(request.args.get("confirm", ""), actor().name)
    return services().watch.summary()


@management.post("/purge")
@describe(
    "Delete the reports and empty the trash where it is due. Operator only.",
    responds("What was deleted, or would be.", DELETION),
    query={"dry_run": FLAG},
)
def purge() -> ResponseReturnValue:
    actor().require_operator()
    return delete_due(services(), flag("dry_run"))


@management.get("/metrics")
@describe(
    "Metrics for Prometheus, none of which moves with a single respondent. Operator only.",
    {200: ApiResponse("Prometheus's text format.", type="text/plain")},
)
def metrics() -> ResponseReturnValue:
    actor().require_operator()
    return Response(metrics_text(services()), content_type=TYPE)
