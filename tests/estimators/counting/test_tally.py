"""Tallies: reports counted per cell, valid from birth."""

import pytest

from client.core.mechanisms import RandomizedResponse
from client.core.primitives.refusal import Refusal
from estimators.counting.tally import Tally

MECHANISM = RandomizedResponse(threshold=3 * 2**30)


def test_reports_are_counted_in_the_cells_that_the_mechanism_names() -> None:
    assert Tally.of_reports(MECHANISM, [1, 0, 1, 1]) == Tally((1, 3), 4)


def test_no_reports_are_an_empty_tally() -> None:
    assert Tally.of_reports(MECHANISM, []) == Tally((0, 0), 0)


def test_counts_of_single_cells_sum_to_n() -> None:
    assert Tally.of_cells([569, 431]).n == 1000


def test_a_report_may_add_to_several_cells() -> None:
    assert Tally((5, 5, 5), 5).n == 5


@pytest.mark.parametrize("counts", [(-1, 2), (1.0, 2), (True, 2), (float("nan"), 2)])
def test_a_count_that_is_no_natural_number_is_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(Refusal, match="counts must be integers of at least 0"):
        Tally.of_cells(counts)
    with pytest.raises(Refusal, match="counts must be integers from 0 to n"):
        Tally(counts, 10)


def test_a_cell_with_more_reports_than_there_are_is_refused() -> None:
    with pytest.raises(Refusal, match="counts must be integers from 0 to n = 5, got 6"):
        Tally((6, 0), 5)


@pytest.mark.parametrize("n", [-1, 1.0, True, None])
def test_an_n_that_is_no_natural_number_is_refused(n: int) -> None:
    with pytest.raises(Refusal, match="n must be an integer of at least 0"):
        Tally((0, 0), n)


def test_a_tally_without_cells_is_refused() -> None:
    with pytest.raises(Refusal, match="at least one cell"):
        Tally((), 0)
