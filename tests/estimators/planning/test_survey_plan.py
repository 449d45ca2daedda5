"""Plan whole surveys: margins of every mechanism, alternatives, and how many questions to ask."""

import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from client.core.kinds import Number, OneOf
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Levels
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.ordinal.levels import LevelEstimates
from estimators.planning.advice import best_asking
from estimators.planning.survey_plan import (
    Target,
    plan_mechanism,
    plan_question,
    plan_survey,
    spread_of,
)
from estimators.shares.arrays import ShareArrays
from estimators.tables.question import estimate_mechanism
from estimators.tables.table import question_rows
from tests.support.analyses import level_analysis, share_analysis
from tests.support.figures import complaint, figures, run
from tests.support.surveys import labels, one_of, sampled_boxes, survey_of, yes_no

ONE = Decimal(1)
MECHANISMS: list[TwoLevel] = [
    RandomizedResponse.at(ONE),
    SubsetSelection.at(ONE, options=10, size=3),
    HadamardResponse.at(ONE, options=10),
    SampledChecks.at(ONE, options=8, asked=1),
    PrivateSet.at(ONE, options=9, at_most=3, size=1),
    RandomThreshold.at(ONE, top=10),
    SlidingWindow.at(ONE, top=10, width=7),
]


def name(mechanism: TwoLevel) -> str:
    return mechanism.name


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=name)
def test_a_margin_gives_back_the_respondents_it_came_from(mechanism: TwoLevel) -> None:
    planned = plan_mechanism(mechanism, Target(respondents=5000))
    top = mechanism.shape.get("top", 1)
    again = plan_mechanism(mechanism, Target(margin=planned["margin"] / top))
    assert again["respondents"] in (5000, 5001)
    assert again["margin"] == pytest.approx(planned["margin"])
    assert planned["noise_only_margin"] < planned["margin"]
    assert (planned["bits"], planned["shape"]) == (mechanism.bits, mechanism.shape)


@pytest.mark.parametrize("mechanism", MECHANISMS[5:], ids=name)
def test_the_planned_margin_of_a_mean_is_that_of_the_estimate(mechanism: TwoLevel) -> None:
    """With an even distribution the plan and the estimate agree, up to stratification."""
    assert isinstance(mechanism, RandomThreshold | SlidingWindow)
    counts = (
        (10**6 * level_analysis(mechanism).forward(np.full(11, 1 / 11)))
        .round()
        .astype(int)
        .tolist()
    )
    found = estimate_mechanism(mechanism, Tally.of_cells(counts))
    assert isinstance(found, LevelEstimates)
    margin = plan_mechanism(mechanism, Target(respondents=sum(counts)))["margin"]
    interval = found.mean.interval()
    assert (interval.high - interval.low) / 2 == pytest.approx(margin, rel=1e-3)


def test_sampled_boxes_are_planned_for_those_who_are_asked() -> None:
    """One d-th of the respondents at full epsilon (math 3)."""
    boxes, one = MECHANISMS[3], MECHANISMS[0]
    assert plan_mechanism(boxes, Target(respondents=8000))["margin"] == pytest.approx(
        plan_mechanism(one, Target(respondents=1000))["margin"]
    )


def test_a_unit_scales_the_margin_of_a_mean() -> None:
    kind = Number(lo=Decimal(0), hi=Decimal(5), step=Decimal("0.5"))
    question = Question("q", "?", kind, ONE, RandomThreshold.at(ONE, top=10))
    plain = plan_mechanism(question.mechanism, Target(respondents=1000))
    assert plan_question(question, Target(respondents=1000))["margin"] == plain["margin"] / 2
    # Three hundredths of the range 0 .. 5.
    assert plan_question(question, Target(margin=0.03))["margin"] == pytest.approx(0.15)


def test_every_question_is_planned_together_with_its_alternatives() -> None:
    kind = OneOf(options=labels(10))
    mechanism = SubsetSelection.at(ONE, options=10, size=1)
    overridden = plan_question(Question("q", "?", kind, ONE, mechanism), Target(respondents=1000))
    assert [row["mechanism"] for row in overridden["alternatives"]] == ["ss", "hr"]
    best, hadamard = overridden["alternatives"]
    assert best["shape"] == {"options": 10, "size": 3}
    assert best["margin"] < overridden["margin"]
    assert hadamard["bits"] == 4
    assert plan_question(yes_no("y", "1"), Target(respondents=9))["alternatives"] == []


def test_asking_each_person_some_questions_leaves_fewer_for_each() -> None:
    everybody = survey_of(yes_no("a", "1"), yes_no("b", "1"))
    half = survey_of(yes_no("a", "1"), yes_no("b", "1"), ask_each_person=1)
    of_all = plan_survey(everybody, Target(respondents=1000))[0]["margin"]
    of_half = plan_survey(half, Target(respondents=2000))[0]["margin"]
    assert of_half == pytest.approx(of_all)
    needed = [plan_survey(survey, Target(margin=0.03))[0] for survey in (everybody, half)]
    assert needed[1]["respondents"] == pytest.approx(2 * needed[0]["respondents"], abs=1)


@pytest.mark.parametrize(
    ("questions", "epsilon", "best"), [(5, "0.2", 1), (10, "0.1", 1), (10, "0.4", 2), (2, "2", 2)]
)
def test_the_best_number_to_ask_is_that_of_table_6b(
    questions: int, epsilon: str, best: int
) -> None:
    survey = survey_of(*(yes_no(f"q{i}", epsilon) for i in range(questions)))
    assert best_asking(survey).ask_each_person == best


def test_the_cost_of_asking_one_is_the_ratio_of_table_6b() -> None:
    survey = survey_of(*(yes_no(f"q{i}", "0.1") for i in range(10)))
    # Ten questions at total epsilon 1: 11.5 instead of 99.9.
    assert best_asking(survey).cost == pytest.approx(11.457 / 99.917, rel=1e-3)


def test_advice_is_for_every_kind_of_question() -> None:
    survey = survey_of(one_of("a", 5, "0.3"), sampled_boxes("b", 4, 1, "0.3"), yes_no("c", "0.3"))
    assert best_asking(survey).ask_each_person == 1


SHARES = (0.5, 0.3, 0.02)
BOXES = SampledChecks.at(ONE, options=10, asked=1)


@pytest.mark.parametrize(
    "mechanism",
    [
        *(mechanism for mechanism in MECHANISMS if not isinstance(mechanism.domain, Levels)),
        *(BOXES, SampledChecks.at(Decimal(2), options=6, asked=4)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("share", SHARES)
def test_estimates_cost_what_the_planner_says(mechanism: TwoLevel, share: float) -> None:
    n = 8400
    analysis = share_analysis(mechanism)
    p, q = float(analysis.mechanism.p), float(analysis.mechanism.q)
    asked = round(n * analysis.asked_part)
    reported = round(asked * (q + (p - q) * share))
    found = ShareArrays(np.array([reported]), np.array([asked]), n, p, q)
    planned = plan_mechanism(mechanism, Target(respondents=n, share=float(found.shares[0])))
    assert found.design_effects[0] == pytest.approx(planned["design_effect"])
    assert found.effective_n[0] == pytest.approx(planned["effective_n"])


def test_boxes_asked_one_of_ten_at_a_time_cost_ten_times_as_much_in_plan_and_table() -> None:
    table = question_rows(sampled_boxes("boxes", 10, 1, "1"), Tally.of_cells([500, 500] * 10))[0]
    planned = plan_mechanism(BOXES, Target(respondents=10_000))
    for row in (table, planned):
        assert row["design_effect"] == pytest.approx(10 * 4.683, rel=1e-3)
        assert row["effective_n"] == pytest.approx(10_000 / 46.83, rel=1e-3)


def test_a_question_that_half_of_the_people_are_asked_is_worth_what_the_planner_says() -> None:
    questions = [yes_no("first", "1"), yes_no("second", "1")]
    planned = plan_survey(survey_of(*questions, ask_each_person=1), Target(respondents=2000))[0]
    table = question_rows(questions[0], Tally.of_cells([500, 500]))[0]
    assert planned["design_effect"] == pytest.approx(table["design_effect"])
    assert planned["effective_n"] == pytest.approx(table["effective_n"])


def test_a_certain_share_has_no_design_effect() -> None:
    assert spread_of(MECHANISMS[0], 0.0).design_effect == math.inf
    assert plan_mechanism(MECHANISMS[0], Target(respondents=9, share=0.0))["design_effect"] is None


SURVEY_FILE = """
slug: kinds
title: Kinds
total_epsilon: 2
questions:
  - {id: well, prompt: "Are you well?"}
  - {id: colour, kind: one_of, prompt: Colour, options: [red, green, blue, grey]}
  - {id: ills, kind: any_of, prompt: Ills, options: [a, b, c, d, e, f], at_most: 2}
  - {id: trust, kind: scale, prompt: Trust, lo: 0, hi: 10, goal: mean}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "kinds.yaml"
    path.write_text(SURVEY_FILE)
    return path


def test_a_survey_of_many_kinds_is_planned_with_alternatives_and_advice(path: Path) -> None:
    answer = figures("plan", path, "--respondents", "3000")
    rows = {row["question"]: row for row in answer["questions"]}
    assert rows["well"]["mechanism"] == "rr"
    assert [row["mechanism"] for row in rows["colour"]["alternatives"]] == ["hr"]
    assert rows["trust"]["shape"] == {"top": 10}
    assert answer["total_epsilon"] == "2"
    assert answer["best_ask_each_person"] == 1
    assert 0 < answer["best_ask_each_person_cost"] < 1


def test_the_plan_of_a_survey_reads_well(path: Path) -> None:
    output = run("plan", path, "--respondents", "3000").stdout
    assert "ss(4, " in output
    assert "instead" in output
    assert "Asking each person 1 of the 4 questions" in output


def test_skip_logic_gets_no_advice_to_ask_fewer(tmp_path: Path) -> None:
    path = tmp_path / "skip.yaml"
    path.write_text(
        SURVEY_FILE
        + "  - {id: why, kind: one_of, prompt: Why, options: [x, y], "
        + 'show_if: {question: well, is: ["Yes"]}}\n'
    )
    assert figures("plan", path, "--respondents", "3000")["best_ask_each_person"] is None
    assert "Asking each person" not in run("plan", path, "--respondents", "3000").stdout


def test_one_mechanism_is_planned_by_its_name_and_shape() -> None:
    shape = ("--mechanism", "ss", "--options", "10", "--size", "3")
    answer = figures("plan", "--epsilon", "1", *shape, "--respondents", "1000", "--share", "0.1")
    assert answer["noise_per_respondent"] == pytest.approx(2.91, abs=5e-3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--mechanism", "ss", "--options", "5"), "the mechanism ss needs --size"),
        (("--top", "5"), "the mechanism rr has no --top"),
        (("--mechanism", "rt", "--top", "0"), "top must be an integer from 1 to"),
        (("--mechanism", "privset", "--options", "5", "--size", "1"), "needs --at-most"),
    ],
)
def test_a_shape_that_does_not_fit_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("plan", "--epsilon", "1", "--respondents", "10", *arguments)
