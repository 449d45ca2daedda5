"""A trusted curator names a winner: noisy max, exponential mechanism, auction (math 10).

Every leak here is calculated from exact probabilities of the winners; nothing is sampled but in
the tests of the samplers.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from scipy import stats

from client.core.primitives.refusal import Refusal
from estimators.curator.answers import SimulatedWords
from estimators.curator.neighbours import Neighbours
from estimators.curator.selection import Auction, Exponential, NoisyMax
from estimators.shares.spread import Array

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
# How one person can move three counts or utilities: who joins raises some, who is replaced may
# also lower some.
MOVES = {ADD: list(product((0, 1), repeat=3)), REPLACE: list(product((-1, 0, 1), repeat=3))}
ROUNDING = 1e-9
ONE = Decimal(1)


def leak(one: Array, other: Array) -> float:
    """The largest logarithm of a ratio of two probabilities of the same winner."""
    return float(np.abs(np.log(one) - np.log(other)).max())


@cache
def noisy_max_chances(counts: tuple[int, ...], rate: float) -> Array:
    """The probability that each count wins: that of its noise times the others' distributions.

    The first of equal counts wins, so those before must stay below and those after may be equal.
    """
    reach = math.ceil(60 / rate)
    levels = np.arange(min(counts) - reach, max(counts) + reach + 1.0)
    q = math.exp(-rate)

    def at_most(z: Array) -> Array:
        chances: Array = np.where(
            z < 0, q ** np.abs(z) / (1 + q), 1 - q ** (np.abs(z) + 1) / (1 + q)
        )
        return chances

    chances = []
    for winner, own in enumerate(counts):
        chance = (1 - q) / (1 + q) * q ** np.abs(levels - own)
        for other, count in enumerate(counts):
            if other != winner:
                chance = chance * at_most(levels - count - (1 if other < winner else 0))
        chances.append(math.fsum(chance.tolist()))
    return np.array(chances)


@pytest.mark.parametrize("counts", [(0, 0), (3, 0), (2, 5, 5), (100, 0)])
def test_one_of_the_counts_wins(counts: tuple[int, ...]) -> None:
    assert noisy_max_chances(counts, 0.5).sum() == pytest.approx(1)


def test_noisy_max_with_noise_for_joining_leaks_nearly_twice_when_a_person_is_replaced() -> None:
    small, enough = (float(NoisyMax(ONE, each).noise.rate) for each in (ADD, REPLACE))
    assert (small, enough) == (1.0, 0.5)
    # One vote leaves the leader for the second: the gap of 100 shrinks by 2.
    for rate, rounded in ((small, 1.98), (enough, 0.98)):
        assert (
            round(leak(noisy_max_chances((100, 0), rate), noisy_max_chances((99, 1), rate)), 2)
            == rounded
        )


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon", ["0.5", "2"])
def test_noisy_max_leaks_at_most_epsilon(neighbours: Neighbours, epsilon: str) -> None:
    rate = float(NoisyMax(Decimal(epsilon), neighbours).noise.rate)
    worst = max(
        leak(
            noisy_max_chances(counts, rate),
            noisy_max_chances(tuple(np.add(counts, move).tolist()), rate),
        )
        for counts in ((0, 0, 0), (2, 0, 0), (0, 2, 2), (40, 39, 0), (0, 0, 60), (60, 0, 0))
        for move in MOVES[neighbours]
    )
    assert 0.9 * float(epsilon) < worst <= float(epsilon) + ROUNDING


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("failure", [0.3, 0.05, 0.001])
def test_noisy_max_misses_by_more_than_its_shortfall_as_rarely_as_stated(
    neighbours: Neighbours, failure: float
) -> None:
    """Exactly, where the best is alone and all others are just too far below it."""
    noisy = NoisyMax(ONE, neighbours)
    bound = int(noisy.shortfall(8, failure))
    chances = noisy_max_chances((0,) * 7 + (bound + 1,), float(noisy.noise.rate))
    assert chances[:-1].sum() <= failure


def exponential_leak(mechanism: Exponential, before: Array, after: Array) -> float:
    return leak(mechanism.chances(before), mechanism.chances(after))


def test_full_weights_leak_twice_epsilon_unless_all_utilities_move_together() -> None:
    """Many candidates: one falls by the sensitivity while all the others rise by it."""
    before, after = np.zeros(10**6), np.ones(10**6)
    before[0], after[0] = 1.0, 0.0
    full = Exponential(ONE, Fraction(1), one_sided=True)
    assert (full.chances(np.array([0.0, 1.0])) * (1 + math.e)).tolist() == pytest.approx(
        [1, math.e]
    )
    assert 1.99999 < exponential_leak(full, before, after) < 2
    assert 0.99999 < exponential_leak(Exponential(ONE, Fraction(1)), before, after) < 1


@pytest.mark.parametrize(("one_sided", "moves"), [(True, MOVES[ADD]), (False, MOVES[REPLACE])])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_the_exponential_mechanism_leaks_at_most_epsilon(
    one_sided: bool, moves: list[tuple[int, ...]], epsilon: str
) -> None:
    mechanism = Exponential(Decimal(epsilon), Fraction(5, 2), one_sided)
    worst = max(
        exponential_leak(mechanism, start, start + 2.5 * np.array(move))
        for start in map(np.array, product((0.0, 1.0, 300.0), repeat=3))
        for move in moves
    )
    assert 0.99 * float(epsilon) < worst <= float(epsilon) + ROUNDING


@pytest.mark.parametrize("t", [0.5, 3.0, 10.0])
@pytest.mark.parametrize(("one_sided", "factor"), [(False, 2), (True, 1)])
def test_the_shortfall_is_exceeded_as_rarely_as_stated(
    t: float, one_sided: bool, factor: int
) -> None:
    """The worst case: one best candidate, and all others exactly so much below it."""
    mechanism = Exponential(Decimal("0.5"), Fraction(3), one_sided)
    utilities = np.zeros(1000)
    utilities[0] = mechanism.shortfall(1000, math.exp(-t))
    assert utilities[0] == pytest.approx(factor * 3.0 / 0.5 * (math.log(1000) + t))
    missed = mechanism.chances(utilities)[1:].sum()
    assert missed <= math.exp(-t)
    # And the bound is no idle one: the miss is its logistic counterpart, but for the best itself.
    assert missed == pytest.approx(0.999 / (math.exp(t) + 0.999))


PRICES = (Fraction(1), Fraction(2), Fraction(5))
LEVELS = len(PRICES) + 1


def bidders(levels: Iterable[int]) -> list[int]:
    """How many bidders would pay none, one, two .. of the prices."""
    found = list(levels)
    return [found.count(level) for level in range(LEVELS)]


def bid_neighbours(neighbours: Neighbours) -> Iterable[tuple[list[int], list[int]]]:
    """All pairs of at most four bids of which one is new, or another."""
    everybody = range(LEVELS)
    for others in range(4):
        for rest in combinations_with_replacement(everybody, others):
            if neighbours is ADD:
                yield from ((bidders(rest), bidders((*rest, bid))) for bid in everybody)
            else:
                pairs = product(everybody, everybody)
                yield from ((bidders((*rest, a)), bidders((*rest, b))) for a, b in pairs)


def test_an_auction_brings_in_what_each_price_is_paid_by() -> None:
    auction = Auction(PRICES)
    bids = [Fraction(5), Fraction(1, 2), Fraction(2), Fraction(19, 10)]
    revenues = auction.revenues(bidders(map(auction.level_of, bids)))
    assert list(map(float, revenues)) == [3 * 1, 2 * 2, 1 * 5]


def test_bids_of_1_1_1_and_301_bring_4_at_1_and_nothing_a_cent_above_the_highest() -> None:
    auction = Auction((Fraction(1), Fraction("1.01"), Fraction("3.01"), Fraction("3.02")))
    levels = [auction.level_of(Fraction(bid)) for bid in ("1", "1", "1", "3.01")]
    counts = [levels.count(level) for level in range(5)]
    assert list(map(str, auction.revenues(counts))) == ["4", "101/100", "301/100", "0"]


@pytest.mark.parametrize("neighbours", Neighbours)
def test_an_auction_moves_no_revenue_farther_than_the_highest_price(
    neighbours: Neighbours,
) -> None:
    moves = np.array(
        [
            [float(a - b) for a, b in zip(*map(Auction(PRICES).revenues, pair), strict=True)]
            for pair in bid_neighbours(neighbours)
        ]
    )
    assert np.abs(moves).max() == 5
    # And never one up and another down, which is why the full weights are kept.
    assert ((moves >= 0).all(axis=1) | (moves <= 0).all(axis=1)).all()
    assert Auction(PRICES).mechanism(Decimal(2)).rate == Fraction(2, 5)


@pytest.mark.parametrize("neighbours", Neighbours)
def test_an_auction_leaks_at_most_epsilon(neighbours: Neighbours) -> None:
    auction = Auction(PRICES)
    chances = auction.mechanism(Decimal(2)).chances
    worst = max(
        leak(*(chances(auction.revenues(bids)) for bids in pair))
        for pair in bid_neighbours(neighbours)
    )
    assert 0.5 * 2.0 < worst <= 2.0


def test_a_dear_price_is_drawn_where_bids_are_high() -> None:
    auction, words = Auction(PRICES), SimulatedWords(4)
    mechanism = auction.mechanism(ONE)
    sold = {
        level: {mechanism.choose(auction.revenues(bidders([level] * 200)), words) for _ in "x" * 50}
        for level in (1, 3)
    }
    # A worse price has a chance below e^-30 each.
    assert sold == {1: {0}, 3: {2}}


@pytest.mark.parametrize("prices", [(), ("0", "1"), ("2", "1"), ("1", "1"), ("-1",)])
def test_prices_that_do_not_increase_from_above_0_are_refused(prices: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, match="prices must be above 0 and increase"):
        Auction(tuple(map(Fraction, prices)))


@pytest.mark.parametrize("neighbours", Neighbours)
def test_noisy_max_chooses_with_the_exact_chances(neighbours: Neighbours) -> None:
    noisy = NoisyMax(ONE, neighbours)
    chances = noisy_max_chances((3, 2, 3, 0), float(noisy.noise.rate))
    assert_drawn_by(noisy.choose, (3, 2, 3, 0), chances)


@pytest.mark.parametrize("one_sided", [True, False])
def test_the_exponential_mechanism_chooses_with_the_exact_chances(one_sided: bool) -> None:
    weighted = Exponential(ONE, Fraction(3, 2), one_sided)
    utilities = (Fraction(7, 2), Fraction(2), Fraction(0), Fraction(3))
    assert_drawn_by(weighted.choose, utilities, weighted.chances(utilities))


def assert_drawn_by(choose: Callable[..., int], counts: Sequence[object], chances: Array) -> None:
    """One false alarm in a million seeds; this seed raises none. The same seed, the same draws."""
    draws, again = (
        [choose(counts, words) for _ in range(4_000)]
        for words in (SimulatedWords(6), SimulatedWords(6))
    )
    assert draws == again
    found = np.bincount(draws, minlength=len(chances))
    assert stats.chisquare(found, 4_000 * chances / chances.sum()).pvalue > 1e-6


@pytest.mark.parametrize("bad", ["0", "-1", "nan", "inf"])
def test_an_epsilon_that_is_not_above_0_is_refused(bad: str) -> None:
    with pytest.raises(Refusal, match="epsilon must be a finite number above 0"):
        _ = NoisyMax(Decimal(bad), ADD).noise
    with pytest.raises(Refusal, match="epsilon must be a finite number above 0"):
        Exponential(Decimal(bad), Fraction(1))
    with pytest.raises(Refusal, match="sensitivity must be a finite number above 0"):
        Exponential(ONE, Fraction(0))
