"""Small surveys for tests, each question in one line."""

from decimal import Decimal
from typing import Any

from client.core.access import INVITED
from client.core.kinds import AnyOf, OneOf, YesNo
from client.core.mechanisms import RandomizedResponse, SampledChecks, SubsetSelection
from client.core.question import Question
from client.core.survey import Survey
from tests.vectors.document_parts import TICKET_KEYS


def labels(count: int) -> tuple[str, ...]:
    return tuple(f"L{number}" for number in range(count))


def yes_no(id: str, epsilon: str) -> Question:
    budget = Decimal(epsilon)
    return Question(id, f"{id}?", YesNo(), budget, RandomizedResponse.at(budget))


def one_of(id: str, options: int, epsilon: str, size: int = 1) -> Question:
    budget = Decimal(epsilon)
    mechanism = SubsetSelection.at(budget, options=options, size=size)
    return Question(id, f"{id}?", OneOf(options=labels(options)), budget, mechanism)


def sampled_boxes(id: str, options: int, asked: int, epsilon: str) -> Question:
    budget = Decimal(epsilon)
    mechanism = SampledChecks.at(budget, options=options, asked=asked)
    return Question(id, f"{id}?", AnyOf(options=labels(options)), budget, mechanism)


def with_keys(survey: Survey) -> Survey:
    """Return an invited survey as it is published, with keys that nobody can sign with."""
    keys = dict(zip(survey.ticket_groups, TICKET_KEYS, strict=False))
    return survey.with_ticket_keys(keys if survey.access == INVITED else {})


def survey_of(*questions: Question, **fields: Any) -> Survey:
    """Return a survey with these questions."""
    settings: dict[str, Any] = {
        "slug": "a-survey",
        "version": 1,
        "title": "A survey",
    }
    return Survey(**(settings | fields), questions=questions)


# A draft with all kinds of questions, all mechanisms and skip logic.
EVERY_KIND: dict[str, Any] = {
    "slug": "kinds",
    "title": "Kinds",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [
        {"id": "a", "prompt": "Yes?"},
        {"id": "b", "kind": "one_of", "prompt": "B", "options": list("uvwxyz"), "decline": "true"},
        {"id": "c", "kind": "any_of", "prompt": "C", "options": list("uvwxyz"), "at_most": "2"},
        {"id": "d", "kind": "scale", "prompt": "D", "lo": "0", "hi": "10", "goal": "mean"},
        {"id": "e", "kind": "number", "prompt": "E", "lo": "0", "hi": "60", "goal": "distribution"},
        {"id": "f", "kind": "any_of", "prompt": "F", "options": list("uvw")},
        {"id": "g", "kind": "one_of", "prompt": "G", "options": list("uvw"), "mechanism": "hr"},
        {
            **{"id": "h", "kind": "any_of", "prompt": "H", "options": list("uv")},
            "show_if": {"question": "a", "is": "Yes"},
        },
    ],
}
