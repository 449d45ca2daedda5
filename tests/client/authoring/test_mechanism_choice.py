"""The rule that chooses mechanisms: the choices of the tables, and no better one overlooked."""

import math
from decimal import Decimal

import pytest

from client.authoring.draft.mechanism_choice import (
    best_private_set,
    best_sampled_checks,
    best_sliding_window,
    best_subset_selection,
    candidates,
    noise_per_respondent,
    square_wave,
)
from client.core.kinds import DISTRIBUTION, MEAN, SHARES
from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
)
from client.core.primitives.domain import Checks, Choice, Levels

EVERY_EPSILON = ["0.1", "0.5", "1", "2", "4"]
# Table 2a: size of the best set for every k, and the pick with its bits.
BEST_SIZES = {
    **{2: (1, 1, 1, 1, 1), 3: (1, 1, 1, 1, 1), 5: (2, 2, 1, 1, 1), 10: (5, 4, 3, 1, 1)},
    **{20: (10, 8, 5, 2, 1), 100: (48, 38, 27, 12, 2), 1000: (475, 378, 269, 119, 18)},
}
PICKS = {
    **{(1000, "0.1"): ("hr", 10), (1000, "0.5"): ("ss", 1000), (1000, "4"): ("ss", 180)},
    **{(10000, "0.1"): ("hr", 14), (10000, "1"): ("hr", 14), (10000, "2"): ("hr", 14)},
    **{
        (10000, "4"): ("ss", 1022),
        (100, "4"): ("ss", 14),
        (5, "1"): ("ss", 3),
        (5, "0.5"): ("ss", 5),
    },
}


@pytest.mark.parametrize("options", BEST_SIZES)
def test_the_best_sets_are_those_of_table_2a(options: int) -> None:
    found = tuple(best_subset_selection(options, Decimal(eps), 1024).size for eps in EVERY_EPSILON)
    assert found == BEST_SIZES[options]


@pytest.mark.parametrize(("options", "epsilon"), PICKS)
def test_the_picks_and_their_bits_are_those_of_table_2a(options: int, epsilon: str) -> None:
    first, second = candidates(Choice(options), SHARES, Decimal(epsilon))
    assert (first.name, first.bits) == PICKS[options, epsilon]
    assert {first.name, second.name} == {"ss", "hr"}


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("options", [3, 5, 11, 30])
def test_no_other_size_of_set_is_better(options: int, epsilon: str) -> None:
    best = best_subset_selection(options, Decimal(epsilon), 1024)
    sizes = range(1, options)
    every = [SubsetSelection.at(Decimal(epsilon), options=options, size=size) for size in sizes]
    assert noise_per_respondent(best) == min(noise_per_respondent(other) for other in every)


def test_a_longer_report_may_be_allowed_for_a_long_list() -> None:
    """At epsilon 1 the noise of 10,000 options falls from 4.68 to 3.68 (math 2.3)."""
    short, long = (
        candidates(Choice(10_000), SHARES, Decimal(1), bits)[0] for bits in (1024, 16_384)
    )
    assert (short.name, long.name) == ("hr", "ss")
    assert noise_per_respondent(short) == pytest.approx(4.683, abs=5e-4)
    assert noise_per_respondent(long) == pytest.approx(3.682, abs=5e-4)


def test_two_options_get_randomized_response() -> None:
    (only,) = candidates(Choice(2), SHARES, Decimal(1))
    assert only.name == "rr"


# Table 3a: d, m, epsilon; noise of sampled checks and of private set with its size.
TABLE_3A = [
    (5, 2, "0.5", 19.9, 18.2, 1),
    (5, 5, "1", 4.96, None, None),
    (10, 3, "1", 10.0, 6.65, 1),
    (10, 5, "0.5", 40.0, 43.4, 1),
    (20, 3, "0.5", 80.1, 43.3, 3),
    (20, 3, "1", 20.1, 9.35, 2),
    (20, 5, "2", 5.33, 2.13, 1),
    (100, 5, "0.5", 401, 88.3, 7),
    (100, 5, "2", 27.0, 4.15, 2),
]


@pytest.mark.parametrize(("options", "at_most", "epsilon", "sampled", "few", "size"), TABLE_3A)
def test_check_boxes_get_what_table_3a_says(
    options: int, at_most: int, epsilon: str, sampled: float, few: float | None, size: int | None
) -> None:
    budget = Decimal(epsilon)
    boxes = noise_per_respondent(SampledChecks.at(budget, options=options, asked=1))
    assert boxes == pytest.approx(sampled, rel=6e-3)
    found = candidates(Checks(options, at_most), SHARES, budget)
    if few is None:
        assert [mechanism.name for mechanism in found] == ["smp"]
        return
    chosen = best_private_set(options, at_most, budget)
    assert chosen.size == size
    assert noise_per_respondent(chosen) == pytest.approx(few, rel=6e-3)
    assert [mechanism.name for mechanism in found] == (
        ["privset", "smp"] if few < sampled else ["smp", "privset"]
    )


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2"])
def test_no_other_private_set_has_less_noise_where_nobody_ticked(epsilon: str) -> None:
    best = best_private_set(20, 3, Decimal(epsilon))

    def noise(mechanism: PrivateSet) -> float:
        return float(mechanism.q * (1 - mechanism.q) / (mechanism.p - mechanism.q) ** 2)

    every = [PrivateSet.at(Decimal(epsilon), options=20, at_most=3, size=w) for w in range(1, 21)]
    assert noise(best) == min(map(noise, every))


@pytest.mark.parametrize("epsilon", ["0.5", "1", "2", "4", "6", "10"])
def test_no_other_number_of_asked_boxes_is_better(epsilon: str) -> None:
    best = best_sampled_checks(10, Decimal(epsilon))
    every = [SampledChecks.at(Decimal(epsilon), options=10, asked=n) for n in range(1, 11)]
    assert noise_per_respondent(best) == min(map(noise_per_respondent, every))
    assert (best.asked == 1) == (Decimal(epsilon) <= 4)


@pytest.mark.parametrize(
    ("top", "epsilon", "name"),
    [
        *((10, "0.5", "rt"), (10, "1", "rt"), (10, "1.5", "isw"), (10, "4", "isw")),
        *((4, "1.3", "rt"), (4, "1.5", "isw"), (1000, "1", "rt"), (1000, "1.2", "isw")),
    ],
)
def test_a_mean_gets_the_random_threshold_up_to_epsilon_1_2(
    top: int, epsilon: str, name: str
) -> None:
    first, second = candidates(Levels(top), MEAN, Decimal(epsilon))
    assert first.name == name
    assert noise_per_respondent(first) <= noise_per_respondent(second)


# Table 5 at a thousand levels: the best window over the range, and the noise on [-1, 1].
TABLE_5 = [("0.5", 0.881, 18.89), ("1", 0.775, 4.187), ("2", 0.590, 0.8141), ("4", 0.322, 0.1114)]


@pytest.mark.parametrize(("epsilon", "width", "noise"), TABLE_5)
def test_the_best_windows_are_those_of_table_5(epsilon: str, width: float, noise: float) -> None:
    window = best_sliding_window(1000, Decimal(epsilon))
    assert window.width / 1000 == pytest.approx(width, abs=2e-3)
    assert noise_per_respondent(window) * (2 / 1000) ** 2 == pytest.approx(noise, rel=5e-3)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
def test_no_other_window_has_less_noise_at_the_ends(epsilon: str) -> None:
    best = best_sliding_window(20, Decimal(epsilon))
    every = [SlidingWindow.at(Decimal(epsilon), top=20, width=width) for width in range(21)]
    ends = [window.noise(0) for window in every]
    assert best.noise(0) == pytest.approx(min(ends), rel=1e-6)


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "3", "10"])
def test_a_distribution_gets_the_window_of_the_square_wave(epsilon: str) -> None:
    (only,) = candidates(Levels(200), DISTRIBUTION, Decimal(epsilon))
    assert isinstance(only, SlidingWindow)
    assert only == square_wave(200, Decimal(epsilon))
    eps, odds = float(epsilon), math.exp(float(epsilon))
    b = (eps * odds - odds + 1) / (2 * odds * (odds - 1 - eps))
    assert only.width == pytest.approx(2 * b * 200, abs=0.51)


@pytest.mark.parametrize("epsilon", ["0.01", "0.3", "1", "10"])
@pytest.mark.parametrize(
    "domain", [Choice(2), Choice(3), Choice(20_000), Checks(1, 1), Checks(200, 1), Checks(200, 200)]
)
def test_whatever_is_chosen_fits_and_keeps_its_epsilon(
    domain: Choice | Checks, epsilon: str
) -> None:
    for mechanism in candidates(domain, SHARES, Decimal(epsilon)):
        assert mechanism.accepts(domain)
        assert 0.999 * float(epsilon) < mechanism.delivered_epsilon <= float(epsilon)


@pytest.mark.parametrize("top", [1, 2, 10, 1000])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "10"])
def test_levels_of_any_length_are_served(top: int, epsilon: str) -> None:
    for goal in (MEAN, DISTRIBUTION):
        for mechanism in candidates(Levels(top), goal, Decimal(epsilon)):
            assert mechanism.accepts(Levels(top))
            assert mechanism.delivered_epsilon <= float(epsilon)


def test_hadamard_response_is_never_chosen_for_its_noise_on_a_short_list() -> None:
    for options in range(3, 60):
        first, _ = candidates(Choice(options), SHARES, Decimal(1))
        assert not isinstance(first, HadamardResponse)
