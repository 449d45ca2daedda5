"""Which groups a snapshot shows, so that nobody reads a small crowd out of it.

Neither a shown group nor the rest beside all shown ones is smaller than the minimum, and from one
snapshot to the next neither a group nor the rest changes by fewer reports than that.
"""

from collections.abc import Mapping

from server.store.milestones import MINIMUM

# By the names of groups how many reports they have.
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
