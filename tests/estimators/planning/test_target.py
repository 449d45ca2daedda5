"""Planning: the published table, and margins that lead back to their respondents."""

from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import binom

from client.core.mechanisms import RandomizedResponse, SampledChecks
from client.core.primitives.refusal import Refusal
from estimators.planning import target
from estimators.planning.group_plan import Groups, plan_groups
from estimators.planning.survey_plan import Target, plan_mechanism
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import (
    design_effect,
    noise_per_respondent,
    sampling_per_respondent,
)

Row = tuple[str, float, float, float, int, int, int, int, int]

# Table 12 of the mathematics: epsilon; design effect at shares .5, .1, .01; n for 5, 3 and 1
# points; n for 3 points among respondents only; n per group for 30 % against 25 %, power .8.
TABLE_12: list[Row] = [
    ("0.1", 400.7, 1111, 1.009e4, 153_915, 427_541, 3_847_863, 426_474, 628_639),
    ("0.25", 64.67, 177.9, 1609, 24_842, 69_006, 621_046, 67_939, 101_195),
    ("0.5", 16.67, 44.53, 396.7, 6_405, 17_789, 160_101, 16_722, 25_851),
    ("1", 4.683, 11.23, 94, 1_799, 4_997, 44_971, 3_930, 7_032),
    ("2", 1.724, 3.011, 19.28, 663, 1_840, 16_558, 773, 2_388),
    ("4", 1.076, 1.211, 2.92, 414, 1_149, 10_334, 82, 1_371),
]
PLAIN_TRUTH = (1.0, 0.0)


def yes_no(epsilon: str) -> RandomizedResponse:
    return RandomizedResponse.at(Decimal(epsilon))


def channel(epsilon: str) -> tuple[float, float]:
    return float(yes_no(epsilon).p), float(yes_no(epsilon).q)


def respondents(epsilon: str, margin: float, share: float = 0.5) -> tuple[int, int]:
    """Return the planned respondents for a population, and for the respondents only."""
    row = plan_mechanism(yes_no(epsilon), Target(margin=margin, share=share))
    return row["respondents"], row["noise_only_respondents"]


def margins(epsilon: str, n: int, share: float = 0.5) -> tuple[float, float]:
    """Return the margins of n respondents: for a population, and for the respondents only."""
    row = plan_mechanism(yes_no(epsilon), Target(respondents=n, share=share))
    return row["margin"], row["noise_only_margin"]


def effect_of(share: float, p: float, q: float) -> float:
    return design_effect(noise_per_respondent(share, p, q), sampling_per_respondent(share))


def per_group(epsilon: str, first: float, second: float, power: float = 0.8) -> int:
    row = plan_groups(yes_no(epsilon), Groups(first, second, power))
    assert isinstance(row["respondents_per_group"], int)
    return row["respondents_per_group"]


@pytest.mark.parametrize("row", TABLE_12, ids=[row[0] for row in TABLE_12])
def test_the_planner_reproduces_table_12(row: Row) -> None:
    epsilon, half, tenth, hundredth, five, three, one, noise_only, groups = row
    effects = [effect_of(share, *channel(epsilon)) for share in (0.5, 0.1, 0.01)]
    assert effects == pytest.approx([half, tenth, hundredth], rel=5e-4)
    planned = [respondents(epsilon, margin)[0] for margin in (0.05, 0.03, 0.01)]
    assert planned == [five, three, one]
    assert respondents(epsilon, 0.03)[1] == noise_only
    assert per_group(epsilon, 0.3, 0.25) == groups


def test_without_protection_the_textbook_sample_sizes_come_out() -> None:
    half = sampling_per_respondent(0.5)
    planned = [target.respondents_for(half, margin) for margin in (0.05, 0.03, 0.01)]
    assert planned == [385, 1_068, 9_604]
    assert target.respondents_to_tell(0.3, 0.25, *PLAIN_TRUTH, power=0.8) == 1_251
    assert effect_of(0.5, *PLAIN_TRUTH) == 1


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5])
def test_the_planned_number_keeps_the_margin_and_one_fewer_does_not(
    epsilon: str, share: float
) -> None:
    n, m = respondents(epsilon, 0.02, share)
    assert margins(epsilon, n, share)[0] <= 0.02
    assert n == 1 or margins(epsilon, n - 1, share)[0] > 0.02
    assert margins(epsilon, m, share)[1] <= 0.02
    assert m <= n


def test_the_planned_groups_have_the_power_asked_for_and_one_fewer_have_not() -> None:
    n = per_group("1", 0.3, 0.25, power=0.9)
    assert target.power_of_groups(n, 0.3, 0.25, *channel("1")) >= 0.9
    assert target.power_of_groups(n - 1, 0.3, 0.25, *channel("1")) < 0.9


def test_without_information_the_power_is_the_false_alarm_rate_of_both_sides() -> None:
    assert target.power_of_groups(1, 0.3, 0.3001, *channel("0.1")) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("epsilon", "n", "shares", "exact", "formula"),
    [
        ("1", 500, (0.3, 0.1), 0.8630, 0.8615),
        ("2", 300, (0.3, 0.15), 0.8716, 0.8709),
        ("4", 200, (0.2, 0.1), 0.7537, 0.7448),
    ],
)
def test_the_power_is_that_of_the_score_test_in_all_tables_of_reports(
    epsilon: str, n: int, shares: tuple[float, float], exact: float, formula: float
) -> None:
    p, q = channel(epsilon)
    counts = np.arange(n + 1.0)
    one, other = (binom.pmf(counts, n, q + (p - q) * share) for share in shares)
    pooled = np.add.outer(counts, counts) / (2 * n)
    spread = pooled * (1 - pooled) * 2 / n
    apart = np.subtract.outer(counts, counts) / n
    power = one @ (apart**2 > normal_quantile(0.95) ** 2 * spread) @ other
    assert power == pytest.approx(exact, abs=5e-5)
    assert target.power_of_groups(n, *shares, p, q) == pytest.approx(formula, abs=5e-5)


def test_direct_answers_of_all_and_of_nobody_are_always_told_apart() -> None:
    assert target.power_of_groups(100, 0.0, 1.0, *PLAIN_TRUTH) == 1
    assert target.power_of_groups(1, 0.0, 1.0, *PLAIN_TRUTH) == 0


def test_only_the_reports_about_a_box_count_for_its_power() -> None:
    boxes = SampledChecks.at(Decimal(1), options=8, asked=2)
    alone = target.respondents_to_tell(0.3, 0.1, float(boxes.p), float(boxes.q), 0.8)
    planned = plan_groups(boxes, Groups(0.3, 0.1))["respondents_per_group"]
    assert planned == pytest.approx(4 * alone, abs=4)
    there = plan_groups(boxes, Groups(0.3, 0.1, respondents=planned))
    assert there["power"] == pytest.approx(0.8, abs=1e-3)


def test_a_hopeless_power_still_takes_one_respondent() -> None:
    assert per_group("1", 0.3, 0.25, power=0.001) == 1


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.0, float("nan"), float("inf")])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    with pytest.raises(Refusal, match="margin must be between 0 and 1, both excluded"):
        Target(margin=margin)


@pytest.mark.parametrize("n", [0, -1, 2.5, True, float("inf"), float("nan"), 10**16])
def test_a_number_of_respondents_that_is_none_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="respondents must be an integer"):
        Target(respondents=n)


@pytest.mark.parametrize("share", [-0.01, 1.01, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(Refusal, match="share must be between 0 and 1"):
        Target(respondents=5, share=share)
    with pytest.raises(Refusal, match="share must be between 0 and 1"):
        Groups(share, 0.5)
    with pytest.raises(Refusal, match="share must be between 0 and 1"):
        target.power_of_groups(5, 0.5, share, *channel("1"))


@pytest.mark.parametrize("power", [0.0, 1.0, float("nan")])
def test_a_power_that_is_none_is_refused(power: float) -> None:
    with pytest.raises(Refusal, match="power must be between 0 and 1, both excluded"):
        per_group("1", 0.3, 0.25, power)


def test_two_equal_shares_cannot_be_told_apart() -> None:
    with pytest.raises(Refusal, match=r"the two shares must differ, got 0\.3 twice"):
        Groups(0.3, 0.3)


def test_a_margin_that_would_take_more_than_everybody_is_refused() -> None:
    with pytest.raises(Refusal, match="more than 1000000000000000 respondents"):
        respondents("0.01", 1e-9)
    # Its square underflows to zero.
    with pytest.raises(Refusal, match="more than 1000000000000000 respondents"):
        respondents("1", 1e-308)
    with pytest.raises(Refusal, match="more than 1000000000000000 respondents"):
        per_group("1", 0.0, 1e-308)
