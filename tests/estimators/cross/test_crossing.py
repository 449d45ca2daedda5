"""`cross` takes any two questions of a data set."""

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.columns.frame import Frame
from estimators.columns.reading import frame_of_reports
from estimators.cross.crossing import cross, cross_question
from estimators.cross.table import CrossTable
from estimators.tables.question import estimate_question
from tests.support.exported import reports_of, survey_to_export

WHOLE = survey_to_export(sampled=False)
N = 120


@pytest.fixture(scope="module")
def frame() -> Frame:
    return frame_of_reports(WHOLE, reports_of(WHOLE, N))


def numbers(value: Any) -> list[float]:
    """Return every number in a JSON document."""
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return [number for item in items for number in numbers(item)]
    return [value] if isinstance(value, float) else []


NUMBERS = ("trust", "drinks", "hours", "score")
PAIRS = list(combinations([question.id for question in WHOLE.questions], 2))


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="-".join)
def test_every_pair_of_mechanisms_gives_a_table_of_finite_numbers(
    frame: Frame, first: str, second: str
) -> None:
    if first in NUMBERS and second in NUMBERS:
        with pytest.raises(Refusal, match="are both numbers; cut one"):
            cross(frame, first, second)
        return
    table = cross(frame, first, second)
    text = json.loads(json.dumps(table.as_json()))
    assert np.isfinite(numbers(text)).all()
    assert table.n == N
    assert len(table.cells) == len(table.rows) * len(table.columns)
    assert len(table.means) == (len(table.rows) if {first, second} & set(NUMBERS) else 0)
    assert table.test.df > 0
    assert table.test.p_value is not None


def margins(table: CrossTable) -> list[float | None]:
    return [margin.share.value for margin in table.row_margins]


@pytest.mark.parametrize("name", ["smokes", "colour", "illness", "fruit", "mood"])
def test_margins_are_the_shares_of_the_question_alone(frame: Frame, name: str) -> None:
    question = next(item for item in WHOLE.questions if item.id == name)
    estimates: Any = estimate_question(question, frame.tallies()[name])
    assert margins(cross(frame, name, "rating")) == pytest.approx(estimates.shares)


@pytest.mark.parametrize("name", ["score", "hours"])
def test_the_mean_of_everybody_is_that_of_the_question_alone(frame: Frame, name: str) -> None:
    question = next(item for item in WHOLE.questions if item.id == name)
    estimates: Any = estimate_question(question, frame.tallies()[name])
    table = cross(frame, name, "smokes")
    assert table.mean is not None
    assert table.mean.value == pytest.approx(estimates.mean.value)
    assert (table.first, table.rows) == ("smokes", ("No", "Yes"))


def test_a_box_is_a_yes_no_question_of_the_reports_about_it(frame: Frame) -> None:
    table = cross(frame, "any:x", "smokes")
    tally = frame.tallies()["any"]
    assert table.n == tally.counts[0] + tally.counts[1] < N
    assert table.rows == ("not x", "x")
    whole = cross(frame, "any", "smokes")
    assert whole.cells[1].share == table.cells[3].share
    assert whole.cells[1].n == table.n


def test_classes_of_a_number_are_shares_that_sum_to_one(frame: Frame) -> None:
    table = cross(frame, "drinks:10,30.5", "smokes")
    assert table.rows == ("below 10", "10 to below 30.5", "30.5 or more")
    assert sum(cell.share.value or 0.0 for cell in table.cells) == pytest.approx(1)
    assert table.cramers_v is not None


def test_two_boxes_of_a_private_set_have_a_table(frame: Frame) -> None:
    table = cross(frame, "illness:a", "illness:b")
    assert table.n == N
    assert table.is_two_by_two
    column = frame.question("illness")
    shares = (column.counts() @ column.scores / N)[:2]
    assert [table.row_margins[1].share.value, table.column_margins[1].share.value] == (
        pytest.approx(shares)
    )


def test_two_boxes_that_some_reports_are_about_have_a_table() -> None:
    survey = boxes_survey("6")
    table = cross(frame_of_reports(survey, reports_of(survey, 300)), "many:a", "many:b")
    assert 2 < table.n < 300
    assert table.test.df == 1


def boxes_survey(epsilon: str) -> Survey:
    question = {
        **{"id": "many", "kind": "any_of", "prompt": "Many?", "options": ["a", "b", "c"]},
        "epsilon": epsilon,
    }
    return build_survey({"slug": "s", "title": "T", "questions": [question]})


def test_boxes_asked_one_at_a_time_cannot_be_crossed() -> None:
    survey = boxes_survey("1")
    frame = frame_of_reports(survey, reports_of(survey, 300))
    with pytest.raises(Refusal, match="each report is about one box of many"):
        cross(frame, "many:a", "many:b")


def test_a_cross_question_is_read_from_its_own_tally(frame: Frame) -> None:
    question = next(item for item in WHOLE.questions if item.id == "both")
    assert cross(frame, "both") == cross_question(question, frame.tallies()["both"])


def test_only_reports_that_answer_both_count() -> None:
    survey = survey_to_export(sampled=True)
    frame = frame_of_reports(survey, reports_of(survey, 400))
    both = frame.question("smokes").asked & frame.question("fruit").asked
    table = cross(frame, "smokes", "fruit")
    assert table.n == both.sum()
    assert 0 < table.n < 400


def test_advice_is_given_for_whole_questions_that_fit_into_a_table(frame: Frame) -> None:
    advice = cross(frame, "smokes", "fruit").advice
    assert advice is not None
    assert advice.epsilon == pytest.approx(0.8)
    assert advice.cell_gain > 10
    assert cross(frame, "smokes", "fruit:b").advice is None
    assert cross(frame, "smokes", "any").advice is None


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("smokes", "nope", "nope is not a randomized question"),
        ("smokes", None, "smokes is not a question of the kind cross"),
        ("smokes", "smokes", "cannot be crossed with itself"),
        ("fruit:b", "fruit:c", "cannot be crossed with itself"),
        ("any:x", "any:x", "cannot be crossed with itself"),
        ("smokes", "fruit:d", "fruit has no answer 'd'; it has"),
        ("smokes", "drinks:x", "drinks:x must end in rising limits such as 30,60, got 'x'"),
        ("smokes", "drinks:30,10", "rising limits"),
        ("smokes", "drinks:nan", "rising limits"),
        ("smokes", "drinks:70", "leave no class empty; the numbers go from 0 to 60"),
    ],
)
def test_what_cannot_be_crossed_is_refused_in_a_sentence(
    frame: Frame, first: str, second: str | None, sentence: str
) -> None:
    with pytest.raises(Refusal, match=sentence):
        cross(frame, first, second)


def test_a_table_that_nobody_reads_is_refused() -> None:
    questions = [
        {"id": name, "kind": "one_of", "prompt": "?", "epsilon": "1"}
        | {"options": [f"n{i}" for i in range(33)]}
        for name in ("a", "b")
    ]
    survey = build_survey({"slug": "s", "title": "T", "questions": questions})
    frame = frame_of_reports(survey, reports_of(survey, 30))
    with pytest.raises(Refusal, match="at most 1,024 cells, got 33 rows and 33 columns"):
        cross(frame, "a", "b")
    assert cross(frame, "a:n1", "b").n == 30
