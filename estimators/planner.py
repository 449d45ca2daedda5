"""A whole plan as plain figures, for the command line and for a page alike (math 6, 10, 12)."""

from collections.abc import Sequence
from typing import Any

from client.decimals import decimal_text
from client.survey import Survey
from estimators.budget_advice import Advice, best_asking
from estimators.group_plan import Groups, plan_groups_of_survey
from estimators.plots.panels import MarginPanel
from estimators.survey_plan import Wish, plan_survey

Figures = dict[str, Any]


def survey_figures(
    survey: Survey, wish: Wish | Groups, panels: Sequence[MarginPanel] = ()
) -> Figures:
    """A row per question, what the budget would best be spent on, and curves where there are."""
    rows = (
        plan_survey(survey, wish) if isinstance(wish, Wish) else plan_groups_of_survey(survey, wish)
    )
    advice = asking_advice(survey)
    curves = [
        {"question": question.id, **curve_figures(panel)}
        for question, panel in zip(survey.questions, panels, strict=False)
    ]
    return {
        "questions": rows,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "ask_each_person": survey.asked,
        "best_ask_each_person": advice and advice.ask_each_person,
        "best_ask_each_person_cost": advice and advice.cost,
        **({"curves": curves} if curves else {}),
    }


def asking_advice(survey: Survey) -> Advice | None:
    """How many questions each person is best asked; none where skip logic needs them all."""
    has_skip_logic = any(question.show_if for question in survey.questions)
    return None if has_skip_logic else best_asking(survey)


def curve_figures(panel: MarginPanel) -> Figures:
    """The margins at some numbers of respondents, for each epsilon and for a direct question."""
    return {
        "unit": panel.unit,
        "respondents": list(panel.direct.respondents),
        "margins": {curve.epsilon: list(curve.line.values) for curve in panel.curves},
        "direct_margins": list(panel.direct.values),
    }
