"""Two boxes of one question, and boxes against a question."""

from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest

from client.core.mechanisms import PrivateSet, SampledChecks
from client.core.primitives.refusal import Refusal
from estimators.cross.independence import independence_of_pairs
from estimators.cross.joint import joint_of_boxes
from estimators.cross.pairs import Pairs
from estimators.mechanisms.private_set import PrivateSetAnalysis
from estimators.mechanisms.sampled_checks import SampledChecksAnalysis
from tests.support.cross_samples import channel


@pytest.mark.parametrize(("options", "at_most", "size"), [(6, 2, 3), (5, 2, 2)])
def test_the_score_of_two_ticked_boxes_is_unbiased_for_every_truth(
    options: int, at_most: int, size: int
) -> None:
    mechanism = PrivateSet.at(Decimal("1.3"), options=options, at_most=at_most, size=size)
    analysis = PrivateSetAnalysis(mechanism)
    reports = analysis.reports()
    scores = analysis.pair_scores(reports, 0, 1)
    sizes = range(at_most + 1)
    for truth in [list(c) for count in sizes for c in combinations(range(options), count)]:
        chances = np.array([float(chance) for chance in analysis.chances(reports, truth)])
        expected = float(0 in truth and 1 in truth)
        assert chances @ scores == pytest.approx(expected, abs=1e-13), truth


def test_sets_of_one_item_do_not_tell_two_boxes_together() -> None:
    analysis = PrivateSetAnalysis(PrivateSet.at(Decimal(1), options=5, at_most=2, size=1))
    with pytest.raises(Refusal, match="sets of at least two items"):
        analysis.pair_scores(analysis.reports(), 0, 1)


def test_expected_reports_of_two_boxes_give_their_table() -> None:
    analysis = PrivateSetAnalysis(PrivateSet.at(Decimal(2), options=5, at_most=3, size=3))
    reports = analysis.reports()
    truths = [([], 0.3), ([0], 0.2), ([1], 0.1), ([0, 1], 0.25), ([0, 1, 2], 0.15)]
    chances = sum(part * np.array(analysis.chances(reports, t), float) for t, part in truths)
    joint = joint_of_boxes(
        10_000 * np.asarray(chances),
        analysis.pair_scores(reports, 0, 1),
        analysis.report_scores(reports)[:, [0, 1]],
    )
    assert joint.cells == pytest.approx(np.array([[0.3, 0.1], [0.2, 0.4]]), abs=1e-12)
    assert joint.rows == pytest.approx([0.4, 0.6], abs=1e-12)
    assert joint.columns == pytest.approx([0.5, 0.5], abs=1e-12)
    # Cells and margins vary together as sums do.
    sums = np.array([1.0, 1, 0, 0, -1, 0, 0, 0])
    assert joint.variance(sums) == pytest.approx(0, abs=1e-15)


def test_boxes_asked_one_at_a_time_are_tested_one_by_one() -> None:
    analysis = SampledChecksAnalysis(SampledChecks.at(Decimal(1), options=3, asked=1))
    boxes = analysis.report_scores(analysis.reports())
    other = channel("ss", "1", options=4, size=1).scores
    counts = np.random.default_rng(4).integers(5, 50, (len(boxes), 4)).astype(float)
    found = independence_of_pairs(Pairs(counts, boxes, other))
    single = [
        independence_of_pairs(
            Pairs(counts[2 * box : 2 * box + 2], boxes[2 * box :][:2, [box]], other)
        )
        for box in range(3)
    ]
    assert found.statistic == pytest.approx(sum(test.statistic for test in single))
    assert found.df == sum(test.df for test in single) == 9
    swapped = independence_of_pairs(Pairs(counts.T, other, boxes))
    assert swapped.statistic == pytest.approx(found.statistic)


def test_a_box_that_a_report_does_not_hold_counts_as_average() -> None:
    analysis = SampledChecksAnalysis(SampledChecks.at(Decimal(2), options=3, asked=2))
    boxes = analysis.report_scores(analysis.reports())
    other = channel("ss", "1", options=3, size=1).scores
    counts = np.random.default_rng(6).integers(0, 30, (len(boxes), 3))
    rows = [(i, j) for i, j in np.ndindex(*counts.shape) for _ in range(counts[i, j])]
    first, second = boxes[[i for i, _ in rows]], other[[j for _, j in rows]]
    first = np.nan_to_num(first - np.nanmean(first, axis=0))
    second = second - second.mean(axis=0)
    n = len(rows)
    together = first.T @ second / n
    inverses = [np.linalg.pinv(side.T @ side / n) for side in (first, second)]
    expected = n * np.trace(inverses[0] @ together @ inverses[1] @ together.T)
    found = independence_of_pairs(Pairs(counts.astype(float), boxes, other))
    assert found.statistic == pytest.approx(expected)
    assert found.df == 6
