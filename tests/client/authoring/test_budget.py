"""Budgets: weights, exact sums, and the costliest questions that one person can be asked."""

from decimal import Decimal
from typing import Any

import pytest

from client.authoring.draft.budget import split_budget
from client.authoring.draft.faults import Faults
from client.authoring.draft.kinds import question_fields
from client.authoring.draft.reader import Fields
from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal


def split(
    *questions: dict[str, Any], total: object = None, default: object = None, asked: int = 0
) -> list[str]:
    drafts = [
        Fields(question, question_fields(question), ("questions", i), question["id"])
        for i, question in enumerate(questions)
    ]
    faults = Faults()
    found = split_budget(drafts, total, default, asked or len(drafts), faults)
    for fault in faults.found:
        raise fault
    return [str(epsilon) for epsilon in found]


def weighing(*weights: str) -> list[dict[str, Any]]:
    return [{"id": f"q{i}", "weight": weight} for i, weight in enumerate(weights)]


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 9, 10])
@pytest.mark.parametrize("total", ["1", "3", "0.3", "7", "9.999999"])
def test_equal_questions_get_equal_parts_that_never_exceed_the_total(
    count: int, total: str
) -> None:
    parts = [Decimal(part) for part in split(*weighing(*["1"] * count), total=total)]
    assert len(set(parts)) == 1
    assert sum(parts) <= Decimal(total)
    assert Decimal(total) - sum(parts) < count * Decimal("0.0001")


def test_a_total_that_can_be_split_evenly_is_used_to_the_last_digit() -> None:
    assert split(*weighing("1", "1", "1"), total="3") == ["1.0000"] * 3
    assert split(*weighing("1", "1", "1"), total="0.3") == ["0.1000"] * 3
    assert split(*weighing("8", "1"), total="3") == ["2.0000", "1.0000"]
    assert split(*weighing("64", "1"), total="1") == ["0.8000", "0.2000"]
    assert split(*weighing("0.001", "0.008"), total="3") == ["1.0000", "2.0000"]


def test_epsilon_goes_with_the_cube_root_of_the_weight() -> None:
    first, second = map(Decimal, split(*weighing("5", "1"), total="2"))
    assert float(first / second) == pytest.approx(5 ** (1 / 3), rel=1e-3)


def test_whoever_draws_the_dearest_questions_stays_within_the_total() -> None:
    assert split(*weighing("1", "1", "1", "1"), total="1", asked=2) == ["0.5000"] * 4
    parts = split(*weighing("8", "1", "1", "27"), total="5", asked=2)
    assert parts == ["2.0000", "1.0000", "1.0000", "3.0000"]


def test_every_question_may_have_its_own_epsilon_or_the_surveys() -> None:
    assert split({"id": "a", "epsilon": "0.3"}, {"id": "b"}, default="0.5") == ["0.3", "0.5"]


@pytest.mark.parametrize("default", [None, "1"])
def test_two_budgets_are_refused(default: str | None) -> None:
    own = {} if default else {"epsilon": "1"}
    with pytest.raises(Refusal, match="either total_epsilon with weights, or an epsilon") as caught:
        split({"id": "a", **own}, total="2", default=default)
    assert caught.value.code == "two_budgets"


@pytest.mark.parametrize("weight", ["0", "-1"])
def test_a_weight_that_weighs_nothing_is_refused(weight: str) -> None:
    with pytest.raises(Refusal, match=f"weight must be above 0, got {weight}"):
        split(*weighing(weight), total="1")


@pytest.mark.parametrize("weight", ["much", "1e3", "nan", "", None, ["1"]])
def test_a_weight_that_is_no_decimal_is_refused(weight: object) -> None:
    with pytest.raises(Refusal, match="a: weight must be a plain decimal"):
        split({"id": "a", "weight": weight}, total="1")


@pytest.mark.parametrize("total", ["0", "11", "nan", "-1", ["1"]])
def test_a_total_that_is_no_epsilon_is_refused(total: object) -> None:
    with pytest.raises(Refusal, match="total_epsilon must be"):
        split(*weighing("1"), total=total)


def test_a_total_too_small_for_its_questions_is_refused_with_advice() -> None:
    with pytest.raises(Refusal, match=r"leaves 0\.0083 for .* ask each person fewer questions"):
        split(*weighing(*["1"] * 12), total="0.1")


def test_a_question_without_any_epsilon_is_refused_by_its_name() -> None:
    with pytest.raises(Refusal, match="drinks needs an epsilon, its own or the survey's"):
        split({"id": "drinks"})


@pytest.mark.parametrize(("asked", "total"), [(0, "6"), (1, "1"), (2, "2"), (5, "5")])
def test_the_published_total_is_the_exact_sum_of_what_one_person_is_asked(
    asked: int, total: str
) -> None:
    survey = build_survey(
        {
            **{"slug": "s", "title": "S", "total_epsilon": total, "ask_each_person": asked},
            "questions": [{"id": f"q{i}", "prompt": "?"} for i in range(6)],
        }
    )
    assert {question.epsilon for question in survey.questions} == {Decimal(1)}
    assert survey.total_epsilon == Decimal(total)
