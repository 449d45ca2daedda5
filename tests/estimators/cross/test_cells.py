"""Cells, margins and their covariance, against published figures and by enumeration."""

import numpy as np
import pytest

from estimators.cross.cells import cells_of_joint, cells_of_pairs
from estimators.cross.joint import joint_of_pairs
from estimators.cross.pairs import Pairs, count_pairs
from estimators.shares.spread import Array
from tests.support.cross_samples import Channel, channel

KEEP = np.array([[0.8, 0.2], [0.2, 0.8]])
SCORES = np.linalg.inv(KEEP).T
# Published counts of two yes/no answers, each kept with the chance 0.8.
PUBLISHED = np.array([[68.0, 52.0], [103.0, 189.0]])


def published() -> Pairs:
    return Pairs(PUBLISHED, SCORES, SCORES)


def test_published_counts_give_the_published_cells_and_errors() -> None:
    joint = joint_of_pairs(published())
    assert joint.cells.ravel() == pytest.approx(
        [0.17718447, -0.02508091, 0.18122977, 0.66666667], abs=5e-9
    )
    errors = np.sqrt(np.diag(joint.covariance)[:4])
    assert errors == pytest.approx([0.0372477, 0.0357258, 0.0463262, 0.0513029], abs=5e-8)


def test_the_covariance_is_that_of_the_counts_through_both_channels() -> None:
    joint, n = joint_of_pairs(published()), PUBLISHED.sum()
    shares = PUBLISHED.ravel() / n
    inverse = np.kron(np.linalg.inv(KEEP), np.linalg.inv(KEEP))
    expected = inverse @ (np.diag(shares) - np.outer(shares, shares)) @ inverse.T / (n - 1)
    assert joint.covariance[:4, :4] == pytest.approx(expected, abs=1e-15)


def test_cells_add_up_to_the_margins_if_scores_add_up_to_one() -> None:
    joint = joint_of_pairs(published())
    assert joint.cells.sum(axis=1) == pytest.approx(joint.rows, abs=1e-14)
    assert joint.cells.sum(axis=0) == pytest.approx(joint.columns, abs=1e-14)


def test_cells_one_by_one_are_those_of_the_whole_table() -> None:
    one_by_one, whole = cells_of_pairs(published()), cells_of_joint(joint_of_pairs(published()))
    for name in vars(one_by_one):
        if name != "error":
            assert getattr(one_by_one, name) == pytest.approx(getattr(whole, name), abs=1e-15), name


@pytest.mark.parametrize("both", [0.05, 0.2])
def test_the_variance_of_two_yes_no_questions_is_the_formula(both: float) -> None:
    first, second = channel("rr", "0.7"), channel("rr", "1.9")
    truth = np.array([[1 - 0.3 - 0.4 + both, 0.4 - both], [0.3 - both, both]])
    v1, v2 = (_noise(part) for part in (first, second))
    expected = v1 * v2 + v1 * 0.4 + v2 * 0.3 + both - both**2
    assert _exact_variance(first, second, truth)[1, 1] == pytest.approx(expected, abs=1e-13)


def _noise(part: Channel) -> float:
    """Return the variance of a yes, given that it is the truth."""
    chances, scores = part.chances[:, 1], part.scores[:, 1]
    return float(chances @ scores**2 - (chances @ scores) ** 2)


def _exact_variance(first: Channel, second: Channel, truth: Array) -> Array:
    """Enumerate all pairs of reports: the variance of each product of scores."""
    chances = first.chances @ truth @ second.chances.T
    mean = first.scores.T @ chances @ second.scores
    found: Array = (first.scores**2).T @ chances @ second.scores**2 - mean**2
    return found


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (channel("ss", "1", options=5, size=2), channel("rr", "2")),
        (channel("hr", "1", options=5), channel("ss", "1", options=4, size=1)),
        (channel("rt", "1", top=4), channel("isw", "2", top=6, width=3)),
    ],
)
def test_expected_counts_give_the_truth_and_the_exact_variance(
    first: Channel, second: Channel
) -> None:
    rows, columns = first.chances.shape[1], second.chances.shape[1]
    truth = np.random.default_rng(5).dirichlet(np.ones(rows * columns)).reshape(rows, columns)
    n = 10_000
    pairs = Pairs(n * (first.chances @ truth @ second.chances.T), first.scores, second.scores)
    joint = joint_of_pairs(pairs)
    assert joint.cells == pytest.approx(truth, abs=1e-12)
    assert joint.rows == pytest.approx(truth.sum(axis=1), abs=1e-12)
    exact = _exact_variance(first, second, truth) / (pairs.n - 1)
    assert cells_of_joint(joint).variance == pytest.approx(exact, rel=1e-9)
    assert cells_of_pairs(pairs).variance == pytest.approx(exact, rel=1e-9)


def test_a_sparse_count_of_pairs_gives_the_same_table(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    codes, others = draw.integers(-1, 10, 500), draw.integers(-1, 6, 500)
    first = channel("ss", "1", options=5, size=2).scores
    second = channel("ss", "1", options=6, size=1).scores
    full = count_pairs(codes, others, (10, 6))
    monkeypatch.setattr("estimators.cross.pairs.MOST_FULL", 1)
    monkeypatch.setattr("estimators.cross.pairs.AT_ONCE", 100)
    sparse = count_pairs(codes, others, (10, 6))
    assert sparse.toarray().tolist() == full.tolist()
    assert full.sum() == ((codes >= 0) & (others >= 0)).sum()
    found = joint_of_pairs(Pairs(sparse, first, second))
    expected = joint_of_pairs(Pairs(full, first, second))
    assert found.cells == pytest.approx(expected.cells, abs=1e-14)
    assert found.covariance == pytest.approx(expected.covariance, abs=1e-14)


def test_shares_of_columns_are_shares_of_rows_of_the_turned_table() -> None:
    pairs = published()
    turned = Pairs(pairs.counts.T, pairs.second, pairs.first)
    shares = cells_of_pairs(pairs).column_shares(1.96)
    expected = cells_of_pairs(turned).row_shares(1.96)
    for name in ("value", "low", "high"):
        assert getattr(shares, name) == pytest.approx(getattr(expected, name).T)
