"""Small surveys for tests, each question in one line."""

from decimal import Decimal
from typing import Any

from client.kinds import AnyOf, OneOf, YesNo
from client.mechanisms import RandomizedResponse, SampledChecks, SubsetSelection
from client.question import Question
from client.survey import BY_DEVICE, Survey


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


def survey_of(*questions: Question, **fields: Any) -> Survey:
    """A survey that draws for itself unless told otherwise."""
    settings: dict[str, Any] = {
        "slug": "a-survey",
        "version": 1,
        "title": "A survey",
        "drawn_by": BY_DEVICE,
    }
    return Survey(**(settings | fields), questions=questions)
