"""What may be read of a version: its tallies at this moment, and its reports for an export.

Small groups are not shown separately, and sealed results are not read at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from server.store import reading
from server.store.database import Connection
from server.store.snapshots import Snapshot
from server.surveys.disclosure import LEAST_IN_GROUP, partition_groups, partition_sizes
from server.surveys.records import Published
from server.surveys.states import Change


def read_live(
    db: Connection, slug: str, version: int | None = None, group: str | None = None
) -> tuple[Published, Snapshot | None]:
    """Return a version, by default the newest, and its current tallies, of all groups or of one.

    No tallies while nobody may read them.
    """
    with db.atomic():
        published = reading.version_of(db, slug, version)
        return published, _live_tallies(db, published, group)


def _live_tallies(db: Connection, published: Published, group: str | None) -> Snapshot | None:
    sizes = reading.sizes(db, published) if published.is_readable else {}
    members, together = partition_groups(sizes), partition_sizes(sizes)
    groups = {name: n for name, n in together.items() if n} if len(members) > 1 else {}
    require(
        group is None or group in groups,
        "unknown_group.live_results",
        "group",
        group=group or "",
        least=LEAST_IN_GROUP,
    )
    if not published.is_readable:
        return None
    n = published.reports if group is None else groups[group]
    tallies = reading.tallies(db, published, None if group is None else members[group])
    return Snapshot(n, tallies, published.reports, groups)


def read_groups(
    db: Connection, slug: str, version: int | None = None
) -> dict[str, dict[str, Tally]]:
    """Return the current tallies of each group that may be shown, all of one moment.

    Empty if nobody may read them, or if no group may be told from the rest.
    """
    with db.atomic():
        published = reading.version_of(db, slug, version)
        sizes = reading.sizes(db, published) if published.is_readable else {}
        members, together = partition_groups(sizes), partition_sizes(sizes)
        shown = [name for name in members if together[name]] if len(members) > 1 else []
        return {name: reading.tallies(db, published, members[name]) for name in shown}


@dataclass(frozen=True)
class Ballots:
    """A version with its tallies and its reports, each with its group, all of one moment."""

    published: Published
    tallies: dict[str, Tally]
    reports: Iterator[tuple[str, str]]


@contextmanager
def read_ballots(db: Connection, slug: str, version: int | None = None) -> Iterator[Ballots]:
    """Read a version, its tallies and its reports as of one moment."""
    with db.atomic():
        published = reading.version_of(db, slug, version)
        published.require_allowed(Change.EXPORT)
        published.require_readable()
        yield Ballots(published, reading.tallies(db, published), _reports(db, published))


def _reports(db: Connection, published: Published) -> Iterator[tuple[str, str]]:
    """Iterate over reports without ids, sorted by content, small groups merged."""
    joined = partition_groups(reading.sizes(db, published))[""]
    shown = f"CASE WHEN in_group IN ({reading.places(joined)}) THEN '' ELSE in_group END"
    return db.execute(
        f"SELECT {shown} AS shown, randomized FROM reports WHERE survey = ? "
        "ORDER BY shown, randomized",
        [*joined, published.key],
    )
