"""Randomized response: its whole channel, enumerated from the integer threshold."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from client.core.mechanisms import MECHANISMS, RandomizedResponse
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import WORD_RANGE
from tests.vectors.tapes import Tape

EPSILONS = ["0.01", "0.1", "0.5", "1", "1.098612", "2", "4", "4.41481", "8", "10"]
THREE_QUARTERS = RandomizedResponse(threshold=3 * 2**30)


def at(epsilon: str) -> RandomizedResponse:
    return RandomizedResponse.at(Decimal(epsilon))


def channel(mechanism: RandomizedResponse) -> dict[tuple[int, int], Fraction]:
    """P(report | answer) from the runs of equal reports among all 2^32 words.

    A report can change only at an edge of the word range that the code compares with: both ends
    of the two runs are tried, so the runs are whole.
    """
    T = mechanism.threshold  # noqa: N806 (the name in the mathematics)
    chances: dict[tuple[int, int], Fraction] = {}
    for answer in (0, 1):
        for first, last in ((0, T - 1), (T, WORD_RANGE - 1)):
            report = mechanism.randomize(answer, Tape([first]))
            assert report == mechanism.randomize(answer, Tape([last]))
            share = Fraction(last - first + 1, WORD_RANGE)
            chances[report, answer] = chances.get((report, answer), Fraction(0)) + share
    return chances


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_no_report_is_more_than_e_eps_times_as_likely_under_another_answer(epsilon: str) -> None:
    chances = channel(at(epsilon))
    with localcontext() as context:
        context.prec = 60
        bound = Decimal(epsilon).exp()
        for report in (0, 1):
            for answer in (0, 1):
                ratio = chances[report, answer] / chances[report, 1 - answer]
                assert Decimal(ratio.numerator) <= bound * ratio.denominator


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_p_and_q_are_the_channel_and_alpha_is_the_bias(epsilon: str) -> None:
    mechanism = at(epsilon)
    chances = channel(mechanism)
    for option in (0, 1):
        assert chances[option, option] == mechanism.p
        assert chances[option, 1 - option] == mechanism.q
    assert mechanism.p == (1 + mechanism.alpha) / 2


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_debiased_report_is_unbiased_and_its_noise_is_free_of_the_answer(epsilon: str) -> None:
    mechanism = at(epsilon)
    chances, p, q = channel(mechanism), mechanism.p, mechanism.q
    for answer in (0, 1):
        scores = {report: (report - q) / (p - q) for report in (0, 1)}
        mean = sum(chances[report, answer] * scores[report] for report in (0, 1))
        noise = sum(chances[report, answer] * (scores[report] - mean) ** 2 for report in (0, 1))
        assert mean == answer
        assert noise == p * q / (p - q) ** 2


def test_at_p_three_quarters_every_figure_can_be_checked_by_hand() -> None:
    assert THREE_QUARTERS.p == Fraction(3, 4)
    assert THREE_QUARTERS.q == Fraction(1, 4)
    assert THREE_QUARTERS.alpha == Fraction(1, 2)
    assert THREE_QUARTERS.delivered_epsilon == pytest.approx(1.0986122886681098, abs=1e-12)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_the_frequencies_of_reports_fit_the_channel(epsilon: str, answer: int) -> None:
    """Chi-square on a fixed tape of 20,000 words; a true sampler fails one time in a million."""
    mechanism = at(epsilon)
    tape = Tape(np.random.default_rng(99).integers(WORD_RANGE, size=20_000).tolist())
    reports = [mechanism.randomize(answer, tape) for _ in range(20_000)]
    found = [reports.count(0), reports.count(1)]
    chances = channel(mechanism)
    expected = [20_000 * float(chances[report, answer]) for report in (0, 1)]
    assert stats.chisquare(found, expected).pvalue > 1e-6


def test_one_word_is_drawn_for_each_answer() -> None:
    tape = Tape([0, 0])
    THREE_QUARTERS.randomize(1, tape)
    assert tape.used == 1


@pytest.mark.parametrize("report", [2, -1, True, False, "1", 1.0, None, [1], {}])
def test_a_report_that_it_could_not_have_made_is_refused(report: object) -> None:
    with pytest.raises(Refusal, match="q1 must be an integer from 0 to 1, got") as caught:
        THREE_QUARTERS.check(report, "q1")
    assert (caught.value.code, caught.value.field) == ("option_out_of_range", "q1")


@pytest.mark.parametrize("report", [0, 1])
def test_a_report_adds_to_its_own_cell(report: int) -> None:
    THREE_QUARTERS.check(report, "q1")
    assert THREE_QUARTERS.cells_of(report) == [report]
    assert THREE_QUARTERS.cells == 2


def test_documents_find_it_by_its_name() -> None:
    assert MECHANISMS["rr"] is RandomizedResponse
