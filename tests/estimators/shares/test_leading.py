"""The set that holds the largest share: its members by hand."""

from decimal import Decimal

import numpy as np
import pytest

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    SampledChecks,
    SubsetSelection,
    TwoLevel,
)
from estimators.counting.tally import Tally
from estimators.shares import leading
from estimators.shares.leading import LEAST_REPORTS, best_options
from estimators.shares.spread import Array
from tests.support.analyses import check_estimates, choice_estimates

ONE, TWO, FOUR = map(Decimal, (1, 2, 4))
COUNTS = (250, 230, 200, 180, 170, 170)


def test_the_worked_example_has_two_members() -> None:
    mechanism = SubsetSelection.at(ONE, options=6, size=2)
    found = choice_estimates(mechanism, Tally.of_cells(COUNTS, 2))
    assert found.difference_errors(0)[1] == pytest.approx(0.108532, abs=5e-7)
    assert found.leaders().options == (0, 1)
    assert found.leaders(0.999).options == (0, 1, 2)
    # 0.453 - 0.167 is 2.706 sd: above the quantile 2.326 of 95 %, below the 3.540 of 99.9 %.
    gap = found.shares[0] - found.shares[2]
    assert gap / found.difference_errors(0)[2] == pytest.approx(2.706, abs=5e-4)


@pytest.mark.parametrize(
    ("mechanism", "counts"),
    [
        (SubsetSelection.at(ONE, options=6, size=2), COUNTS),
        (HadamardResponse.at(ONE, options=5), (90, 140, 120, 110, 130, 95, 105, 125)),
    ],
    ids=["ss", "hr"],
)
def test_the_errors_of_differences_are_those_of_the_whole_covariance(
    mechanism: TwoLevel, counts: tuple[int, ...]
) -> None:
    found = choice_estimates(mechanism, Tally.of_cells(counts, mechanism.marks))
    whole = found.covariance().population
    own = np.diag(whole)
    wanted = np.sqrt(np.add.outer(own, own) - 2 * whole)
    for option in range(len(own)):
        others = np.arange(len(own)) != option
        assert found.difference_errors(option)[others] == pytest.approx(wanted[option, others])


def test_hadamard_covariances_are_those_of_the_formula() -> None:
    """(1/alpha^2 - pi_v^2)/n and (pi_t/alpha - pi_u pi_v)/n with n - 1 instead of n, alpha = 2a."""
    mechanism = HadamardResponse.at(ONE, options=5)
    found = choice_estimates(mechanism, Tally.of_cells((90, 140, 120, 110, 130, 95, 105, 125)))
    alpha, pi, n = float(2 * mechanism.alpha), found.shares, found.n
    # Options 1 and 3 have rows 2 and 4; row 2 xor 4 = 6 belongs to no option.
    assert found.difference_errors(1)[3] ** 2 == pytest.approx(
        (2 / alpha**2 - (pi[1] - pi[3]) ** 2) / (n - 1)
    )
    # Rows 1 and 2: row 3 is option 2.
    assert found.difference_errors(0)[1] ** 2 == pytest.approx(
        (2 / alpha**2 - (pi[0] - pi[1]) ** 2 - 2 * pi[2] / alpha) / (n - 1)
    )


def test_boxes_asked_one_at_a_time_are_independent() -> None:
    found = check_estimates(
        SampledChecks.at(ONE, options=3, asked=1), Tally((40, 60, 55, 45, 30, 60), 290)
    )
    lam, asked = found.reported_shares, found.asked
    own = lam * (1 - lam) / ((asked - 1) * (found.p - found.q) ** 2)
    assert found.difference_errors(0)[1] == pytest.approx((own[0] + own[1]) ** 0.5)


def test_private_sets_have_the_largest_error_that_any_joint_share_gives() -> None:
    mechanism = PrivateSet.at(ONE, options=4, at_most=2, size=2)
    found = check_estimates(mechanism, Tally((300, 260, 220, 200, 120, 100), 600))
    whole = found.noise_variances + found.sampling_variances
    first, second = found.clipped()[:2]
    for both in np.linspace(max(first + second - 1, 0), min(first, second), 21).tolist():
        pair = found.channel.spread_of_pairs(
            np.array([first, second]), np.array([[first, both], [both, second]])
        )[0, 1]
        variance = whole[0] + whole[1] - 2 * pair / found.n
        assert found.difference_errors(0)[1] >= variance**0.5 - 1e-12


def test_options_with_few_reports_stay_and_exclude_nothing() -> None:
    mechanism = SampledChecks.at(TWO, options=3, asked=1)
    few = LEAST_REPORTS - 1
    found = check_estimates(mechanism, Tally((0, 500, 500, 0, few, 0), 1000 + few))
    assert found.leaders().options == (0, 2)
    unasked = check_estimates(mechanism, Tally((0, 500, 500, 0, 0, 0), 1000))
    assert unasked.leaders().options == (0, 2)
    enough = check_estimates(mechanism, Tally((0, 500, 500, 0, few + 1, 0), 1001 + few))
    assert enough.leaders().options == (0,)


def test_long_lists_compare_with_the_largest_estimates_only_and_keep_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shares, asked = np.array([0.1, 0.4, 0.3, 0.2]), np.full(4, 100)
    # Only the second largest is known well enough to exclude anything.
    errors = {1: 1.0, 2: 0.01, 3: 1.0, 0: 1.0}

    def errors_of(option: int) -> Array:
        return np.full(4, errors[option])

    assert best_options(shares, asked, errors_of, 0.95) == (1, 2)
    monkeypatch.setattr(leading, "MOST_COMPARED", 1)
    assert best_options(shares, asked, errors_of, 0.95) == (1, 2, 3, 0)
