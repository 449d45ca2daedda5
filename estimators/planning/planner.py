"""A whole plan as plain figures, for a survey or a single question (math 6, 10, 12)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.access import INVITED
from client.core.kinds import AnyOf, Number, OneOf, Scale, YesNo
from client.core.primitives.domain import MAX_OPTIONS
from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.planning.advice import Advice, best_asking
from estimators.planning.group_plan import Groups, plan_groups_of_survey
from estimators.planning.survey_plan import Target, plan_survey
from estimators.planning.timing import timing
from estimators.plots.panels import MarginPanel

# The fields that describe a question of each kind without its wording.
SHAPES: dict[str, tuple[str, ...]] = {
    YesNo.name: (),
    OneOf.name: ("options",),
    AnyOf.name: ("options", "at_most"),
    Scale.name: ("lo", "hi", "goal", "decline"),
    Number.name: ("lo", "hi", "step", "goal", "decline"),
}


def one_question(kind: str, epsilon: str, options: int = 0, **fields: object) -> Survey:
    """Return a survey of one question with numbered options; the rule chooses its mechanism."""
    # Checked before the labels are made.
    require(options <= MAX_OPTIONS, "bad_shape.most", "options", most=MAX_OPTIONS, options=options)
    labels = {"options": [str(number) for number in range(1, options + 1)]} if options else {}
    shape = {name: str(value) for name, value in fields.items()}
    question = {"id": kind, "kind": kind, "prompt": kind.replace("_", "-"), "epsilon": epsilon}
    return build_survey(
        {"slug": "one-question", "title": "One question", "questions": [question | labels | shape]}
    )


Figures = dict[str, Any]


def survey_figures(
    survey: Survey, target: Target | Groups, panels: Sequence[MarginPanel] = ()
) -> Figures:
    """Return a row per question, the best way to spend the budget, and curves if any."""
    rows = (
        plan_survey(survey, target)
        if isinstance(target, Target)
        else plan_groups_of_survey(survey, target)
    )
    advice = asking_advice(survey)
    curves = [
        {"question": question.id, **curve_figures(panel)}
        for question, panel in zip(survey.questions, panels, strict=False)
    ]
    people = max(row["respondents"] for row in rows) if isinstance(target, Target) else 0
    return {
        **({"timing": asdict(timing(people))} if people and survey.access == INVITED else {}),
        "questions": rows,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "ask_each_person": survey.asked,
        "best_ask_each_person": advice and advice.ask_each_person,
        "best_ask_each_person_cost": advice and advice.cost,
        **({"curves": curves} if curves else {}),
    }


def asking_advice(survey: Survey) -> Advice | None:
    """Return how many questions to ask each person; None if skip logic needs them all."""
    has_skip_logic = any(question.show_if for question in survey.questions)
    return None if has_skip_logic else best_asking(survey)


def curve_figures(panel: MarginPanel) -> Figures:
    """Return the margins by respondents, for each epsilon and for a direct question."""
    return {
        "unit": panel.unit,
        "respondents": list(panel.direct.respondents),
        "margins": {curve.epsilon: list(curve.line.values) for curve in panel.curves},
        "direct_margins": list(panel.direct.values),
    }
