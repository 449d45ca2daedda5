"""A survey with one question of every kind and every mechanism, and synthetic reports to it."""

from collections.abc import Iterator
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.primitives.domain import Checks
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import count_of, shares_by_question
from estimators.simulation.reports import Columns, simulate_columns

BOXES = list("abcdefgh")
QUESTIONS: list[dict[str, Any]] = [
    {"id": "smokes", "prompt": "Smokes?"},
    {"id": "colour", "kind": "one_of", "prompt": "Colour?", "options": BOXES, "decline": "true"},
    {"id": "name", "kind": "one_of", "prompt": "Name?", "options": [f"n{i}" for i in range(120)]},
    {"id": "illness", "kind": "any_of", "prompt": "Ill?", "options": BOXES, "at_most": "2"},
    {"id": "any", "kind": "any_of", "prompt": "Any?", "options": ["x", "y", "z"]},
    {"id": "trust", "kind": "scale", "prompt": "Trust?", "lo": "0", "hi": "10", "goal": "mean"},
    {"id": "drinks", "kind": "number", "prompt": "Drinks?", "lo": "0", "hi": "60"},
    {"id": "both", "kind": "cross", "prompt": "Both?", "row_prompt": "A?", "column_prompt": "B?"},
    {
        **{"id": "hidden", "kind": "any_of", "prompt": "Which?", "options": ["u", "v"]},
        "show_if": {"question": "smokes", "is": "Yes"},
    },
]
QUESTIONS[2]["mechanism"] = "hr"
QUESTIONS[6]["mechanism"] = "isw"

EVERYBODY: dict[str, Any] = {
    "slug": "kinds",
    "title": "Every kind",
    "delete_on": "2999-12-31",
    "questions": [{**question, "epsilon": "1"} for question in QUESTIONS],
}
# There is no skip logic if the deciding question may not have been asked.
SAMPLED = {**EVERYBODY, "ask_each_person": "3", "questions": EVERYBODY["questions"][:-1]}


def every_kind(sampled: bool) -> Survey:
    """Return the survey; everybody is asked everything, or each person three questions."""
    return build_survey(SAMPLED if sampled else EVERYBODY)


def people(survey: Survey) -> Population:
    return Population(survey, shares_by_question(survey, []))


def reports_to(survey: Survey, n: int = 500) -> Iterator[Columns]:
    """Return n reports, the same ones every time."""
    return simulate_columns(people(survey), n, stream(11))


def lopsided(survey: Survey) -> Population:
    """Return shares where most people give the second answer and tick the first box."""
    return Population(survey, {question.id: _most(question) for question in survey.questions})


def _most(question: Question) -> tuple[float, ...]:
    count = count_of(question.domain)
    if isinstance(question.domain, Checks):
        return (0.8,) + (0.1,) * (count - 1)
    others = 0.25 / (count - 1)
    return (others, 0.75) + (others,) * (count - 2)
