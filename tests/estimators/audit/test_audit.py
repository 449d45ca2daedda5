"""The audit is right about the shipped sampler, and catches samplers that leak."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

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
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import WORD_RANGE, Words, bern
from estimators.audit import audit as auditing
from estimators.audit.audit import audit, audited_answers, keeps_promise, leak_bound, tells_apart
from tests.support.exact_channel import answers_of, channel_of
from tests.vectors.tapes import Tape

ONE = Decimal(1)
AT_ONE = RandomizedResponse.at(ONE)
# "Keep with probability 1/2 + alpha" at epsilon = 1: the misprint.
MISPRINT = math.floor((0.5 + math.tanh(0.5)) * WORD_RANGE)

# Table 13 of the mathematics: the proven leak at expected counts, 95 %, N = 1e3 .. 1e6.
TABLE_13 = {
    0.1: (-0.026, 0.061, 0.088, 0.096),
    1.0: (0.859, 0.956, 0.986, 0.996),
    2.0: (1.810, 1.939, 1.981, 1.994),
    4.0: (3.536, 3.852, 3.953, 3.985),
    8.0: (5.601, 7.039, 7.652, 7.894),
}


def tape(words: int, seed: int = 1) -> Tape:
    """A fixed tape: the audit's verdict in this file never depends on luck."""
    return Tape(
        np.random.Generator(np.random.SFC64(seed)).integers(WORD_RANGE, size=words).tolist()
    )


def keeping(threshold: int) -> auditing.Sampler:
    """Return a sampler that keeps the answer with another probability than it should."""

    def sampler(answer: int, words: Words) -> int:
        return answer if bern(words, threshold) else 1 - answer

    return sampler


def test_the_shipped_sampler_passes() -> None:
    result = audit(AT_ONE, ONE, tape(20_000), runs=10_000)
    assert result.passes
    assert result.exact_passes
    assert result.empirical_passes
    # And not because it proves nothing: nearly all of epsilon is found.
    assert 0.85 < result.epsilon_low < 1
    assert result.delivered_epsilon < 1


def test_keeping_with_probability_one_half_plus_alpha_fails() -> None:
    result = audit(AT_ONE, ONE, tape(20_000), runs=10_000, sampler=keeping(MISPRINT))
    assert not result.passes
    assert not result.empirical_passes
    assert result.epsilon_low > 2.9


def test_the_misprint_leaks_3_235_at_epsilon_1_and_everything_from_ln_3_on() -> None:
    alpha = math.tanh(0.5)
    assert math.log((0.5 + alpha) / (0.5 - alpha)) == pytest.approx(3.235, abs=5e-4)
    assert math.tanh(math.log(3) / 2) == pytest.approx(0.5)
    # So 1/2 + alpha is 1: the answer is always kept.
    result = audit(AT_ONE, ONE, tape(2_000), runs=1_000, sampler=lambda answer, words: answer)
    assert not result.passes


def test_the_misprint_as_a_mechanism_fails_exactly() -> None:
    assert not keeps_promise(RandomizedResponse(MISPRINT), ONE)
    assert not audit(RandomizedResponse(MISPRINT), ONE, tape(200), runs=100).exact_passes


@pytest.mark.parametrize("rare", [0, 1])
def test_a_sampler_that_leaks_through_one_report_only_is_caught(rare: int) -> None:
    """One report hardly ever comes from the other answer; the other keeps its odds below e."""
    keep = {rare: math.floor(0.6 * WORD_RANGE), 1 - rare: math.floor(0.99 * WORD_RANGE)}

    def lopsided(answer: int, words: Words) -> int:
        return answer if bern(words, keep[answer]) else 1 - answer

    result = audit(AT_ONE, ONE, tape(20_000), runs=10_000, sampler=lopsided)
    assert not result.passes
    leaking = {pair.answer: pair.epsilon_low > 1 for pair in result.pairs}
    assert leaking == {rare: True, 1 - rare: False}


def test_a_sampler_that_leaks_a_tenth_more_is_caught_with_enough_runs() -> None:
    more = RandomizedResponse.at(Decimal("1.1")).threshold
    assert not audit(AT_ONE, ONE, tape(400_000), runs=200_000, sampler=keeping(more)).passes


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "2", "4.41481", "10"])
def test_the_exact_check_passes_at_the_threshold_and_fails_one_above(epsilon: str) -> None:
    best = RandomizedResponse.at(Decimal(epsilon)).threshold
    assert keeps_promise(RandomizedResponse(best), Decimal(epsilon))
    assert not keeps_promise(RandomizedResponse(best + 1), Decimal(epsilon))


def test_the_exact_check_fails_a_mechanism_that_prefers_the_opposite() -> None:
    reversed_one = RandomizedResponse(WORD_RANGE - AT_ONE.threshold)
    assert not keeps_promise(reversed_one, ONE)


@pytest.mark.parametrize("epsilon", TABLE_13)
def test_the_proven_leak_at_expected_counts_is_that_of_table_13(epsilon: float) -> None:
    keep = 1 / (1 + math.exp(-epsilon))
    for runs, expected in zip((10**3, 10**4, 10**5, 10**6), TABLE_13[epsilon], strict=True):
        found = leak_bound(round(runs * keep), round(runs * (1 - keep)), runs, 0.05)
        assert found == pytest.approx(expected, abs=5.1e-4)


def test_the_proven_leak_is_above_the_true_one_as_rarely_as_promised() -> None:
    """Exact: all pairs of counts at N = 60, epsilon 1, false alarm 5 %."""
    runs, keep = 60, float(AT_ONE.p)
    near = stats.binom.pmf(range(runs + 1), runs, keep)
    far = stats.binom.pmf(range(runs + 1), runs, 1 - keep)
    wrong = sum(
        near[hits] * far[others]
        for hits in range(runs + 1)
        for others in range(runs + 1)
        if near[hits] * far[others] > 1e-12 and leak_bound(hits, others, runs, 0.05) > 1
    )
    assert 0 < wrong <= 0.05


@pytest.mark.parametrize("false_alarm", [0.6, 0.05, 5e-7])
@pytest.mark.parametrize("n", [10, 1_000, 1_000_000])
def test_the_bound_agrees_with_an_independent_implementation(n: int, false_alarm: float) -> None:
    for hits, others in ((1, 0), (n // 3, n // 2), (n - 1, 1), (n, n)):
        low = stats.beta.ppf(false_alarm / 2, hits, n - hits + 1)
        high = stats.beta.isf(false_alarm / 2, others + 1, n - others) if others < n else 1
        found = leak_bound(hits, others, n, false_alarm)
        assert found == pytest.approx(math.log(low / high), rel=1e-7, abs=1e-9)


def test_no_hits_prove_nothing() -> None:
    assert leak_bound(0, 5, 10, 0.05) == -math.inf
    result = audit(AT_ONE, ONE, tape(2), runs=1)
    assert result.epsilon_low == 0
    assert result.passes


def test_every_run_is_announced_and_draws_fresh_words() -> None:
    seen: list[None] = []
    source = tape(200)
    audit(AT_ONE, ONE, source, runs=100, on_run=lambda: seen.append(None))
    assert len(seen) == 200
    assert source.used == 200


@pytest.mark.parametrize("runs", [0, -5, 1.5, True, 10**9])
def test_a_number_of_runs_that_is_none_is_refused(runs: int) -> None:
    with pytest.raises(Refusal, match="runs must be an integer from 1 to"):
        audit(AT_ONE, ONE, tape(2), runs=runs)


SHAPES: list[TwoLevel] = [
    AT_ONE,
    SubsetSelection.at(ONE, options=5, size=2),
    HadamardResponse.at(ONE, options=5),
    SampledChecks.at(ONE, options=3, asked=1),
    SampledChecks.at(ONE, options=3, asked=2),
    PrivateSet.at(ONE, options=4, at_most=2, size=2),
    RandomThreshold.at(ONE, top=4),
    SlidingWindow.at(ONE, top=4, width=2),
]
every_shape = pytest.mark.parametrize("mechanism", SHAPES, ids=lambda m: f"{m.name}-{m.draws}")


@every_shape
def test_the_exact_check_knows_every_shape(mechanism: TwoLevel) -> None:
    assert keeps_promise(mechanism, ONE)
    assert not keeps_promise(type(mechanism)(mechanism.threshold + 1, **mechanism.shape), ONE)
    assert not keeps_promise(mechanism, Decimal("0.999999"))


def test_the_exact_check_charges_every_box_of_a_report() -> None:
    alone = SampledChecks.at(ONE, options=3, asked=1).threshold
    assert keeps_promise(SampledChecks(alone, options=3, asked=1), ONE)
    assert not keeps_promise(SampledChecks(alone, options=3, asked=2), ONE)


@every_shape
def test_the_near_sets_are_those_of_the_exact_channel(mechanism: TwoLevel) -> None:
    """A report is likelier the more of its draws are near; computed without the samplers."""
    for answer in answers_of(mechanism.domain):
        by_draws: dict[int, set[Fraction]] = {}
        for text, chance in channel_of(mechanism, answer).items():
            near = mechanism.near_draws(answer, json.loads(text))
            by_draws.setdefault(near, set()).add(chance)
        assert all(len(chances) == 1 for chances in by_draws.values())
        assert sorted(by_draws) == list(range(mechanism.draws + 1))
        assert sorted(by_draws, key=lambda near: max(by_draws[near])) == sorted(by_draws)


@every_shape
def test_the_audited_event_shows_all_of_the_delivered_epsilon(mechanism: TwoLevel) -> None:
    """For the extreme answers, the chances of the event are as far apart as any can be."""
    low, *_, high = audited_answers(mechanism)
    chances = [
        sum(
            chance
            for text, chance in channel_of(mechanism, truth).items()
            if tells_apart(mechanism, low, high, json.loads(text))
        )
        for truth in (low, high)
    ]
    leak = math.log(chances[0]) - math.log(chances[1])
    assert leak == pytest.approx(mechanism.delivered_epsilon, abs=1e-9)


def test_the_audited_answers_are_the_extremes_and_one_between() -> None:
    assert audited_answers(AT_ONE) == [0, 1]
    assert audited_answers(SubsetSelection.at(ONE, options=9, size=2)) == [0, 4, 8]
    assert audited_answers(SlidingWindow.at(ONE, top=10, width=2)) == [0, 5, 10]
    few = PrivateSet.at(ONE, options=5, at_most=2, size=1)
    assert audited_answers(few) == [[], [0], [3, 4]]
    assert audited_answers(SampledChecks.at(ONE, options=1, asked=1)) == [[], [0]]


def test_a_report_that_the_mechanism_does_not_allow_fails_the_audit() -> None:
    result = audit(AT_ONE, ONE, tape(10), runs=5, sampler=lambda answer, words: [answer])
    assert (result.malformed, result.private, result.passes) == (10, False, False)


def test_a_sampler_that_says_too_little_is_private_but_not_useful() -> None:
    result = audit(AT_ONE, ONE, tape(20_000), runs=10_000, sampler=keeping(2**31 + 2**28))
    assert (result.private, result.useful, result.passes) == (True, False, False)
