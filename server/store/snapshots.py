"""Snapshots of the tallies: all that the public ever sees of a survey.

One is taken in the transaction that stores the report of a milestone, however many reports share
that transaction, and one at closing, if enough have come since. Only the newest is kept, and no
time with it: the time of a milestone would be that of a respondent.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlite_utils import Database

from client import strict
from client.refusal import Refusal
from estimators.tally import Tally
from server.store import reading
from server.store.crowds import Sizes, groups_to_show
from server.store.milestones import MINIMUM, is_milestone
from server.store.records import Published, checksum

# Of each group that is shown its n and its counts, by question.
_Groups = dict[str, list[Any]]
_NONE: tuple[int, dict[str, Any]] = (0, {"groups": {}})


@dataclass(frozen=True)
class Snapshot:
    """The tallies of the first `total` reports, or of a group with n of them."""

    n: int
    tallies: Mapping[str, Tally]
    total: int
    # The groups that are shown, with their n.
    groups: Sizes


def take_at_milestone(db: Database, published: Published, n: int) -> None:
    """Once the n-th report is counted. The test of a draft shows everything live instead."""
    if is_milestone(n) and not published.survey.test:
        _take(db, published, n)


def take_at_closing(db: Database, published: Published) -> None:
    """The final one."""
    _take(db, published, published.reports)


def newest(db: Database, published: Published, group: str | None = None) -> Snapshot | None:
    """What the public may see, of all groups unless one is named; a damaged one is refused."""
    total, parts = _stored(db, published)
    groups = parts["groups"]
    if group is not None and group not in groups:
        raise Refusal("unknown_group", f"no results are shown of a group {group[:40]!r}", "group")
    if not total:
        return None
    n, counts = (total, parts["all"]) if group is None else groups[group]
    return Snapshot(n, reading.tallies_of(published.survey, counts), total, _sizes(groups))


def snapshot_checksum(fingerprint: str, n: int, content: str) -> bytes:
    """As of a report, with n in the place of the report's id."""
    return checksum(fingerprint, f"snapshot {n}", content)


def _take(db: Database, published: Published, n: int) -> None:
    """Unless so few came since the last one that the difference would be nearly those reports."""
    try:
        last, before = _stored(db, published)
    except Refusal:
        # A damaged one must not keep reports out: the new one takes its place.
        last, before = _NONE
    if n - last < MINIMUM:
        return
    sizes = {group.name: group.reports for group in reading.groups(db, published)}
    # Before there were groups, all reports had none.
    chosen = groups_to_show(n, sizes, _sizes(before["groups"]), before.get("sizes", {"": last}))
    parts = {
        "all": _counts(db, published),
        "groups": _groups(db, published, chosen, before["groups"]) if len(sizes) > 1 else {},
        "sizes": sizes,
    }
    content = strict.canonical(parts).decode()
    db.execute(
        "INSERT OR REPLACE INTO snapshots (survey, n, content, checksum) VALUES (?, ?, ?, ?)",
        [published.key, n, content, snapshot_checksum(published.survey.fingerprint, n, content)],
    )


def _groups(db: Database, published: Published, chosen: Sizes, before: _Groups) -> _Groups:
    """Those that are shown, with new counts or with the ones of before."""
    return {
        name: before[name]
        if name in before and before[name][0] == size
        else [size, _counts(db, published, name)]
        for name, size in chosen.items()
    }


def _counts(db: Database, published: Published, group: str | None = None) -> dict[str, Any]:
    tallies = reading.tallies(db, published, group)
    return {id: tally.counts for id, tally in tallies.items()}


def _stored(db: Database, published: Published) -> tuple[int, dict[str, Any]]:
    """The n and the parts of the newest one; 0 and no groups, if there is none yet."""
    query = "SELECT n, content, checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [published.key]).fetchone()
    if row is None:
        return _NONE
    n, content, stored = row
    if stored != snapshot_checksum(published.survey.fingerprint, n, content):
        raise Refusal(
            "storage_damaged", "the stored snapshot does not fit its checksum; see candor verify"
        )
    return n, {"groups": {}, **json.loads(content)}


def _sizes(groups: _Groups) -> Sizes:
    return {name: part[0] for name, part in groups.items()}
