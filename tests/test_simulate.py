"""Synthetic respondents: reproducible, true to the exact channel, whole reports on request."""

import json
from collections import Counter
from decimal import Decimal
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import stats

from client.domain import Checks
from client.draft import build_survey
from client.mechanisms import MECHANISMS, RandomizedResponse, TwoLevel
from client.refusal import Refusal
from client.report import Report
from client.shares import shares_by_question
from client.simulate import population, samplers, source
from client.simulate.population import Population
from client.simulate.reports import simulate_reports
from client.survey import Survey
from client.words import WORD_RANGE
from tests.exact_channel import answers_of, channel_of
from tests.surveys import one_of, sampled_boxes, survey_of, yes_no
from tests.test_exact_channels import SHAPES

# A simulator that is right is blamed once in so many runs, by each test that samples.
FALSE_ALARM = 1e-6
ONE = Decimal(1)
MECHANISM = RandomizedResponse.at(ONE)
EVERY_SHAPE = [shape[0].at(ONE, **shape[1]) for shape in SHAPES]

KINDS = {
    "slug": "kinds",
    "title": "Kinds",
    "epsilon": "1",
    "questions": [
        {"id": "a", "prompt": "Yes?"},
        {"id": "b", "kind": "one_of", "prompt": "B", "options": list("uvwxyz"), "decline": "true"},
        {"id": "c", "kind": "any_of", "prompt": "C", "options": list("uvwxyz"), "at_most": "2"},
        {"id": "d", "kind": "scale", "prompt": "D", "lo": "0", "hi": "10", "goal": "mean"},
        {"id": "e", "kind": "number", "prompt": "E", "lo": "0", "hi": "60", "goal": "distribution"},
        {"id": "f", "kind": "any_of", "prompt": "F", "options": list("uvw")},
        {"id": "g", "kind": "one_of", "prompt": "G", "options": list("uvw"), "mechanism": "hr"},
        {
            **{"id": "h", "kind": "any_of", "prompt": "H", "options": list("uv")},
            "show_if": {"question": "a", "is": "Yes"},
        },
    ],
}


@pytest.fixture
def survey() -> Survey:
    return build_survey(KINDS)


def bulk_answers(mechanism: TwoLevel, answer: Any, n: int) -> Any:
    """The same answer n times, as the samplers take it."""
    if isinstance(answer, list):
        assert isinstance(mechanism.domain, Checks)
        return np.tile(np.isin(np.arange(mechanism.domain.options), answer), (n, 1))
    return np.full(n, answer)


def test_there_is_a_bulk_sampler_for_every_mechanism() -> None:
    assert set(samplers.SAMPLERS) == set(MECHANISMS)


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=str)
def test_a_bulk_sampler_follows_the_exact_channel_of_the_shipped_one(mechanism: TwoLevel) -> None:
    """Chi-square with a fixed seed, for every answer, on reports as the wire carries them."""
    randomness = source.generator(3)
    for answer in answers_of(mechanism.domain):
        channel = channel_of(mechanism, answer)
        n = 1000 * len(channel)
        cells = samplers.randomize(mechanism, bulk_answers(mechanism, answer, n), randomness)
        found = Counter(json.dumps(report) for report in samplers.wire(mechanism, cells))
        assert set(found) <= set(channel)
        counts = [found[text] for text in channel]
        expected = [float(n * chance) for chance in channel.values()]
        assert stats.chisquare(counts, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=str)
def test_the_cells_are_those_of_the_reports(mechanism: TwoLevel) -> None:
    answer = answers_of(mechanism.domain)[-1]
    cells = samplers.randomize(mechanism, bulk_answers(mechanism, answer, 50), source.generator(1))
    assert cells.shape == (50, mechanism.marks)
    for row, report in zip(
        np.sort(cells, axis=1).tolist(), samplers.wire(mechanism, cells), strict=True
    ):
        mechanism.check(report, "report")
        assert mechanism.cells_of(report) == row
    counts = samplers.count_cells(mechanism, cells)
    assert (len(counts), counts.sum()) == (mechanism.cells, 50 * mechanism.marks)


@pytest.mark.parametrize("answer", [0, 1])
def test_the_coin_keeps_to_the_integer_threshold(answer: int) -> None:
    """The first word of the seed is put on both sides of the threshold's edge."""
    word = int(source.generator(5).integers(WORD_RANGE, size=1, dtype=np.uint32)[0])
    for threshold, kept in ((word + 1, True), (word, False)):
        assert source.coins(threshold, 1, source.generator(5)).tolist() == [kept]
        report = samplers.randomize(
            RandomizedResponse(threshold), np.array([answer]), source.generator(5)
        )
        assert report.tolist() == [[answer if kept else 1 - answer]]


@pytest.mark.parametrize(("size", "chosen"), [(4, 2), (5, 5), (3, 0), (1, 1), (6, 1), (5, 3)])
def test_bulk_subsets_are_sets_and_uniform(size: int, chosen: int) -> None:
    sets = source.subsets(size, chosen, 30_000, source.generator(9))
    found = Counter(map(tuple, np.sort(sets, axis=1).tolist()))
    assert all(len(set(members)) == chosen for members in found)
    assert len(found) == comb(size, chosen)
    if len(found) > 1:
        assert stats.chisquare(list(found.values())).pvalue > FALSE_ALARM


def test_the_same_seed_gives_the_same_reports_and_another_seed_others(survey: Survey) -> None:
    people = Population(survey, shares_by_question(survey, []))

    def draw(seed: int) -> list[bytes]:
        return [report.body for report in simulate_reports(people, 20, source.generator(seed))]

    assert draw(1) == draw(1) != draw(2)


def test_batches_add_up_to_everybody_and_leave_room() -> None:
    assert list(source.batches(5)) == [5]
    n = 2 * source.BATCH + 5
    assert list(source.batches(n)) == [source.BATCH, source.BATCH, 5]
    wide = list(source.batches(1000, source.ROOM // 100))
    assert (max(wide), sum(wide)) == (100, 1000)
    assert set(source.batches(3, 10 * source.ROOM)) == {1}


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    with pytest.raises(Refusal, match="seed must be an integer"):
        source.generator(seed)


@pytest.mark.parametrize("n", [0, -1, 2.5, float("nan"), float("inf"), True, 10**11])
def test_a_number_of_respondents_that_is_none_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer from 1"):
        source.check_respondents(n)


@pytest.mark.parametrize(("shares", "only"), [([1.0, 0.0], 0), ([0.0, 1.0], 1)])
def test_a_share_of_zero_is_never_drawn(shares: list[float], only: int) -> None:
    answers = population.draw_answers(yes_no("a", "1"), shares, 10_000, source.generator(3))
    assert set(answers.tolist()) == {only}


def test_answers_come_with_the_shares_of_the_population() -> None:
    shares = [0.5, 0.3, 0.2]
    answers = population.draw_answers(one_of("a", 3, "1"), shares, 100_000, source.generator(7))
    counts = np.bincount(answers, minlength=3)
    assert stats.chisquare(counts, [100_000 * share for share in shares]).pvalue > FALSE_ALARM


def test_boxes_without_a_limit_are_ticked_independently() -> None:
    boxes = sampled_boxes("a", 2, 1, "1")
    ticked = population.draw_answers(boxes, [0.9, 0.8], 100_000, source.generator(7))
    codes = np.bincount(2 * ticked[:, 0] + ticked[:, 1], minlength=4)
    expected = [100_000 * chance for chance in (0.1 * 0.2, 0.1 * 0.8, 0.9 * 0.2, 0.9 * 0.8)]
    assert stats.chisquare(codes, expected).pvalue > FALSE_ALARM


def test_boxes_with_a_limit_keep_it_and_their_shares(survey: Survey) -> None:
    few = survey.questions[2]
    shares = [0.9, 0.1, 0.5, 0.0, 0.3, 0.2]
    ticked = population.draw_answers(few, shares, 50_000, source.generator(7))
    assert set(ticked.sum(axis=1).tolist()) == {2}
    for box, share in enumerate(shares):
        found = int(ticked[:, box].sum())
        assert stats.binomtest(found, 50_000, share).pvalue > FALSE_ALARM
    halved = population.draw_answers(few, [share / 4 for share in shares], 500, source.generator(7))
    assert set(halved.sum(axis=1).tolist()) == {0, 1}


def test_skip_logic_hides_questions_and_the_truth_counts_it(survey: Survey) -> None:
    people = Population(survey, shares_by_question(survey, ["a=0.75,0.25", "h=0.5,0.5,0"]))
    answers = people.draw(40_000, source.generator(5))
    hidden = answers["a"] == 0
    assert answers["h"][hidden].tolist() == [[False, False, True]] * int(hidden.sum())
    assert not answers["h"][~hidden, 2].any()
    assert people.truths()["h"] == pytest.approx((0.125, 0.125, 0.75))
    assert people.truths()["a"] == (0.75, 0.25)
    assert answers["h"].mean(axis=0) == pytest.approx([0.125, 0.125, 0.75], abs=0.02)


def test_every_set_of_questions_is_asked_as_often_as_any_other() -> None:
    asking = survey_of(*(yes_no(id, "1") for id in "abcd"), ask_each_person=2)
    asked = population.draw_asked(asking, 60_000, source.generator(2))
    codes = Counter(map(tuple, asked.tolist()))
    assert all(sum(code) == 2 for code in codes)
    assert len(codes) == 6
    assert stats.chisquare(list(codes.values())).pvalue > FALSE_ALARM
    everybody = survey_of(*(yes_no(id, "1") for id in "abcd"))
    assert population.draw_asked(everybody, 10, source.generator(2)).all()


@pytest.mark.parametrize("ask", ["0", "3"])
def test_whole_reports_are_ones_that_the_server_would_accept(ask: str) -> None:
    draft = {**KINDS, "ask_each_person": ask}
    if ask != "0":
        draft["questions"] = KINDS["questions"][:-1]
    survey = build_survey(draft)
    people = Population(survey, shares_by_question(survey, []))
    reports = list(simulate_reports(people, 300, source.generator(1)))
    assert len(reports) == 300
    for report in reports:
        assert Report.parse(report.wire(survey), survey) == report
    asked = [sum(value is not None for value in report.randomized.values()) for report in reports]
    assert set(asked) == {survey.asked}


def test_whole_reports_carry_the_truth_through_the_channel(survey: Survey) -> None:
    people = Population(survey, shares_by_question(survey, ["a=0,1"]))
    reports = simulate_reports(people, 2000, source.generator(1))
    yes = sum(report.randomized["a"] for report in reports)
    assert stats.binomtest(yes, 2000, float(MECHANISM.p)).pvalue > FALSE_ALARM
