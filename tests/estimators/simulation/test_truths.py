"""Synthetic truths: shares kept exactly, dependence as given, skip logic applied."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from client.core.survey import Survey
from estimators.simulation.engines import draw_asked
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.scores import Steps, draw_ticks, steps_of
from estimators.simulation.people.shares import shares_by_question
from tests.support.surveys import EVERY_KIND, one_of, survey_of, yes_no

# The chance that a test which samples fails although the sampler is correct.
FALSE_ALARM = 1e-6


@pytest.fixture
def survey() -> Survey:
    return build_survey(EVERY_KIND)


def ways_to_draw(steps: Steps, n: int) -> list[Answers]:
    return [steps.draw(n, stream(7)), steps.draw_sorted(n, stream(7))]


@pytest.mark.parametrize(("shares", "only"), [([1.0, 0.0], 0), ([0.0, 1.0], 1)])
def test_a_share_of_zero_is_never_drawn(shares: list[float], only: int) -> None:
    for answers in ways_to_draw(steps_of(yes_no("a", "1"), shares), 10_000):
        assert set(answers.tolist()) == {only}


def test_rounding_leaves_no_chance_for_a_last_share_of_zero() -> None:
    """0.7 + 0.2 + 0.1 is slightly less than one in floating point."""
    steps = steps_of(one_of("a", 4, "1"), [0.7, 0.2, 0.1, 0.0])
    assert sum([0.7, 0.2, 0.1]) < 1
    assert steps.at(np.array([0.0, np.nextafter(1, 0)])).tolist() == [0, 2]


@pytest.mark.parametrize("shares", [[0.5, 0.3, 0.2], [1e-5, 0.4, 0.59999], [0.25, 0.5, 0.25]])
def test_answers_come_with_the_shares_of_the_population(shares: list[float]) -> None:
    n = 400_000
    for answers in ways_to_draw(steps_of(one_of("a", 3, "1"), shares), n):
        counts = np.bincount(answers, minlength=3)
        for count, share in zip(counts.tolist(), shares, strict=True):
            assert stats.binomtest(count, n, share).pvalue > FALSE_ALARM


def test_a_score_within_the_cell_of_a_step_is_resolved_exactly() -> None:
    """A share far below 2^-16 is drawn as often as it should be, not never or once per cell."""
    share = 2.0**-18
    answers = steps_of(one_of("a", 2 + 1, "1"), [share, 1 - share, 0.0]).draw(2**23, stream(3))
    found = int((answers == 0).sum())
    assert stats.binomtest(found, 2**23, share).pvalue > FALSE_ALARM
    assert found > 0
    ticked = draw_ticks(np.array([share, 1 - share, 1.0, 0.0]), 2**22, stream(3)).sum(axis=0)
    assert ticked[2:].tolist() == [2**22, 0]
    for count in (int(ticked[0]), 2**22 - int(ticked[1])):
        assert stats.binomtest(count, 2**22, share).pvalue > FALSE_ALARM
        assert count > 0


def test_boxes_without_a_limit_are_ticked_independently() -> None:
    ticked = draw_ticks(np.array([0.9, 0.8]), 100_000, stream(7))
    codes = np.bincount(2 * ticked[:, 0] + ticked[:, 1], minlength=4)
    expected = [100_000 * chance for chance in (0.1 * 0.2, 0.1 * 0.8, 0.9 * 0.2, 0.9 * 0.8)]
    assert stats.chisquare(codes, expected).pvalue > FALSE_ALARM


def test_boxes_with_a_limit_keep_it_and_their_shares(survey: Survey) -> None:
    few = survey.questions[2]
    shares = [0.9, 0.1, 0.5, 0.0, 0.3, 0.2]
    for ticked in ways_to_draw(steps_of(few, shares), 50_000):
        assert set(ticked.sum(axis=1).tolist()) == {2}
        for box, share in enumerate(shares):
            found = int(ticked[:, box].sum())
            assert stats.binomtest(found, 50_000, share).pvalue > FALSE_ALARM
    halved = steps_of(few, [share / 4 for share in shares]).draw(500, stream(7))
    assert set(halved.sum(axis=1).tolist()) == {0, 1}


def test_skip_logic_hides_questions_and_the_truth_counts_it(survey: Survey) -> None:
    people = Population(survey, shares_by_question(survey, ["a=0.75,0.25", "h=0.5,0.5,0"]))
    answers = people.draw(40_000, stream(5))
    hidden = answers["a"] == 0
    assert answers["h"][hidden].tolist() == [[False, False, True]] * int(hidden.sum())
    assert not answers["h"][~hidden, 2].any()
    assert people.truths()["h"] == pytest.approx((0.125, 0.125, 0.75))
    assert people.truths()["a"] == (0.75, 0.25)


@pytest.mark.parametrize("dependence", [0.0, 0.3, 1.0])
def test_two_answers_agree_as_often_as_their_dependence_says(dependence: float) -> None:
    """The law of the pair by hand: the overlap of two steps, or the product of two shares."""
    survey = survey_of(yes_no("a", "1"), yes_no("b", "1"))
    people = Population(survey, {"a": (0.3, 0.7), "b": (0.6, 0.4)}, dependence)
    assert people.truths() == {"a": (0.3, 0.7), "b": (0.6, 0.4)}
    overlap, product = np.array([0.3, 0, 0.3, 0.4]), np.outer([0.3, 0.7], [0.6, 0.4]).ravel()
    chances = dependence * overlap + (1 - dependence) * product
    answers = people.draw(200_000, stream(9))
    found = np.bincount(2 * answers["a"] + answers["b"], minlength=4)
    possible = chances > 0
    assert found[~possible].sum() == 0
    assert stats.chisquare(found[possible], 200_000 * chances[possible]).pvalue > FALSE_ALARM


def test_the_rank_correlation_of_the_scores_is_the_dependence() -> None:
    """A thousand even options are a score to three digits; four standard errors are allowed."""
    survey = survey_of(one_of("a", 1000, "1"), one_of("b", 1000, "1"))
    answers = Population(survey, shares_by_question(survey, []), 0.4).draw(100_000, stream(9))
    found = stats.spearmanr(answers["a"], answers["b"]).statistic
    assert found == pytest.approx(0.4, abs=4 / np.sqrt(100_000))


def test_the_truth_of_a_hidden_question_follows_from_the_score_that_hides_it(
    survey: Survey,
) -> None:
    """The upper quarter of all scores sees h, whose boxes are ticked by the upper half."""
    shares = shares_by_question(survey, ["a=0.75,0.25", "h=0.5,0.5,0"])
    alone, together = np.array([0.125, 0.125, 0.75]), np.array([0.25, 0.25, 0.75])
    for dependence in (0.0, 0.5, 1.0):
        expected = dependence * together + (1 - dependence) * alone
        found = Population(survey, shares, dependence).truths()["h"]
        assert found == pytest.approx(tuple(expected), abs=1e-15)


@pytest.mark.parametrize("dependence", [0.0, 0.35, 1.0])
def test_people_are_drawn_with_the_law_of_every_question(survey: Survey, dependence: float) -> None:
    """Whole answers with all their boxes, including hidden ones, by chi-square."""
    shares = shares_by_question(survey, ["b=0.4,0.3,0.1,0.1,0.1,0,0", "f=0.2,0.5,0.9"])
    people = Population(survey, shares, dependence)
    n = 100_000
    answers = people.draw(n, stream(2))
    for question in survey.questions:
        chances = whole_law(people, question)
        found = Counter(map(str, answers[question.id].tolist()))
        assert set(found) <= set(chances)
        counts = [found[answer] for answer in chances]
        expected = [n * chance for chance in chances.values()]
        assert stats.chisquare(counts, expected).pvalue > FALSE_ALARM / len(survey.questions)
        assert len(answers[question.id]) == n


def whole_law(people: Population, question: Question) -> dict[str, float]:
    """Return the chance of every possible answer, with free ticks multiplied out."""
    law = people.laws[question.id]
    chances = Counter(dict(zip(map(str, law.answers.tolist()), law.chances, strict=False)))
    if law.ticks is not None:
        for ticked in np.ndindex(*(2,) * len(law.ticks)):
            chance = np.prod(np.where(ticked, law.ticks, 1 - law.ticks))
            chances[str([bool(tick) for tick in ticked])] += law.chances[-1] * chance
    return {answer: float(chance) for answer, chance in chances.items() if chance > 0}


@pytest.mark.parametrize("dependence", [-0.1, 1.1, float("nan"), float("inf"), 1])
def test_a_dependence_that_is_none_is_refused(dependence: float) -> None:
    survey = survey_of(yes_no("a", "1"))
    with pytest.raises(Refusal, match="dependence must be between 0 and 1"):
        Population(survey, shares_by_question(survey, []), dependence)


def test_every_set_of_questions_is_asked_as_often_as_any_other() -> None:
    asking = survey_of(*(yes_no(id, "1") for id in "abcd"), ask_each_person=2)
    asked = draw_asked(asking, 60_000, stream(2))
    codes = Counter(map(tuple, asked.tolist()))
    assert all(sum(code) == 2 for code in codes)
    assert len(codes) == 6
    assert stats.chisquare(list(codes.values())).pvalue > FALSE_ALARM
    everybody = survey_of(*(yes_no(id, "1") for id in "abcd"))
    assert draw_asked(everybody, 10, stream(2)).all()
