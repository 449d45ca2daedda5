"""Which groups may be shown: neither a group nor the rest outside the groups is small."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.surveys.disclosure import (
    LEAST_IN_GROUP,
    Sizes,
    groups_to_show,
    partition_groups,
    partition_sizes,
)

some_sizes = st.dictionaries(st.sampled_from(["", "a", "b", "c", "d", "e"]), st.integers(0, 70))


@given(some_sizes)
def test_neither_a_group_nor_the_rest_outside_the_groups_is_small(sizes: Sizes) -> None:
    members = partition_groups(sizes)
    assert sorted(each for part in members.values() for each in part) == sorted({"", *sizes})
    without, groups = (
        partition_sizes(sizes)[""],
        {k: n for k, n in partition_sizes(sizes).items() if k},
    )
    assert all(n >= LEAST_IN_GROUP for n in groups.values())
    assert not groups or without == 0 or without >= LEAST_IN_GROUP
    assert without + sum(groups.values()) == sum(sizes.values())


@given(some_sizes)
def test_no_group_is_dissolved_without_need(sizes: Sizes) -> None:
    """With the largest that was joined taken out again, it or what is left would be too few."""
    joined = [name for name in partition_groups(sizes)[""] if name]
    if not joined:
        return
    largest = max(joined, key=lambda name: (sizes[name], name))
    left = partition_sizes(sizes)[""] - sizes[largest]
    assert sizes[largest] < LEAST_IN_GROUP or 0 < left < LEAST_IN_GROUP


@given(some_sizes)
def test_what_is_merged_need_not_be_merged_again(sizes: Sizes) -> None:
    assert partition_groups(partition_sizes(sizes))[""] == ("",)


@given(some_sizes)
def test_the_first_snapshot_shows_no_group_that_is_merged(sizes: Sizes) -> None:
    shown = groups_to_show(sum(sizes.values()), sizes, {}, {})
    assert {name for name in shown if name} <= partition_groups(sizes).keys()


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"": 0, "arm-a": 19, "arm-b": 40}, {"": 59}),
        ({"": 1, "arm-a": 19, "arm-b": 40}, {"": 20, "arm-b": 40}),
        ({"": 0, "arm-a": 20, "arm-b": 40}, {"": 0, "arm-a": 20, "arm-b": 40}),
        ({"": 5, "arm-a": 20, "arm-b": 40}, {"": 25, "arm-b": 40}),
        ({"": 5, "arm-a": 0}, {"": 5}),
    ],
)
def test_whom_a_small_group_joins(sizes: Sizes, expected: Sizes) -> None:
    assert partition_sizes(sizes) == expected
