"""Studies of simulated surveys: the estimators find the truth with the errors that they promise."""

import math
import tracemalloc

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.people.truths import Truths
from estimators.simulation.running import Plan, run
from estimators.study.comparison import Comparison
from estimators.study.study import Study
from tests.support.studies import study_survey
from tests.support.surveys import EVERY_KIND, one_of, sampled_boxes, survey_of, yes_no

V = math.e / (math.e - 1) ** 2


def studies_of(
    truths: Truths, respondents: int, repeats: int, seed: int
) -> dict[str, tuple[Study, ...]]:
    return study_survey(Plan(truths, respondents, repeats, seed))


def people(survey: Survey, *shares: str) -> Population:
    return Population(survey, shares_by_question(survey, shares))


ONE_QUESTION = survey_of(yes_no("q", "1"))


def assert_kept(study: Study, sigmas: float = 5.0) -> None:
    """Fail unless every figure is within this many of its own standard errors."""
    assert abs(study.bias) < sigmas * study.bias_error, study.label
    # A root mean square over R repeats has the relative standard error 1/sqrt(2R).
    near = sigmas / math.sqrt(2 * study.repeats)
    assert study.rmse == pytest.approx(study.promised_error, rel=near), study.label
    assert study.noise_rmse == pytest.approx(study.promised_noise_error, rel=near), study.label
    # Only five per cent miss, which is far from normal: allow one repeat more.
    most = sigmas * study.coverage_error + 1 / study.repeats
    assert abs(study.coverage - study.confidence) < most, study.label


def test_a_study_finds_what_the_formulas_promise() -> None:
    found = studies_of(people(ONE_QUESTION, "0.7,0.3"), 1_000, 400, 11)
    no, yes = found["q"]
    assert yes.promised_error == pytest.approx(math.sqrt((V + 0.21) / 1000), rel=1e-6)
    assert yes.promised_noise_error == pytest.approx(math.sqrt(V / 1000), rel=1e-6)
    assert_kept(yes)
    assert yes.noise_rmse < yes.rmse
    assert yes.mean_estimate == pytest.approx(0.3 + yes.bias)
    assert no.bias == pytest.approx(-yes.bias)
    assert no.rmse == pytest.approx(yes.rmse)


def test_every_kind_keeps_its_promise() -> None:
    """Thirty figures of all seven mechanisms, including skip logic, with a fixed seed."""
    survey = build_survey(EVERY_KIND)
    truth = ("a=0.4,0.6", "b=0.3,0.2,0.1,0.1,0.1,0.1,0.1", "c=0.5,0.4,0.1,0.1,0.2,0")
    studies = studies_of(people(survey, *truth), 2_000, 150, 8)
    assert {question.mechanism.name for question in survey.questions} == {
        *("rr", "ss", "privset", "rt", "isw", "smp", "hr")
    }
    for question in survey.questions:
        for study in studies[question.id]:
            assert_kept(study)
    (trust,), (drinks,) = studies["d"], studies["e"]
    assert (trust.label, trust.truth, drinks.truth) == ("mean", 5, 30)
    assert [study.truth for study in studies["h"]] == pytest.approx([0.3, 0.3, 0.7], abs=1e-12)


@pytest.mark.parametrize("respondents", [40, 2_000])
def test_a_mean_keeps_its_promise_with_few_and_with_many_reports_per_limit(
    respondents: int,
) -> None:
    """Below 30 reports per limit the centred score is used, above it the stratified sum."""
    draft = {**EVERY_KIND, "questions": [EVERY_KIND["questions"][3]]}
    shares = ",".join(["0.05"] * 5 + ["0.1"] * 3 + ["0.15"] * 3)
    survey = build_survey(draft)
    (study,) = studies_of(people(survey, shares), respondents, 200, 4)["d"]
    assert study.truth == pytest.approx(0.05 * 10 + 0.1 * 18 + 0.15 * 27)
    assert_kept(study)


def test_asking_each_person_fewer_questions_leaves_fewer_reports_for_each() -> None:
    survey = survey_of(*(yes_no(id, "1") for id in "abcd"), ask_each_person=1)
    studies = studies_of(people(survey, "0.8,0.2"), 2_000, 200, 6)
    for id in "abcd":
        assert studies[id][1].promised_error == pytest.approx(math.sqrt((V + 0.16) / 500))
        assert_kept(studies[id][1])


def test_a_number_is_studied_in_its_own_unit() -> None:
    number = {"id": "n", "kind": "number", "prompt": "N", "lo": "-1", "hi": "4", "step": "0.5"}
    survey = build_survey({**EVERY_KIND, "questions": [number]})
    (study,) = studies_of(people(survey), 300, 20, 6)["n"]
    assert study.truth == pytest.approx(1.5)
    half = studies_of(people(survey), 1200, 20, 6)["n"][0]
    assert study.promised_error == pytest.approx(2 * half.promised_error, rel=0.1)


def test_a_box_that_nobody_was_asked_about_has_no_figures() -> None:
    survey = survey_of(sampled_boxes("q", 150, 1, "1"))
    studies = studies_of(people(survey), 3, 2, 1)["q"]
    silent = [study for study in studies if study.repeats == 0]
    assert len(silent) >= 144
    assert all(math.isnan(study.bias) and math.isnan(study.coverage) for study in silent)
    heard = [study for study in studies if study.repeats]
    assert all(math.isfinite(study.rmse) for study in heard)


def test_a_question_that_nobody_was_asked_has_no_figures() -> None:
    survey = survey_of(*(yes_no(id, "1") for id in "abcd"), ask_each_person=1)
    studies = studies_of(people(survey), 1, 1, 1)
    assert sorted(study.repeats for id in "abcd" for study in studies[id]) == [0] * 6 + [1] * 2


def test_a_study_announces_every_respondent() -> None:
    sizes: list[int] = []
    study_survey(Plan(people(ONE_QUESTION), 30, 4, 1), on_respondents=sizes.append)
    assert sum(sizes) == 120


def test_a_long_list_is_studied_option_by_option() -> None:
    survey = survey_of(one_of("q", 500, "1", size=3))
    studies = studies_of(people(survey), 400, 3, 1)["q"]
    assert len(studies) == 500
    assert np.mean([study.bias for study in studies]) == pytest.approx(0, abs=1e-9)


def test_a_thousand_samples_take_no_more_memory_than_two() -> None:
    truths = people(survey_of(one_of("q", 500, "1", size=3)))
    sample = next(run(Plan(truths, 400, 1, 1)))
    comparison = Comparison(truths, 400)
    for _ in range(2):
        comparison.add(sample)
    tracemalloc.start()
    try:
        for _ in range(998):
            comparison.add(sample)
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    # One number for each option and sample would be four million bytes.
    assert kept < 100_000
    assert {study.repeats for study in comparison.studies()["q"]} == {1000}


@pytest.mark.parametrize("repeats", [0, -1, 2.5, True, 10**7])
def test_a_number_of_repeats_that_is_none_is_refused(repeats: int) -> None:
    with pytest.raises(Refusal, match="repeats must be an integer from 1"):
        studies_of(people(ONE_QUESTION), 10, repeats, 1)


@pytest.mark.parametrize("n", [0, -1, True, 10**11])
def test_a_number_of_respondents_that_is_none_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer from 1"):
        studies_of(people(ONE_QUESTION), n, 1, 1)
