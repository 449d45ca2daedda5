"""The planner: what a wish costs, for one question of any kind. Its form changes nothing."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from client.channel import parse_epsilon
from client.decimals import decimal_text
from client.mechanisms import TwoLevel
from client.refusal import Refusal, require
from client.survey import Survey
from estimators.group_plan import Groups
from estimators.one_question import SHAPES, one_question
from estimators.plan_curves import survey_panels
from estimators.planner import survey_figures
from estimators.survey_plan import Wish
from server.workbench.blueprint import workbench
from server.workbench.chart import Chart, margin_chart
from server.workbench.planner_form import PlannerForm
from server.workbench.rendering import render

# More curves than this cannot be told apart.
MOST_EPSILONS = 6


@dataclass(frozen=True)
class Plan:
    """The answer to one form."""

    row: dict[str, Any]
    mechanism: TwoLevel
    chart: Chart


@workbench.get("/planner")
def planner() -> ResponseReturnValue:
    form = PlannerForm(request.args)
    try:
        return render("planner.html", form=form, plan=_plan(form))
    except Refusal as refusal:
        form.blame(refusal)
        return render("planner.html", form=form, plan=None), 400


def _plan(form: PlannerForm) -> Plan:
    epsilons = _epsilons(form.text("epsilons"))
    question, wish = _question(form), _wish(form)
    panels = survey_panels(question, epsilons, wish.share, wish.confidence)
    figures = survey_figures(question, wish, panels)
    (row,), (curves,) = figures["questions"], figures["curves"]
    return Plan(row, question.questions[0].mechanism, margin_chart(curves))


def _question(form: PlannerForm) -> Survey:
    kind = form.text("kind")
    require(kind in SHAPES, "unknown_kind", f"the kind {kind[:40]!r} is not known", "kind")
    shape = {name: form.text(name) for name in SHAPES[kind] if form.text(name)}
    options = form.whole("options") if shape.pop("options", None) else 0
    # Here, so that the reason stands beside its field.
    epsilon = decimal_text(parse_epsilon(form.text("epsilon")))
    return one_question(kind, epsilon, options, **shape)


def _wish(form: PlannerForm) -> Wish | Groups:
    confidence = form.number("confidence")
    match form.text("wish"):
        case "margin":
            return Wish(form.number("margin"), None, form.number("share"), confidence)
        case "respondents":
            return Wish(None, form.whole("respondents"), form.number("share"), confidence)
        case "groups":
            first, second = form.number("first"), form.number("second")
            return Groups(first, second, form.number("power"), None, confidence)
        case "power":
            n = form.whole("respondents")
            return Groups(form.number("first"), form.number("second"), 0.8, n, confidence)
    raise Refusal("unknown_wish", "choose what is wanted from the list", "wish")


def _epsilons(text: str) -> tuple[Decimal, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    require(
        1 <= len(parts) <= MOST_EPSILONS,
        "bad_epsilons",
        f"give 1 to {MOST_EPSILONS} epsilons, separated by commas",
        "epsilons",
    )
    return tuple(parse_epsilon(part, "epsilons") for part in parts)
