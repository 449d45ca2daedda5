"""The planner page: what a target costs, for one question of any kind. It changes nothing."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from client.core.mechanisms import TwoLevel
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.planning.curves import survey_panels
from estimators.planning.grant import grant_paragraph
from estimators.planning.group_plan import Groups
from estimators.planning.planner import SHAPES, one_question, survey_figures
from estimators.planning.solving import invited, solve_epsilon
from estimators.planning.survey_plan import Target
from estimators.planning.wording import margin_words, silence_assumed
from estimators.plots.panels import MarginPanel
from server.results.downloads import TYPES, download, draw_figure
from server.workbench.blueprint import workbench
from server.workbench.planner.chart import Chart, margin_chart
from server.workbench.planner.form import PlannerForm, needing, shape_fields
from server.workbench.planner.words import plan_sentence
from server.workbench.rendering import render

# More curves could not be distinguished.
MOST_EPSILONS = 6


@dataclass(frozen=True)
class Plan:
    """The plan for one form."""

    row: dict[str, Any]
    target: Target | Groups
    mechanism: TwoLevel
    panel: MarginPanel
    chart: Chart
    # What was solved for, and the plan in words for a proposal.
    solved: str = ""
    in_words: str = ""

    @property
    def sentence(self) -> str:
        told = plan_sentence(self.row, self.target, self.panel.unit)
        return f"{self.solved} {told}".strip()

    @property
    def assumption(self) -> str:
        """What is assumed about silence; nothing if nobody can be silent."""
        return silence_assumed(self.mechanism)

    @property
    def margin(self) -> str:
        return margin_words(self.row["margin"], self.panel.unit)


@workbench.get("/planner")
def planner() -> ResponseReturnValue:
    form = PlannerForm(request.args)
    try:
        return _page(form, plan=_plan(form))
    except Refusal as refusal:
        return _page(form, wrong=form.show_refusal(refusal)), 400


@workbench.get("/planner/margins.<any(svg, png, pdf):format>")
def planner_figure(format: str) -> ResponseReturnValue:
    panel = _plan(PlannerForm(request.args)).panel
    return download(draw_figure(panel, format), TYPES[format], f"margins.{format}")


def _page(form: PlannerForm, plan: Plan | None = None, wrong: str | None = None) -> str:
    return render("planner.html", form=form, plan=plan, wrong=wrong, needing=needing())


def _plan(form: PlannerForm) -> Plan:
    epsilons = _epsilons(form.text("epsilons"))
    survey, target = _survey(form), _target(form)
    solved, words = "", ""
    if form.text("wish") == "epsilon":
        wanted = Target(form.part("margin"), None, _share(form, "share"), target.confidence)
        solution = solve_epsilon(survey, form.whole("respondents"), wanted)
        survey, solved = solution.survey, solution.sentence
    panels = survey_panels(survey, epsilons, target.share, target.confidence)
    figures = survey_figures(survey, target, panels)
    (row,), (curves,), (question,) = figures["questions"], figures["curves"], survey.questions
    if isinstance(target, Target):
        invite = invited(row["respondents"], form.part("response", with_ends=True))
        words = grant_paragraph(survey, [row], invite if invite != row["respondents"] else None)
    chart = margin_chart(curves)
    return Plan(row, target, question.mechanism, panels[0], chart, solved, words)


def _survey(form: PlannerForm) -> Survey:
    """Return a survey with the one question that is planned."""
    kind = form.text("kind")
    require(kind in SHAPES, "unknown_kind", "kind", name=kind)
    given = {name: form.text(field) for name, field in shape_fields(kind).items()}
    shape = {name: text for name, text in given.items() if text}
    options = form.whole("options") if shape.pop("options", None) else 0
    # Read here, so that a refusal names the form's field.
    epsilon = decimal_text(parse_epsilon(form.text("epsilon")))
    return one_question(kind, epsilon, options, **shape)


def _target(form: PlannerForm) -> Target | Groups:
    confidence = form.part("confidence")
    match form.text("wish"):
        case "margin":
            return Target(form.part("margin"), None, _share(form, "share"), confidence)
        case "respondents" | "epsilon":
            return Target(None, form.whole("respondents"), _share(form, "share"), confidence)
        case "groups":
            first, second = _share(form, "first"), _share(form, "second")
            return Groups(first, second, form.part("power"), None, confidence)
        case "power":
            n = form.whole("respondents")
            return Groups(_share(form, "first"), _share(form, "second"), 0.8, n, confidence)
    raise Refusal("unknown_wish", "wish")


def _share(form: PlannerForm, name: str) -> float:
    return form.part(name, with_ends=True)


def _epsilons(text: str) -> tuple[Decimal, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    require(1 <= len(parts) <= MOST_EPSILONS, "bad_epsilons", "epsilons", most=MOST_EPSILONS)
    return tuple(parse_epsilon(part, "epsilons") for part in parts)
