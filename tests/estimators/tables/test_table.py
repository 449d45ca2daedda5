"""One tidy table for every kind of question: what the page, the CSV and the JSON show."""

import json
from decimal import Decimal
from itertools import pairwise

import pytest

from client.authoring.draft.mechanism_choice import square_wave
from client.core.kinds import DISTRIBUTION, AnyOf, Number, OneOf, Scale
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomThreshold,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Checks, Choice, Levels
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.tables.level_rows import QUANTILES, listed_levels
from estimators.tables.rows import FIGURES, Row, leader_table
from estimators.tables.table import COLUMNS, estimate_table, question_rows
from tests.support.surveys import labels, one_of, sampled_boxes, survey_of, yes_no

ONE, TWO = Decimal(1), Decimal(2)


def question_of(id: str, kind: OneOf | AnyOf | Scale | Number, mechanism: TwoLevel) -> Question:
    return Question(id, "?", kind, ONE, mechanism)


QUESTIONS = [
    yes_no("yes", "1"),
    one_of("colour", 5, "1", size=2),
    sampled_boxes("boxes", 4, 1, "1"),
    question_of(
        "few",
        AnyOf(options=labels(6), at_most=2),
        PrivateSet.at(ONE, options=6, at_most=2, size=1),
    ),
    question_of("long", OneOf(options=labels(20)), HadamardResponse.at(ONE, options=20)),
    question_of("trust", Scale(lo=0, hi=10, goal="mean"), RandomThreshold.at(ONE, top=10)),
    question_of(
        "rating",
        Scale(lo=0, hi=10, decline="Rather not"),
        SubsetSelection.at(ONE, options=12, size=3),
    ),
    question_of(
        "drinks",
        Number(lo=Decimal(0), hi=Decimal(30), step=Decimal("0.5"), goal=DISTRIBUTION),
        square_wave(60, ONE),
    ),
]
SURVEY = survey_of(*QUESTIONS)


def even_tally(mechanism: TwoLevel) -> Tally:
    """Return equally many reports in every cell, a multiple of what each report adds."""
    return Tally.of_cells([60 * mechanism.marks] * mechanism.cells, mechanism.marks)


def tallies_of(survey: Survey) -> dict[str, Tally]:
    return {question.id: even_tally(question.mechanism) for question in survey.questions}


def rows_of(id: str) -> list[Row]:
    return [row for row in estimate_table(SURVEY, tallies_of(SURVEY)) if row["question"] == id]


def test_every_row_has_every_column_and_is_plain_json() -> None:
    rows = estimate_table(SURVEY, tallies_of(SURVEY))
    assert all(tuple(sorted(row)) == tuple(sorted(COLUMNS)) for row in rows)
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


def test_without_reports_every_figure_is_missing_and_every_option_is_named() -> None:
    empty = {q.id: Tally((0,) * q.mechanism.cells, 0) for q in SURVEY.questions}
    rows = estimate_table(SURVEY, empty)
    assert all(row[name] is None for row in rows for name in FIGURES)
    assert all(tuple(sorted(row)) == tuple(sorted(COLUMNS)) for row in rows)
    named = {(row["question"], row["label"]) for row in rows}
    assert {("yes", "Yes"), ("few", "L5"), ("rating", "Rather not"), ("drinks", "mean")} <= named


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_with_options_has_one_share_for_each(question: Question) -> None:
    shares = [row for row in rows_of(question.id) if row["quantity"] == "share"]
    match question.domain:
        case Choice(options=count) | Checks(options=count):
            assert [row["option"] for row in shares] == list(range(count))
            assert [row["label"] for row in shares] == list(question.options)
            assert all(row["low"] < row["share"] < row["high"] for row in shares)
            assert all(row["simultaneous_low"] < row["low"] for row in shares)
            assert all(isinstance(row["reported_count"], int) for row in shares)
        case Levels():
            assert shares == []


def test_one_column_has_the_possible_shares_nearest_to_the_estimates() -> None:
    for id in ("yes", "colour", "long"):
        assert sum(row["possible_share"] for row in rows_of(id)) == pytest.approx(1)
    for id in ("boxes", "few"):
        assert all(0 <= row["possible_share"] <= 1 for row in rows_of(id))
    constrained = {"posterior_mean", "norm_sub", "maximum_likelihood", "clipped_share"}
    assert not constrained & set(COLUMNS)


def test_boxes_say_how_many_were_asked_about_them() -> None:
    assert {(row["n"], row["asked"]) for row in rows_of("boxes")} == {(480, 120)}
    assert {row["asked"] for row in rows_of("few")} == {480}
    tally = Tally((5, 5, 0, 0, 5, 5, 5, 5), 30)
    rows = question_rows(SURVEY.questions[2], tally)
    assert rows[1]["value"] is None
    assert rows[1]["asked"] == 0
    assert rows[0]["value"] is not None


def test_levels_have_a_mean_five_quantiles_and_both_kinds_of_shares() -> None:
    quantities = [row["quantity"] for row in rows_of("trust")]
    shares = [*["at_most"] * 10, *["level"] * 11]
    assert quantities == ["mean", *QUANTILES, "net_promoters", *shares]
    mean, *quantiles, promoters = rows_of("trust")[:7]
    assert mean["value"] == pytest.approx(5)
    assert [row["label"] for row in quantiles[:3]] == ["5 % quantile", "25 % quantile", "median"]
    for column in ("low", "value", "high"):
        assert sorted(row[column] for row in quantiles) == [row[column] for row in quantiles]
    # Half of every threshold says yes: S(9) + S(7) - 1 = 0.
    assert promoters["value"] == pytest.approx(0)
    assert mean["noise_error"] < mean["standard_error"]


def test_a_number_speaks_in_its_own_unit() -> None:
    rows = rows_of("drinks")
    assert rows[0]["value"] == pytest.approx(15)
    levels = [row for row in rows if row["quantity"] == "level"]
    assert [row["label"] for row in levels[:3]] == ["0", "0.5", "1"]
    assert len(levels) == 61
    assert sum(row["share"] for row in levels) == pytest.approx(1)
    assert {row["p"] for row in rows} == {None}
    assert {row["method"] for row in rows} == {"normal", "profile", "em"}


def test_only_twenty_evenly_spaced_shares_up_to_a_level_are_given() -> None:
    levels = [row["option"] for row in rows_of("drinks") if row["quantity"] == "at_most"]
    assert (len(levels), levels[0], levels[-1]) == (20, 0, 59)
    assert {second - first for first, second in pairwise(levels)} == {3, 4}
    assert listed_levels(20) == list(range(20))
    assert listed_levels(1) == [0]


@pytest.mark.parametrize("id", ["trust", "drinks"])
def test_what_a_table_says_about_quantiles_follows_from_its_shares(id: str) -> None:
    """Each limit of a quantile fits the limits of the shares that are listed."""
    rows = rows_of(id)
    shares = [row for row in rows if row["quantity"] == "at_most"]
    for row, part in ((row, QUANTILES.get(row["quantity"])) for row in rows):
        for share in shares if part is not None else ():
            level = float(share["label"])
            assert (share["high"] >= part) == (level >= row["low"])
            assert (share["low"] > part) == (level >= row["high"])
            assert (share["value"] >= part) == (level >= row["value"])


@pytest.mark.parametrize("confidence", [0.9, 0.99])
def test_at_another_confidence_the_rows_of_levels_have_no_interval(confidence: float) -> None:
    question = next(one for one in SURVEY.questions if one.id == "trust")
    rows = question_rows(question, even_tally(question.mechanism), confidence)
    for row in rows:
        has_interval = row["quantity"] in ("mean", "net_promoters")
        assert (row["low"] is not None, row["high"] is not None) == (has_interval,) * 2
        assert row["value"] is not None


def test_the_share_of_a_single_level_never_has_an_interval() -> None:
    for row in (*rows_of("trust"), *rows_of("drinks")):
        if row["quantity"] == "level":
            assert (row["low"], row["high"], row["method"]) == (None, None, "em")


def test_a_scale_of_shares_has_its_mean_among_those_who_answered() -> None:
    mean, promoters = rows_of("rating")[-2:]
    assert (mean["quantity"], promoters["quantity"]) == ("mean", "net_promoters")
    # All twelve options are equally common: 5 on average, two of eleven against seven.
    assert mean["value"] == pytest.approx(5)
    assert promoters["value"] == pytest.approx((2 - 7) / 11)


def test_a_scale_that_everybody_declined_has_no_mean() -> None:
    mechanism = SubsetSelection.at(TWO, options=4, size=1)
    question = Question("q", "?", Scale(lo=0, hi=2, decline="No"), TWO, mechanism)
    rows = question_rows(question, Tally.of_cells([0, 0, 0, 500]))
    assert rows[-1]["quantity"] == "mean"
    assert rows[-1]["value"] is None


def test_a_very_fine_grid_has_a_mean_only() -> None:
    kind = Number(lo=Decimal(0), hi=Decimal(2000), step=Decimal(1))
    mechanism = SlidingWindow.at(ONE, top=2000, width=1500)
    rows = question_rows(question_of("q", kind, mechanism), even_tally(mechanism))
    assert [row["quantity"] for row in rows] == ["mean"]


def test_exact_intervals_and_another_confidence_on_request() -> None:
    tally = even_tally(QUESTIONS[1].mechanism)
    plain = question_rows(QUESTIONS[1], tally)[0]
    exact = question_rows(QUESTIONS[1], tally, exact=True)[0]
    assert (plain["method"], exact["method"]) == ("wilson", "clopper_pearson")
    assert exact["low"] < plain["low"]
    wide = question_rows(QUESTIONS[1], tally, confidence=0.99)[0]
    assert wide["low"] < plain["low"]
    assert (wide["confidence"], wide["mechanism"], wide["epsilon"]) == (0.99, "ss", "1")


def test_options_that_may_have_the_largest_share_are_named_if_there_are_three_or_more() -> None:
    tallies = tallies_of(SURVEY)
    tallies["colour"] = Tally.of_cells([500, 200, 100, 100, 100], 2)
    rows = {row["question"]: row for row in leader_table(SURVEY, tallies, 0.95)}
    assert set(rows) == {"colour", "boxes", "few", "long", "rating"}
    assert rows["colour"]["best"] == ["L0"]
    assert len(rows["long"]["best"]) == 20
    assert set(rows["colour"]) == {"question", "best", "max_error", "confidence"}
    tallies["boxes"] = Tally((5, 5, 0, 0, 5, 5, 5, 5), 30)
    unasked = {row["question"]: row for row in leader_table(SURVEY, tallies, 0.95)}
    assert unasked["boxes"]["max_error"] is None
    assert "L1" in unasked["boxes"]["best"]
