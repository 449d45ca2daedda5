"""A trusted curator names a winner: noisy max, exponential mechanism, auction (math 10).

Every leak here is calculated from exact probabilities of the winners; nothing is sampled but in
the tests of the samplers.
"""

import math
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations_with_replacement, pairwise, product

import numpy as np
import pytest
from scipy import integrate, stats

from client.core.primitives.refusal import Refusal
from estimators.central.auction import Auction
from estimators.central.choosing import MONOTONE, Exponential, NoisyMax
from estimators.central.neighbours import Neighbours
from estimators.shares.spread import Array
from estimators.simulation.kernels.source import generator

ADD, REPLACE = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
# How one person can move three counts or utilities: who joins raises some, who is replaced may
# also lower some.
MOVES = {ADD: list(product((0, 1), repeat=3)), REPLACE: list(product((-1, 0, 1), repeat=3))}
ROUNDING = 1e-9


def leak(one: Array, other: Array) -> float:
    """The largest logarithm of a ratio of two probabilities of the same winner."""
    return float(np.abs(np.log(one) - np.log(other)).max())


@cache
def noisy_max_chances(counts: tuple[float, ...], scale: float) -> Array:
    """The probability that each count wins: its density times the others' distributions."""
    ends = (min(counts) - 60 * scale, *sorted(set(counts)), max(counts) + 60 * scale)

    def wins(winner: int) -> float:
        def density(x: float) -> float:
            chance = math.exp(-abs(x - counts[winner]) / scale) / (2 * scale)
            for i, count in enumerate(counts):
                tail = math.exp(-abs(x - count) / scale) / 2
                chance *= 1 if i == winner else tail if x < count else 1 - tail
            return chance

        # The density bends at every count and is smooth between them.
        return math.fsum(
            integrate.quad(density, *piece, epsabs=0, epsrel=1e-12)[0] for piece in pairwise(ends)
        )

    return np.array([wins(winner) for winner in range(len(counts))])


def second_of_two(gap: float, scale: float) -> float:
    """Closed form: the difference of two Laplace variables exceeds the gap."""
    return math.exp(-gap / scale) * (2 + gap / scale) / 4


@pytest.mark.parametrize("gap", [0.0, 1.0, 7.0, 100.0])
def test_the_quadrature_agrees_with_the_closed_form(gap: float) -> None:
    chances = noisy_max_chances((gap, 0.0), 1.5)
    assert chances[1] == pytest.approx(second_of_two(gap, 1.5), rel=1e-9)
    assert chances.sum() == pytest.approx(1)


def test_noisy_max_with_noise_for_joining_leaks_nearly_twice_when_a_person_is_replaced() -> None:
    small, enough = NoisyMax(1.0, ADD).scale, NoisyMax(1.0, REPLACE).scale
    assert (small, enough) == (1.0, 2.0)
    # One vote leaves the leader for the second: the gap of 100 shrinks by 2.
    for scale, rounded in ((small, 1.98), (enough, 0.98)):
        before, after = second_of_two(100, scale), second_of_two(98, scale)
        exact = leak(noisy_max_chances((100.0, 0.0), scale), noisy_max_chances((99.0, 1.0), scale))
        assert exact == pytest.approx(math.log(after / before), rel=1e-9)
        assert round(exact, 2) == rounded
    # The leak tends to 2 epsilon and never reaches it.
    assert 1.99 < math.log(second_of_two(600, 1) / second_of_two(602, 1)) < 2


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_noisy_max_leaks_at_most_epsilon(neighbours: Neighbours, epsilon: float) -> None:
    scale = NoisyMax(epsilon, neighbours).scale
    worst = max(
        leak(
            noisy_max_chances(counts, scale),
            noisy_max_chances(tuple(np.add(counts, move).tolist()), scale),
        )
        for counts in ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (40.0, 39.0, 0.0), (60.0, 0.0, 0.0))
        for move in MOVES[neighbours]
    )
    assert 0.9 * epsilon < worst <= epsilon + ROUNDING


def exponential_leak(mechanism: Exponential, before: Array, after: Array) -> float:
    return leak(mechanism.chances(before), mechanism.chances(after))


def test_full_weights_leak_twice_epsilon_unless_all_utilities_move_together() -> None:
    """A million candidates: one falls by the sensitivity while all the others rise by it."""
    before, after = np.zeros(10**6), np.ones(10**6)
    before[0], after[0] = 1.0, 0.0
    full = Exponential(1.0, 1.0, ADD, MONOTONE)
    assert (full.chances(np.array([0.0, 1.0])) * (1 + math.e)).tolist() == pytest.approx(
        [1, math.e]
    )
    assert 1.99999 < exponential_leak(full, before, after) < 2
    for halved in (
        Exponential(1.0, 1.0, ADD),
        Exponential(1.0, 1.0, REPLACE),
        Exponential(1.0, 1.0, REPLACE, MONOTONE),
    ):
        assert 0.99999 < exponential_leak(halved, before, after) < 1


@pytest.mark.parametrize(
    ("neighbours", "one_sided", "moves"),
    [
        (ADD, MONOTONE, MOVES[ADD]),
        (ADD, (), MOVES[REPLACE]),
        (REPLACE, MONOTONE, MOVES[REPLACE]),
    ],
)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_exponential_mechanism_leaks_at_most_epsilon(
    neighbours: Neighbours,
    one_sided: tuple[Neighbours, ...],
    moves: list[tuple[int, ...]],
    epsilon: float,
) -> None:
    sensitivity = 2.5
    mechanism = Exponential(epsilon, sensitivity, neighbours, one_sided)
    worst = max(
        exponential_leak(mechanism, start, start + sensitivity * np.array(move))
        for start in map(np.array, product((0.0, 1.0, 300.0), repeat=3))
        for move in moves
    )
    assert 0.99 * epsilon < worst <= epsilon + ROUNDING


@pytest.mark.parametrize("t", [0.5, 3.0, 10.0])
@pytest.mark.parametrize(("one_sided", "factor"), [((), 2), (MONOTONE, 1)])
def test_the_shortfall_is_exceeded_as_rarely_as_stated(
    t: float, one_sided: tuple[Neighbours, ...], factor: int
) -> None:
    """The worst case: one best candidate, and all others exactly so much below it."""
    mechanism = Exponential(0.5, 3.0, ADD, one_sided)
    utilities = np.zeros(1000)
    utilities[0] = mechanism.shortfall(1000, t)
    assert utilities[0] == pytest.approx(factor * 3.0 / 0.5 * (math.log(1000) + t))
    missed = mechanism.chances(utilities)[1:].sum()
    assert missed <= math.exp(-t)
    # And the bound is no idle one: the miss is its logistic counterpart, but for the best itself.
    assert missed == pytest.approx(0.999 / (math.exp(t) + 0.999))


PRICES = (1.0, 2.0, 5.0)
BIDS = (0.5, 1.0, 2.0, 3.0, 5.0)


def bid_neighbours(neighbours: Neighbours) -> Iterable[tuple[tuple[float, ...], ...]]:
    """All pairs of at most four bids of which one is new, or another."""
    for others in range(4):
        for rest in combinations_with_replacement(BIDS, others):
            if neighbours is ADD:
                yield from ((rest, (*rest, bid)) for bid in BIDS)
            else:
                yield from (((*rest, a), (*rest, b)) for a, b in product(BIDS, BIDS))


def test_an_auction_brings_in_what_each_price_is_paid_by() -> None:
    revenues = Auction(PRICES).revenues(np.array([5.0, 0.5, 2.0, 1.9]))
    assert revenues.tolist() == [3 * 1.0, 2 * 2.0, 1 * 5.0]


@pytest.mark.parametrize("neighbours", Neighbours)
def test_an_auction_moves_no_revenue_farther_than_the_highest_bid(neighbours: Neighbours) -> None:
    moves = np.array(
        [
            np.subtract(*(Auction(PRICES).revenues(np.array(bids)) for bids in pair))
            for pair in bid_neighbours(neighbours)
        ]
    )
    assert np.abs(moves).max() == Auction(PRICES).highest_bid
    # And never one up and another down, which is why the full weights are kept.
    assert ((moves >= 0).all(axis=1) | (moves <= 0).all(axis=1)).all()
    assert Auction(PRICES).mechanism(2.0, neighbours).rate == 2.0 / 5.0


@pytest.mark.parametrize("neighbours", Neighbours)
def test_an_auction_leaks_at_most_epsilon(neighbours: Neighbours) -> None:
    mechanism = Auction(PRICES).mechanism(2.0, neighbours)
    auction = Auction(PRICES)
    worst = max(
        exponential_leak(mechanism, *(auction.revenues(np.array(bids)) for bids in pair))
        for pair in bid_neighbours(neighbours)
    )
    assert 0.5 * 2.0 < worst <= 2.0


def test_a_dear_price_is_drawn_where_bids_are_high() -> None:
    source, auction = generator(4), Auction(PRICES)
    sold = {
        level: [auction.sell(np.full(200, level), 1.0, REPLACE, source) for _ in range(50)]
        for level in (1.0, 5.0)
    }
    # A worse price has a chance below e^-30 each.
    assert set(sold[1.0]) == {1.0}
    assert set(sold[5.0]) == {5.0}


@pytest.mark.parametrize("prices", [(), (0.0, 1.0), (2.0, 1.0), (1.0, math.nan), (-1.0,)])
def test_prices_that_do_not_increase_from_above_0_are_refused(prices: tuple[float, ...]) -> None:
    with pytest.raises(Refusal, match="prices must be above 0 and increase"):
        Auction(prices)


def test_the_samplers_choose_with_the_exact_chances() -> None:
    counts = np.array([3.0, 2.0, 0.0])
    noisy, weighted = NoisyMax(1.0, REPLACE), Exponential(1.0, 1.0, REPLACE)
    for choose, chances in (
        (noisy.choose, noisy_max_chances((3.0, 2.0, 0.0), noisy.scale)),
        (weighted.choose, weighted.chances(counts)),
    ):
        assert_drawn_by(choose, counts, chances)


def assert_drawn_by(choose: Callable[..., int], counts: Array, chances: Array) -> None:
    """One false alarm in a million seeds; this seed raises none. The same seed, the same draws."""
    draws, again = (
        [choose(counts, source) for _ in range(5_000)] for source in (generator(6), generator(6))
    )
    assert draws == again
    found = np.bincount(draws, minlength=len(chances))
    assert stats.chisquare(found, 5_000 * chances / chances.sum()).pvalue > 1e-6


def test_noise_of_noisy_max_has_the_stated_variance() -> None:
    noisy = NoisyMax(0.5, REPLACE)
    assert noisy.noise_variance == stats.laplace(scale=4).var() == 32


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_figures_that_are_not_above_0_are_refused(bad: float) -> None:
    with pytest.raises(Refusal, match="epsilon must be a finite number above 0"):
        NoisyMax(bad, ADD)
    with pytest.raises(Refusal, match="sensitivity must be a finite number above 0"):
        Exponential(1.0, bad, ADD)
