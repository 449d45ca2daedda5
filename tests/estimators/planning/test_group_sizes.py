"""How many people a group needs so that it is told apart, and what `lint` says about it."""

import json
from math import comb
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from estimators.least_shown import IN_GROUP
from estimators.planning.group_size import people_in_group
from estimators.planning.lint import lint
from tests.support.groups import with_groups


def draft_of(questions: int, asked: int | None) -> dict[str, Any]:
    """Return a survey in three arms, of this many questions."""
    asks = {"ask_each_person": str(asked)} if asked else {}
    draft = {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "epsilon": "1",
        "questions": [{"id": f"q{i}", "prompt": f"Question {i}?"} for i in range(questions)],
        **asks,
    }
    return with_groups(draft)


def risk(people: int, questions: int, asked: int) -> float:
    """Return an upper bound of the chance that a question is asked of too few."""
    part = asked / questions
    return questions * sum(
        comb(people, n) * part**n * (1 - part) ** (people - n) for n in range(IN_GROUP)
    )


@pytest.mark.parametrize(
    ("questions", "asked", "people"), [(2, 1, 54), (4, 2, 56), (4, 1, 119), (10, 2, 160)]
)
def test_a_group_is_large_enough_with_a_chance_of_95_percent_and_one_fewer_is_not(
    questions: int, asked: int, people: int
) -> None:
    assert people_in_group(build_survey(draft_of(questions, asked))) == people
    assert risk(people, questions, asked) <= 0.05 < risk(people - 1, questions, asked)


def test_without_sampled_questions_a_group_needs_the_minimum() -> None:
    assert people_in_group(build_survey(draft_of(4, None))) == IN_GROUP


def messages(asked: int | None, respondents: int) -> list[str]:
    data = json.dumps(draft_of(4, asked)).encode()
    found = lint(data, "habits.json", respondents)
    return [problem.message for problem in found if problem.code == "small_groups"]


def test_lint_says_how_many_people_a_group_needs_if_questions_are_sampled() -> None:
    (message,) = messages(1, 3 * 119 - 1)
    assert "a group is held back if a question was asked of fewer than 20 of it" in message
    assert "a group needs about 119 people" in message
    assert messages(1, 3 * 119) == []
    assert messages(None, 3 * 20) == []
    assert "needs about" not in messages(None, 3 * 20 - 1)[0]
