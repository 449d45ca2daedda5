"""The crowds that published figures leave: the minimum cut, against every combination."""

import random
from itertools import product
from math import exp

import numpy as np
import pytest
from scipy import stats

from server.surveys.crowd import (
    REST,
    Parts,
    edges_of,
    hiding_crowd,
    isolates,
)
from tests.estimators.published.test_readers import yes_no_bound

COEFFICIENTS = range(-2, 3)


def figures_of(parts: Parts) -> list[list[bool]]:
    """Return for every published figure which parts it counts: all until then."""
    totals = {total for total, _ in parts if total is not None}
    blocks = {block for _, block in parts if block is not None}
    return [
        *([total is not None and total <= last for total, _ in parts] for last in totals),
        *(
            [block is not None and block[0] == name and block[1] <= last for _, block in parts]
            for name, last in blocks
        ),
    ]


def fewest_involved(parts: Parts) -> int:
    """Try all combinations of all figures; return the fewest reports that one involves, or 0."""
    figures = np.array(figures_of(parts), dtype=np.int64)
    chosen = np.array(list(product(COEFFICIENTS, repeat=len(figures))))
    involved = (chosen @ figures != 0) @ np.array(list(parts.values()))
    return int(min(involved[involved > 0], default=0))


def random_parts(seed: int) -> Parts:
    """Return one to three totals and one or two groups, some published twice or never."""
    draw = random.Random(seed)
    totals = [*range(draw.randint(1, 3)), None]
    blocks = [(name, number) for name in "ab"[: draw.randint(1, 2)] for number in range(2)]
    kept = [*draw.sample(blocks, draw.randint(1, min(3, len(blocks)))), None]
    return {
        (total, block): draw.choice((0, 0, 1, draw.randint(1, 90)))
        for total, block in product(totals, kept)
    }


@pytest.mark.parametrize("seed", range(200))
def test_no_combination_of_figures_involves_fewer_reports_than_the_cut(seed: int) -> None:
    parts = random_parts(seed)
    fewest, edges = fewest_involved(parts), edges_of(parts)
    for minimum in (1, fewest, fewest + 1, 20, 50):
        assert isolates(edges, minimum) is (0 < fewest < minimum)


def test_the_latecomer_of_a_group_is_a_crowd_of_one() -> None:
    """50 = a10 b40; then c25 d25; then c50 d49 b1, with c and d shown at the end."""
    parts: Parts = {
        (0, None): 50,
        **{(1, ("c", 0)): 25, (1, ("d", 0)): 25},
        **{(2, ("c", 0)): 50, (2, ("d", 0)): 49, (2, None): 1},
    }
    assert isolates(edges_of(parts), 2)
    assert hiding_crowd(parts) is None


def test_reports_in_no_figure_are_in_no_crowd() -> None:
    assert edges_of({(None, None): 7, (0, None): 60}) == {(0, REST): 60}
    assert not isolates({}, 50)
    assert hiding_crowd({(0, None): 0}) is None


def test_the_cut_is_not_a_crowd_that_hides_but_the_smallest_part_is() -> None:
    """Two totals, two groups, 20 reports in each of the four parts; everybody answers no."""
    each, whole, epsilon = 20, 1.0, 0.4
    parts: Parts = {(total, (name, 0)): each for total in (0, 1) for name in "ab"}
    cut = 2 * each
    assert isolates(edges_of(parts), cut + 1)
    assert not isolates(edges_of(parts), cut)
    exact = delta_of_square(each, whole, epsilon)
    assert exact == pytest.approx(0.00372, abs=5e-6)
    assert yes_no_bound(cut, whole, epsilon) < exact <= yes_no_bound(each, whole, epsilon)


def test_of_overlapping_totals_and_groups_the_smallest_part_is_claimed() -> None:
    parts: Parts = {(total, (name, 0)): 30 + total for total in (0, 1) for name in "ab"}
    assert not isolates(edges_of(parts), 60)
    assert hiding_crowd(parts) == 30


def delta_of_square(each: int, whole: float, epsilon: float) -> float:
    """Return what the four sums of a square tell of one report that says yes instead of no."""
    flip = 1 / (1 + exp(whole))
    others = stats.binom.pmf(np.arange(each), each - 1, flip)
    own = [np.convolve(others, [1 - chance, chance]) for chance in (1 - flip, flip)]
    rest = stats.binom.pmf(np.arange(each + 1), each, flip)
    counts = np.indices([each + 1] * 4).reshape(4, -1)
    sums = counts + np.roll(counts, -1, axis=0)
    _, place = np.unique(np.array([1, 100, 10_000, 0]) @ sums, return_inverse=True)
    beside = rest[counts[1]] * rest[counts[2]] * rest[counts[3]]
    yes, no = (np.bincount(place, beside * chances[counts[0]]) for chances in own)
    return max(
        float(np.maximum(one - exp(epsilon) * other, 0).sum())
        for one, other in ((yes, no), (no, yes))
    )
