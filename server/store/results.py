"""What may be read of a version: its tallies at this moment, and its reports for an export.

Groups are told apart once the survey is closed, and sealed results are not read at all.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from client.core.primitives.refusal import require
from estimators.counting.tally import Tally
from server.store import audit_log, reading
from server.store.database import Connection
from server.store.snapshots import Snapshot
from server.surveys.disclosure import LEAST_IN_GROUP, Sizes
from server.surveys.groups import asked_for, shown_codes
from server.surveys.records import Published
from server.surveys.states import Change
from server.surveys.strays import HELD


def read_live(
    db: Connection, slug: str, version: int | None = None, group: str | None = None
) -> tuple[Published, Snapshot | None]:
    """Return a version, by default the newest, and its current tallies, of all groups or of some.

    No tallies while nobody may read them.
    """
    with db.atomic():
        published = reading.version_of(db, slug, version)
        return published, _live_tallies(db, published, group)


def _live_tallies(db: Connection, published: Published, group: str | None) -> Snapshot | None:
    sizes = reading.sizes(db, published) if published.is_readable else {}
    groups = _told_apart(published, sizes)
    chosen = None if group is None else asked_for(published.survey.groups, group)
    codes = shown_codes(published.survey.groups, chosen, groups)
    require(
        group is None or bool(codes),
        "unknown_group.live_results",
        "group",
        group=group or "",
        least=LEAST_IN_GROUP,
    )
    if not published.is_readable:
        return None
    total = sum(sizes.values())
    n = total if group is None else sum(groups[code] for code in codes)
    tallies = reading.tallies(db, published, None if group is None else codes)
    held = published.reports - total
    return Snapshot(n, tallies, total, groups, published.reports, held, group=chosen)


def _told_apart(published: Published, sizes: Sizes) -> Sizes:
    """Return the groups with reports, once the closing has settled which there are."""
    if published.digest is None or len(sizes) == 1:
        return {}
    return {name: size for name, size in sizes.items() if size}


def read_groups(
    db: Connection, slug: str, version: int | None = None
) -> dict[str, dict[str, Tally]]:
    """Return the tallies of each group that is told apart, all of one moment.

    Empty if nobody may read them, and until the survey is closed.
    """
    with db.atomic():
        published = reading.version_of(db, slug, version)
        sizes = reading.sizes(db, published) if published.is_readable else {}
        groups = _told_apart(published, sizes)
        return {name: reading.tallies(db, published, [name]) for name in groups}


@dataclass(frozen=True)
class Ballots:
    """A version with its tallies and its reports, each with its group, all of one moment."""

    published: Published
    tallies: dict[str, Tally]
    # How many reports there are; those held back are not among them.
    n: int
    reports: Iterator[tuple[str, str]]
    # The hash of the log's entry about the closing; "" if it is not closed.
    log_anchor: str = ""


@contextmanager
def read_ballots(db: Connection, slug: str, version: int | None = None) -> Iterator[Ballots]:
    """Read a version, its tallies and its reports as of one moment."""
    with db.atomic():
        published = reading.version_of(db, slug, version)
        published.require_allowed(Change.EXPORT)
        published.require_readable()
        n = sum(reading.sizes(db, published).values())
        tallies = reading.tallies(db, published)
        survey = published.survey
        anchor = audit_log.anchor_at_closing(db, survey.slug, survey.version)
        yield Ballots(published, tallies, n, _reports(db, published), anchor)


def _reports(db: Connection, published: Published) -> Iterator[tuple[str, str]]:
    """Iterate over reports without ids, sorted by content, with their groups once it is closed."""
    shown = "''" if published.digest is None else "in_group"
    rows = db.execute(
        f"SELECT {shown} AS shown, randomized FROM reports WHERE survey = ? AND in_group != ? "
        "ORDER BY shown, randomized",
        [published.key, HELD],
    )
    return iter(rows)
