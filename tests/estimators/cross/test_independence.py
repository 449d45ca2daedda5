"""The test of independence: Pearson's chi-square where there is one, and its degrees of freedom."""

import numpy as np
import pytest
from scipy import stats

from estimators.cross.independence import independence_of_pairs
from estimators.cross.pairs import Pairs
from tests.estimators.cross.test_cells import PUBLISHED, published
from tests.support.cross_samples import channel, samples


def test_published_counts_give_the_published_statistic() -> None:
    found = independence_of_pairs(published())
    assert round(found.statistic, 6) == 16.031683
    assert found.df == 1
    assert found.statistic == pytest.approx(stats.chi2_contingency(PUBLISHED, correction=False)[0])


def test_of_two_questions_with_one_option_per_report_it_is_pearsons() -> None:
    first, second = channel("ss", "1", options=4, size=1), channel("ss", "2", options=3, size=1)
    counts = np.random.default_rng(2).integers(5, 60, (4, 3)).astype(float)
    found = independence_of_pairs(Pairs(counts, first.scores, second.scores))
    pearson = stats.chi2_contingency(counts, correction=False)
    assert found.statistic == pytest.approx(pearson.statistic)
    assert found.df == pearson.dof == 6
    assert found.p_value == pytest.approx(pearson.pvalue)


@pytest.mark.parametrize(
    ("name", "shape", "rank"),
    [
        ("ss", {"options": 5, "size": 2}, 4),
        # Scores of Hadamard response do not add up to one, so none of them is superfluous.
        ("hr", {"options": 5}, 5),
        ("rt", {"top": 4}, 4),
        ("isw", {"top": 6, "width": 3}, 6),
    ],
)
def test_degrees_of_freedom_are_the_product_of_the_ranks(
    name: str, shape: dict[str, int], rank: int
) -> None:
    first, second = channel(name, "1", **shape), channel("ss", "1", options=3, size=1)
    options = first.chances.shape[1]
    truth = np.full((options, 3), 1 / (3 * options))
    (pairs,) = samples(first, second, truth, 4_000, 1, seed=8)
    assert independence_of_pairs(pairs).df == rank * 2


def test_nothing_is_tested_if_all_reports_are_equal() -> None:
    found = independence_of_pairs(
        Pairs(np.array([[40.0, 60.0], [0.0, 0.0]]), published().first, published().second)
    )
    assert (found.df, found.p_value) == (0, None)
