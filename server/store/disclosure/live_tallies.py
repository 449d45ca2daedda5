"""What those who run a survey see of it: the tallies at this moment, small groups not told apart.

Nothing at all where nobody may read anything yet.
"""

from sqlite_utils import Database

from client.core.primitives.refusal import require
from server.store import reading
from server.store.disclosure.small_groups import LEAST_IN_GROUP, sizes_told_apart, told_apart
from server.store.disclosure.snapshots import Snapshot
from server.store.records import Published


def now(db: Database, published: Published, group: str | None = None) -> Snapshot | None:
    """Of all groups, unless one is named."""
    sizes = reading.sizes(db, published) if published.is_readable else {}
    members, together = told_apart(sizes), sizes_told_apart(sizes)
    groups = {name: n for name, n in together.items() if n} if len(members) > 1 else {}
    require(
        group is None or group in groups,
        "unknown_group",
        f"no results are shown of a group {(group or '')[:40]!r}: there is none, or it has fewer "
        f"than {LEAST_IN_GROUP} reports",
        "group",
    )
    if not published.is_readable:
        return None
    n = published.reports if group is None else groups[group]
    tallies = reading.tallies(db, published, None if group is None else members[group])
    return Snapshot(n, tallies, published.reports, groups)
