"""Which groups are told apart, so that nobody reads a small crowd out of results.

In a snapshot neither a shown group nor the rest beside all shown ones is smaller than the public's
minimum, and from one to the next neither a group nor the rest changes by fewer reports than that.
Those who run a survey see no group, and no rest beside the groups, of fewer than LEAST_IN_GROUP.
"""

from collections.abc import Mapping

from server.store.disclosure.milestones import MINIMUM

# A smaller group would be nearly a name: it is not made, not told apart, and dissolved at closing.
LEAST_IN_GROUP = 20

# By the names of groups how many reports they have; '' are those whose link has no group.
Sizes = Mapping[str, int]


def groups_to_show(n: int, sizes: Sizes, shown: Sizes, last: Sizes) -> Sizes:
    """The groups to show of n reports, each as it is now or as it was shown before.

    `last` are the sizes at the last snapshot, also of those groups that it did not show.
    """
    growth = {name: size - shown.get(name, 0) for name, size in sizes.items()}
    largest_first = sorted(growth, key=lambda name: (growth[name], name), reverse=True)
    renewed = [name for name in largest_first if growth[name] >= MINIMUM]

    def is_too_few() -> bool:
        rest = n - sum(shown.values()) - sum(growth[name] for name in renewed)
        came = sum(size - last.get(name, 0) for name, size in sizes.items() if name not in renewed)
        left = sum(last.get(name, 0) - shown.get(name, 0) for name in renewed)
        return 0 < rest < MINIMUM or 0 < came + left < MINIMUM

    # With none renewed, all new reports come to the rest, and they are a crowd.
    while renewed and is_too_few():
        renewed.pop()
    return {**shown, **{name: sizes[name] for name in renewed}}


def told_apart(sizes: Sizes) -> Mapping[str, tuple[str, ...]]:
    """By the name of each group that may be told apart, the groups that are counted to it.

    Small ones are counted to those without a group. If these are then still too few, the smallest
    of the others join them, until they are enough or no group is left.
    """
    smallest_first = sorted((name for name in sizes if name), key=lambda name: (sizes[name], name))
    joined, without = [""], sizes.get("", 0)
    for name in smallest_first:
        if sizes[name] >= LEAST_IN_GROUP and not 0 < without < LEAST_IN_GROUP:
            break
        joined.append(name)
        without += sizes[name]
    return {"": tuple(joined)} | {name: (name,) for name in sorted(sizes.keys() - set(joined))}


def sizes_told_apart(sizes: Sizes) -> Sizes:
    """How many reports each group has that may be told apart, with those that are counted to it."""
    members = told_apart(sizes)
    return {name: sum(sizes.get(each, 0) for each in members[name]) for name in members}
