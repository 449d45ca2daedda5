"""Which groups a snapshot shows, so that nobody reads a small crowd out of it.

Neither a shown group nor the rest beside all shown ones is smaller than the minimum, and from one
snapshot to the next a group changes by no fewer reports than that.
"""

from collections.abc import Mapping

from server.store.milestones import MINIMUM

# By the names of groups how many reports they have.
Sizes = Mapping[str, int]


def groups_to_show(n: int, sizes: Sizes, shown: Sizes) -> Sizes:
    """The groups to show of n reports, each as it is now or as it was shown before."""
    growth = {name: size - shown.get(name, 0) for name, size in sizes.items()}
    renewed = {name for name, more in growth.items() if more >= MINIMUM}
    rest = n - sum(shown.values()) - sum(growth[name] for name in renewed)
    if renewed and 0 < rest < MINIMUM:
        # One that is not renewed is enough: what it grew by is a crowd itself.
        renewed.remove(min(renewed, key=lambda name: (growth[name], name)))
    return {**shown, **{name: sizes[name] for name in renewed}}
