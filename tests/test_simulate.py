"""Synthetic respondents: reproducible, true to the integer threshold, whole reports on request."""

import math
from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

from client import simulate
from client.draft import build_survey
from client.mechanisms import RandomizedResponse
from client.refusal import Refusal
from client.report import Report
from client.shares import parse_shares, shares_by_question
from client.survey import Survey
from client.words import WORD_RANGE
from estimators.simulation import study_question

MECHANISM = RandomizedResponse.for_epsilon(Decimal(1))


@pytest.fixture
def survey() -> Survey:
    return build_survey(
        {
            "slug": "habits",
            "title": "Habits",
            "questions": [
                {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"},
                {"id": "drinks", "prompt": "Do you drink alone?", "epsilon": "0.5"},
            ],
        }
    )


def test_the_same_seed_gives_the_same_respondents_and_another_seed_others() -> None:
    def draw(seed: int) -> list[int]:
        source = simulate.generator(seed)
        answers = simulate.draw_answers([0.5, 0.5], 200, source)
        reports: list[int] = simulate.randomize(MECHANISM, answers, source).tolist()
        return reports

    assert draw(1) == draw(1) != draw(2)


@pytest.mark.parametrize("answer", [0, 1])
def test_the_bulk_sampler_keeps_to_the_integer_threshold(answer: int) -> None:
    """The first word of the seed is put on both sides of the threshold's edge."""
    word = int(simulate.generator(5).integers(WORD_RANGE, size=1, dtype=np.uint32)[0])
    for threshold, kept in ((word + 1, True), (word, False)):
        mechanism = RandomizedResponse(threshold)
        report = simulate.randomize(mechanism, np.array([answer]), simulate.generator(5))
        assert report.tolist() == [answer if kept else 1 - answer]


def test_a_million_synthetic_reports_agree_with_p_and_the_shares() -> None:
    """Two exact binomial tests on a fixed seed."""
    source = simulate.generator(7)
    answers = simulate.draw_answers([0.7, 0.3], 10**6, source)
    kept = int((simulate.randomize(MECHANISM, answers, source) == answers).sum())
    assert stats.binomtest(kept, 10**6, float(MECHANISM.p)).pvalue > 1e-6
    assert stats.binomtest(int(answers.sum()), 10**6, 0.3).pvalue > 1e-6


@pytest.mark.parametrize(("shares", "only"), [([1.0, 0.0], 0), ([0.0, 1.0], 1)])
def test_a_share_of_zero_is_never_drawn(shares: list[float], only: int) -> None:
    answers = simulate.draw_answers(shares, 10_000, simulate.generator(3))
    assert set(answers.tolist()) == {only}


def test_a_share_ends_just_below_its_bound() -> None:
    """The first draw of the seed is made the bound itself: it belongs to the second option."""
    bound = float(simulate.generator(5).random(1)[0])
    answers = simulate.draw_answers([bound, 1 - bound], 1, simulate.generator(5))
    assert answers.tolist() == [1]


def test_cells_are_counted_even_where_nobody_reported_them() -> None:
    assert simulate.count_cells(MECHANISM, np.zeros(5, dtype=np.int64)).tolist() == [5, 0]


def test_batches_add_up_to_everybody() -> None:
    n = 2 * simulate.BATCH + 5
    assert list(simulate.batches(n)) == [simulate.BATCH, simulate.BATCH, 5]
    assert list(simulate.batches(5)) == [5]


def test_whole_reports_are_ones_that_the_server_would_accept(survey: Survey) -> None:
    shares = shares_by_question(survey, ["smokes=0,1"])
    reports = list(simulate.simulate_reports(survey, shares, 400, simulate.generator(1)))
    assert len(reports) == 400
    for report in reports:
        assert Report.parse(report.body, survey) == report
    yes = sum(report.randomized["smokes"] for report in reports)
    assert stats.binomtest(yes, 400, float(MECHANISM.p)).pvalue > 1e-6


def test_shares_are_for_all_questions_or_for_the_one_that_they_name(survey: Survey) -> None:
    assert shares_by_question(survey, []) == {"smokes": (0.5, 0.5), "drinks": (0.5, 0.5)}
    named = shares_by_question(survey, ["drinks=0.9,0.1", "0.7,0.3"])
    assert named == {"smokes": (0.7, 0.3), "drinks": (0.9, 0.1)}
    with pytest.raises(Refusal, match="the survey has no question 'sleeps'"):
        shares_by_question(survey, ["sleeps=0.9,0.1"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0.7,0.4", "shares must sum to 1"),
        ("0.7", "one share for each of the 2 options"),
        ("0.2,0.3,0.5", "one share for each of the 2 options"),
        ("-0.5,1.5", "shares must be between 0 and 1"),
        ("nan,1", "shares must be between 0 and 1"),
        ("inf,0", "shares must be between 0 and 1"),
        ("much,little", "shares must be numbers such as"),
        ("", "shares must be numbers such as"),
    ],
)
def test_shares_that_are_none_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(Refusal, match=complaint):
        parse_shares(text, 2)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    with pytest.raises(Refusal, match="seed must be an integer"):
        simulate.generator(seed)


@pytest.mark.parametrize("n", [0, -1, 2.5, float("nan"), float("inf"), True, 10**11])
def test_a_number_of_respondents_that_is_none_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer from 1"):
        study_question(MECHANISM, [0.5, 0.5], n, 1, simulate.generator(1))


@pytest.mark.parametrize("repeats", [0, -1, 2.5, True, 10**7])
def test_a_number_of_repeats_that_is_none_is_refused(repeats: int) -> None:
    with pytest.raises(Refusal, match="repeats must be an integer from 1"):
        study_question(MECHANISM, [0.5, 0.5], 10, repeats, simulate.generator(1))


def test_a_study_finds_what_the_formulas_promise() -> None:
    """400 samples on a fixed seed; every figure within five of its own standard errors."""
    _, yes = study_question(MECHANISM, [0.7, 0.3], 1_000, 400, simulate.generator(11))
    v = math.e / (math.e - 1) ** 2
    assert yes.promised_error == pytest.approx(math.sqrt((v + 0.21) / 1000), rel=1e-6)
    assert yes.promised_noise_error == pytest.approx(math.sqrt(v / 1000), rel=1e-6)
    assert abs(yes.bias) < 5 * yes.bias_error
    # A root mean square over R repeats has the relative standard error 1/sqrt(2R).
    assert yes.rmse == pytest.approx(yes.promised_error, rel=5 / math.sqrt(800))
    assert yes.noise_rmse == pytest.approx(yes.promised_noise_error, rel=5 / math.sqrt(800))
    assert yes.noise_rmse < yes.rmse
    assert abs(yes.coverage - 0.95) < 5 * yes.coverage_error
    assert yes.mean_estimate == pytest.approx(0.3 + yes.bias)


def test_a_study_announces_every_respondent() -> None:
    sizes: list[int] = []
    study_question(
        MECHANISM, [0.5, 0.5], 30, 4, simulate.generator(1), 0.95, lambda size: sizes.append(size)
    )
    assert sum(sizes) == 120


def test_the_errors_of_both_answers_mirror_each_other() -> None:
    no, yes = study_question(MECHANISM, [0.2, 0.8], 50, 3, simulate.generator(5))
    assert no.errors == pytest.approx([-error for error in yes.errors])
