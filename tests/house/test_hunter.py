"""The hunter for leaks finds what distinguishes two truths, and accuses nobody by mistake."""

from collections.abc import Callable
from decimal import Decimal
from random import Random

import numpy as np
import pytest
from scipy.stats import binom

from client.core.mechanisms import RandomizedResponse, TwoLevel
from client.core.primitives.words import SecureWords
from tests.support.hunter import FALSE_ALARM, Bools, Observed, Verdict, deal, encode, hunt

pytestmark = pytest.mark.usefixtures("same_words")

EACH = 200
DICE = Random(7)


def noise(truth: int) -> dict[str, str | float]:
    """Return two hundred places that say nothing about the truth."""
    texts: dict[str, str | float] = {f"text {i}": DICE.choice("abcd") for i in range(150)}
    return texts | {f"number {i}": DICE.gauss(0, 1) for i in range(50)}


def verdict(see: Callable[[int], Observed], each: int = EACH) -> Verdict:
    truths = deal(each, DICE)
    return hunt(encode([see(truth) for truth in truths]), truths)


def table(truths: list[int], guesses: list[int]) -> Verdict:
    return Verdict(np.array(truths, dtype=bool), np.array(guesses, dtype=bool))


def test_both_truths_are_dealt_as_often_to_learn_from_as_to_guess() -> None:
    dealt = deal(EACH, DICE)
    assert len(dealt) == 2 * EACH
    assert sum(dealt[::2]) == sum(dealt[1::2]) == EACH / 2


def test_noise_accuses_nobody() -> None:
    assert not verdict(noise).accuses(0)


@pytest.mark.parametrize(
    "leak",
    [
        lambda truth: {"header": f"Note: {truth}"},
        lambda truth: {"extra": "request"} if truth else {},
        lambda truth: {"length": 80.0 + truth},
        lambda truth: {"delay": DICE.expovariate(1) + 3 * truth},
        # Three sessions of four look alike.
        lambda truth: {"rarely": str(truth * (DICE.random() < 0.5))},
    ],
    ids=["text", "presence", "length", "delay", "now and then"],
)
def test_a_leak_among_hundreds_of_places_is_found(leak: Callable[[int], Observed]) -> None:
    assert verdict(lambda truth: {**noise(truth), **leak(truth)}).accuses(0)


def test_twenty_four_right_guesses_of_as_many_are_enough_to_accuse() -> None:
    """By chance all are right once in C(24, 12) = 2,704,156 deals."""
    half = [0, 1] * 12
    assert table(half, half).chance(0) == pytest.approx(1 / 2_704_156)
    assert table(half, half).accuses(0)


def randomized(mechanism: TwoLevel) -> Verdict:
    words = SecureWords()
    return verdict(lambda truth: {"report": str(mechanism.randomize(truth, words))})


def test_a_report_tells_the_hunter_no_more_than_it_may_but_that_it_does() -> None:
    found = randomized(RandomizedResponse.at(Decimal(2)))
    assert not found.accuses(2)
    # e^2 / (1 + e^2) = 0.88; of 200 guesses fewer than 150 are right once in ten million runs.
    assert binom.cdf(149, EACH, 0.88) < FALSE_ALARM
    assert found.right >= 0.75
    assert found.accuses(0)


def test_a_report_of_three_times_its_epsilon_is_accused() -> None:
    assert randomized(RandomizedResponse.at(Decimal(6))).accuses(2)


def test_the_judgement_is_fishers_exact_test_where_nothing_may_be_revealed() -> None:
    """Three of four right on either side: (16 + 1) of the C(8, 4) = 70 deals are as good."""
    found = table([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1])
    assert found.right == 0.75
    assert found.chance(0) == pytest.approx(17 / 70)


def test_always_the_same_guess_proves_nothing() -> None:
    half: Bools = np.array([False, True] * 50)
    assert Verdict(half, np.ones(100, dtype=bool)).chance(0) == 1
    assert Verdict(half, np.zeros(100, dtype=bool)).chance(0) == 1


def test_the_judgement_is_milder_the_more_may_be_revealed() -> None:
    found = table([0] * 50 + [1] * 50, [0] * 40 + [1] * 10 + [0] * 10 + [1] * 40)
    chances = [found.chance(epsilon) for epsilon in (0, 0.5, 1, 2)]
    assert chances == sorted(chances)
    assert chances[0] < FALSE_ALARM < chances[-1]
