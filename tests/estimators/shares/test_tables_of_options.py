"""The tables of choices and check-boxes, with each figure from the project's own code."""

import math
from decimal import Decimal

import pytest

from client.authoring.draft.mechanism_choice import (
    best_private_set,
    best_subset_selection,
    candidates,
    noise_per_respondent,
)
from client.core.kinds import SHARES
from client.core.mechanisms import HadamardResponse, SampledChecks, SubsetSelection, Supporting
from client.core.primitives.domain import Choice
from estimators.shares.intervals import bonferroni, normal_quantile
from tests.support.rounding import same

# Options, epsilon, GRR, subset selection and its size, Hadamard, the rule's pick with its bits.
TABLE_2A = """
2 0.1 99.92 99.92 1 400.2 rr 1
2 0.5 3.918 3.918 1 16.17 rr 1
2 1 0.9207 0.9207 1 4.183 rr 1
2 2 0.181 0.181 1 1.224 rr 1
2 4 0.01901 0.01901 1 0.576 rr 1
3 0.1 193.5 193.5 1 400.3 ss 2
3 0.5 6.808 6.808 1 16.34 ss 2
3 1 1.453 1.453 1 4.349 ss 2
3 2 0.2577 0.2577 1 1.391 ss 2
3 4 0.02557 0.02557 1 0.7427 ss 2
5 0.1 376.8 261.6 2 400.5 ss 5
5 0.5 11.97 9.892 2 16.47 ss 5
5 1 2.286 2.286 1 4.483 ss 3
5 2 0.3484 0.3484 1 1.524 ss 3
5 4 0.03124 0.03124 1 0.876 ss 3
10 0.1 830.8 324.5 5 400.6 ss 10
10 0.5 24.16 12.63 4 16.57 ss 10
10 1 4.096 2.91 3 4.583 ss 10
10 2 0.5022 0.5022 1 1.624 ss 4
10 4 0.03672 0.03672 1 0.976 ss 4
20 0.1 1736 361.6 10 400.6 ss 20
20 0.5 48.08 14.13 8 16.62 ss 20
20 1 7.541 3.284 5 4.633 ss 20
20 2 0.7628 0.6123 2 1.674 ss 10
20 4 0.04206 0.04206 1 1.026 ss 5
100 0.1 8969 391.7 48 400.7 ss 100
100 0.5 238.3 15.35 38 16.66 ss 100
100 1 34.68 3.6 27 4.673 ss 100
100 2 2.735 0.6998 12 1.714 ss 84
100 4 0.0714 0.06483 2 1.066 ss 14
1000 0.1 9.034e4 398.9 475 400.7 hr 10
1000 0.5 2377 15.64 378 16.67 ss 1000
1000 1 339.5 3.674 269 4.682 ss 1000
1000 2 24.79 0.7216 119 1.723 ss 1000
1000 4 0.385 0.07487 18 1.075 ss 180
10000 0.1 9.040e5 399.6 4750 400.7 hr 14
10000 0.5 2.376e4 15.67 3775 16.67 hr 14
10000 1 3388 3.682 2689 4.683 hr 14
10000 2 245.3 0.7238 1192 1.724 hr 14
10000 4 3.518 0.07591 180 1.076 ss 1022
"""


@pytest.mark.parametrize("row", TABLE_2A.split("\n")[1:-1])
def test_table_2a_of_one_choice(row: str) -> None:
    count, eps, grr, subsets, size, hadamard, pick, bits = row.split()
    options, epsilon = int(count), Decimal(eps)
    single = SubsetSelection.at(epsilon, options=options, size=1)
    best = best_subset_selection(options, epsilon, max_bits=options)
    chosen = candidates(Choice(options), SHARES, epsilon)[0]
    assert same(noise_per_respondent(single), float(grr))
    assert same(noise_per_respondent(best), float(subsets))
    assert best.size == int(size)
    long = HadamardResponse.at(epsilon, options=options)
    assert same(noise_per_respondent(long), float(hadamard))
    assert (chosen.name, chosen.bits) == (pick, int(bits))


@pytest.mark.parametrize(
    ("mechanism", "one_name", "all_names"),
    [
        (SubsetSelection.at(Decimal("0.1"), options=10_000, size=1), 16_468_177, 75_173_733),
        (SubsetSelection.at(Decimal("0.1"), options=10_000, size=4750), 346_231, 1_580_472),
        (HadamardResponse.at(Decimal("0.1"), options=10_000), 346_699, 1_582_606),
    ],
    ids=["grr", "ss", "hr"],
)
def test_table_2b_of_ten_thousand_first_names(
    mechanism: Supporting, one_name: int, all_names: int
) -> None:
    """The table has ideal probabilities; a threshold of 474,662 differs by one part in 10^5."""
    n = 3 * 10**8
    error = math.sqrt(n * noise_per_respondent(mechanism))
    together = normal_quantile(bonferroni(0.95, 10_000)) * error
    assert error == pytest.approx(one_name, rel=2e-5)
    assert together == pytest.approx(all_names, rel=2e-5)


# Options, at most, then per epsilon 0.5, 1, 2: split, sampled checks, private set, its size.
TABLE_3A = """
5 2 99.9 19.9 18.2 1 24.9 4.96 3.59 1 6.17 1.27 0.638 1
5 5 99.9 19.9 30.7 1 24.9 4.96 6.82 1 6.17 1.27 1.53 1
10 3 400 40 35 1 99.9 10 6.65 1 24.9 2.62 1.14 1
10 5 400 40 43.4 1 99.9 10 8.81 1 24.9 2.62 1.73 1
10 10 400 40 64.2 1 99.9 10 14.2 1 24.9 2.62 3.21 1
20 3 1600 80.1 43.3 3 400 20.1 9.35 2 99.9 5.33 1.54 1
20 5 1600 80.1 64.2 2 400 20.1 12.8 1 99.9 5.33 2.13 1
100 5 40000 401 88.3 7 10000 101 20.1 5 2500 27 4.15 2
1000 5 4000000 4010 95.6 73 1000000 1010 22.2 51 250000 271 4.85 23
"""


@pytest.mark.parametrize("row", TABLE_3A.split("\n")[1:-2])
def test_table_3a_of_check_boxes(row: str) -> None:
    """The row of 1000 boxes is more than a survey may have."""
    numbers = row.split()
    options, at_most = int(numbers[0]), int(numbers[1])
    for position, eps in enumerate(("0.5", "1", "2")):
        split, sampled, private, size = numbers[2 + 4 * position : 6 + 4 * position]
        epsilon = Decimal(eps)
        share = epsilon / options
        # Every box by randomized response at its part of epsilon: only for comparison.
        each = math.exp(share) / (math.exp(share) - 1) ** 2
        assert same(each, float(split), 3)
        boxes = SampledChecks.at(epsilon, options=options, asked=1)
        assert same(boxes.noise(0.1), float(sampled), 3)
        sets = best_private_set(options, at_most, epsilon)
        assert same(noise_per_respondent(sets), float(private), 3)
        assert sets.size == int(size)
