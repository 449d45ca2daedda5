"""Help for those who write a survey: what is wrong with it, and what it takes."""

from flask import request
from flask.typing import ResponseReturnValue

from client.authoring.draft.survey import build_survey
from client.authoring.lint import look_through, problems_as_json
from client.core.primitives import canonical
from estimators.planning.survey_plan import Target, plan_survey
from server.api.asking import draft
from server.api.blueprint import management
from server.api.describing import describe
from server.api.schemas import COUNT, DRAFT, PROBLEMS, gives, many
from server.door import READING
from server.guards import whole_number
from server.store import Scope

USUAL_RESPONDENTS = 1000


@management.post("/lint")
@describe(
    "Every fault of a survey file, or, where there is none, every warning.",
    gives("How many, and each with its place.", PROBLEMS),
    takes={"type": "object"},
    scope=Scope.READ,
)
def lint() -> ResponseReturnValue:
    with READING:
        looked = look_through(canonical.canonical(draft()), "draft")
    return problems_as_json("draft", looked.problems)


@management.post("/plan")
@describe(
    "The margin of every question for so many respondents, with what protects it.",
    gives("One entry per question.", many({"type": "object"})),
    takes=DRAFT,
    query={"respondents": COUNT},
    scope=Scope.READ,
)
def plan() -> ResponseReturnValue:
    respondents = whole_number(request, "respondents") or USUAL_RESPONDENTS
    return plan_survey(build_survey(draft()), Target(None, respondents))
