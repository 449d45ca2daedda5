"""One test for all groups: Pearson's for single options, with the right level for sets."""

from decimal import Decimal

import numpy as np
import pytest
from scipy import stats

from client.core.mechanisms import SlidingWindow, SubsetSelection
from estimators.compare.omnibus import chi_square, filled_bins, pearson, shares_together
from estimators.compare.samples import Outcome, ShareSample
from estimators.compare.two_shares import pooled_z
from estimators.counting.tally import Tally
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.mechanisms.subset_selection import SubsetSelectionAnalysis
from estimators.ordinal.em import channel_matrix

TABLE = ([30, 25, 45, 20], [60, 40, 30, 50])


def selection_test(mechanism: SubsetSelection, tallies: list[Tally]) -> Outcome:
    analysis = SubsetSelectionAnalysis(mechanism)
    cells = zip(*(tally.counts for tally in tallies), strict=True)
    sizes = np.array([float(tally.n) for tally in tallies])
    pooled = analysis.estimates(Tally(tuple(map(sum, cells)), int(sizes.sum())))
    values = np.array([analysis.estimates(tally).shares for tally in tallies])
    return chi_square(values, sizes, (pooled.n - 1) * pooled.covariance().population)


def test_with_one_option_per_report_the_test_is_pearsons() -> None:
    mechanism = SubsetSelection.at(Decimal(1), options=4, size=1)
    found = selection_test(mechanism, [Tally.of_cells(row) for row in TABLE])
    wanted = stats.chi2_contingency(np.array(TABLE), correction=False)
    for test in (found, pearson(np.array(TABLE, dtype=np.float64))):
        assert test.statistic == pytest.approx(18.040293, abs=5e-7)
        assert test.df == 3
        assert test.p_value == pytest.approx(wanted.pvalue)


def test_two_groups_and_one_option_give_the_square_of_the_score_test() -> None:
    first, second = ShareSample(180, 400, 0.75, 0.25), ShareSample(110, 300, 0.75, 0.25)
    test = shares_together([first, second])
    assert test.df == 1
    assert test.statistic == pytest.approx(pooled_z(first, second) ** 2)


def test_different_channels_are_tested_at_the_common_share() -> None:
    generator = np.random.Generator(np.random.SFC64(4))
    channels = ((0.75, 0.25), (0.9, 0.1), (0.6, 0.4))
    rejected = 0
    for _ in range(1_000):
        samples = [
            ShareSample(int(generator.binomial(200, q + (p - q) * 0.3)), 200, p, q)
            for p, q in channels
        ]
        test = shares_together(samples)
        assert test.df == 2
        rejected += test.p_value < 0.05
    # Four standard errors of 1,000 draws are 0.028.
    assert abs(rejected / 1_000 - 0.05) < 0.028


def test_bins_hold_about_as_many_reports_each_and_lose_none() -> None:
    generator = np.random.Generator(np.random.SFC64(6))
    table = generator.poisson(20, size=(3, 70)).astype(np.float64)
    joined = filled_bins(table)
    assert joined.shape == (3, 10)
    assert joined.sum(axis=1).tolist() == table.sum(axis=1).tolist()
    assert joined.sum(axis=0) == pytest.approx(np.full(10, table.sum() / 10), rel=0.15)


def test_the_shape_of_numbers_is_tested_at_the_right_level_and_differences_are_found() -> None:
    window = SlidingWindowAnalysis(SlidingWindow.at(Decimal(1), top=60, width=30))
    generator = np.random.Generator(np.random.SFC64(9))
    levels = np.arange(61)
    one, two = (np.exp(-np.abs(levels - middle) / 8.0) for middle in (30, 30))
    # The same mean and another shape: half at either end.
    other = np.exp(-np.minimum(levels, 60 - levels) / 4.0)
    matrix = channel_matrix(window)
    rejected = {}
    for name, pair in {"same": (one, two), "other": (one, other)}.items():
        tables = [
            generator.multinomial(n, matrix @ (shares / shares.sum()), size=1_000)
            for n, shares in zip((800, 500), pair, strict=True)
        ]
        found = [
            pearson(filled_bins(np.array(table, float))) for table in zip(*tables, strict=True)
        ]
        assert all(test.df == 9 for test in found)
        rejected[name] = np.mean([test.p_value < 0.05 for test in found])
    # Four standard errors of 1,000 draws are 0.028.
    assert abs(rejected["same"] - 0.05) < 0.028
    assert rejected["other"] > 0.9


def test_columns_that_nobody_sent_do_not_count() -> None:
    test = pearson(np.array([[10.0, 0, 20], [15, 0, 15]]))
    assert test.df == 1
    assert not test.small_counts
    assert pearson(np.array([[10.0, 1], [15, 1]])).small_counts
    assert pearson(np.array([[10.0, 0], [15, 0]])).p_value == 1
