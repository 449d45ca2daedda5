"""The same survey at another total epsilon."""

from decimal import Decimal
from typing import Any

import pytest

from client.authoring.draft.from_survey import at_total_epsilon
from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from tests.support.surveys import survey_of, yes_no

MIXED: dict[str, Any] = {
    "slug": "mixed",
    "title": "Mixed",
    "questions": [
        {"id": "a", "prompt": "A?", "epsilon": "1"},
        {"id": "b", "prompt": "B", "epsilon": "0.5", "kind": "one_of", "options": list("uvwxyz")},
        {
            **{"id": "c", "prompt": "C", "epsilon": "0.5", "kind": "one_of"},
            **{"options": list("uvwxyz"), "mechanism": "hr"},
        },
    ],
}


def test_every_question_keeps_its_part_of_the_total() -> None:
    survey = at_total_epsilon(build_survey(MIXED), Decimal(4))
    assert [question.epsilon for question in survey.questions] == [2, 1, 1]
    assert survey.total_epsilon == 4


def test_it_is_the_survey_that_its_author_would_have_published() -> None:
    double = [
        {**question, "epsilon": str(2 * Decimal(question["epsilon"]))}
        for question in MIXED["questions"]
    ]
    again = build_survey({**MIXED, "questions": double})
    assert at_total_epsilon(build_survey(MIXED), Decimal(4)) == again


def test_the_same_total_changes_nothing() -> None:
    survey = build_survey(MIXED)
    assert at_total_epsilon(survey, survey.total_epsilon) == survey


def test_parts_that_do_not_come_out_even_never_spend_more_than_the_total() -> None:
    survey = at_total_epsilon(survey_of(*(yes_no(id, "1") for id in "abc")), Decimal(1))
    assert [question.epsilon for question in survey.questions] == [Decimal("0.333333")] * 3


def test_a_total_that_leaves_too_little_for_a_question_is_refused() -> None:
    with pytest.raises(Refusal, match=r"b\.epsilon must be between 0\.01 and 10, got 0\.005"):
        at_total_epsilon(build_survey(MIXED), Decimal("0.02"))
