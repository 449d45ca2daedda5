"""Snapshots of the tallies: all that the public ever sees of a survey.

One is taken in the transaction that stores the report of a milestone, however many reports share
that transaction, and one at closing, if enough have come since; of a survey by invitation only that
one. Only the newest is kept, and no time with it: that of a milestone would be a respondent's.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from estimators.counting.tally import Tally
from server.store import reading
from server.store.checksums import snapshot_checksum
from server.store.database import Connection
from server.surveys.disclosure import (
    MINIMUM,
    Counts,
    Sizes,
    few_asked,
    few_since,
    groups_to_show,
    is_milestone,
    tallies_of,
    without,
)
from server.surveys.records import Published

# Of each group that is shown its n and its counts.
_Groups = dict[str, list[Any]]
# What is stored: the counts of all groups and of each one, how large all groups were, and of the
# questions that too few people were asked since, the counts that are still shown instead.
_Parts = dict[str, Any]
_NONE: tuple[int, _Parts] = (0, {"all": {}, "kept": {}, "groups": {}, "sizes": {}})
Cells = Mapping[tuple[str, int], int]


@dataclass(frozen=True)
class Snapshot:
    """The tallies of the first `total` reports, or of a group with n of them."""

    n: int
    tallies: Mapping[str, Tally]
    total: int
    # The groups that are shown, with their n.
    groups: Sizes


def take_at_milestone(db: Connection, published: Published, n: int) -> None:
    """Take a snapshot if the n-th report is a milestone. Tests show everything live instead."""
    survey = published.survey
    if is_milestone(n) and not survey.test and not survey.by_invitation:
        _take(db, published, n)


def take_at_closing(db: Connection, published: Published) -> None:
    """Take the final snapshot, and forget the sizes of groups that it does not show."""
    _take(db, published, published.reports)
    _change(db, published, lambda parts: {**parts, "sizes": {}})


def keep_only_crowds(db: Connection, published: Published) -> None:
    """Forget what was never shown, when the reports are deleted."""

    def only_crowds(parts: _Parts) -> _Parts:
        everybody = _of_everybody(parts)
        crowds = without(few_asked(published.survey, everybody), everybody)
        return {**parts, "all": crowds, "kept": {}}

    _change(db, published, only_crowds)


def read_public(
    db: Connection, slug: str, version: int | None = None, group: str | None = None
) -> tuple[Published, Snapshot | None]:
    """Return a version, by default the newest, and what the public may see of it, if anything."""
    with db.atomic():
        published = reading.version_of(db, slug, version)
        return published, newest(db, published, group)


def newest(db: Connection, published: Published, group: str | None = None) -> Snapshot | None:
    """Return what the public may see, of all groups or of one; raise if it is damaged."""
    total, parts = _stored(db, published) if published.is_readable else _NONE
    groups = parts["groups"]
    if group is not None and group not in groups:
        raise Refusal("unknown_group.results", "group", group=group)
    if not total:
        return None
    n, counts = (total, _of_everybody(parts)) if group is None else groups[group]
    return Snapshot(n, tallies_of(published.survey, counts), total, _sizes(groups))


def _take(db: Connection, published: Published, n: int) -> None:
    """Take a snapshot, unless so few reports came since the last that they would show."""
    try:
        last, before = _stored(db, published)
    except Refusal:
        # A damaged one must not keep reports out: the new one takes its place.
        last, before = _NONE
    if n - last < MINIMUM:
        return
    sizes = reading.sizes(db, published)
    chosen = groups_to_show(n, sizes, _sizes(before["groups"]), before["sizes"])
    # A crowd of a group may hold few who were asked the same question.
    has_groups = len(sizes) > 1 and not published.survey.ask_each_person
    everybody = reading.counts(db, published)
    parts = {
        "all": everybody,
        "kept": _kept(published, before, everybody),
        "groups": _groups(db, published, chosen, before["groups"]) if has_groups else {},
        "sizes": sizes,
    }
    _store(db, published, n, parts)


def _kept(published: Published, before: _Parts, everybody: Counts) -> Counts:
    """Return counts to keep showing unchanged, because too few people were asked since."""
    shown = _of_everybody(before)
    few = few_since(published.survey, shown, everybody) if shown else ()
    return {id: shown[id] for id in few}


def _of_everybody(parts: _Parts) -> Counts:
    """Return the counts of all groups as the public sees them."""
    return {**parts["all"], **parts["kept"]}


def _change(db: Connection, published: Published, change: Callable[[_Parts], _Parts]) -> None:
    """Change the stored snapshot, unless there is none, or it is damaged."""
    with suppress(Refusal):
        n, parts = _stored(db, published)
        if n:
            _store(db, published, n, change(parts))


def _store(db: Connection, published: Published, n: int, parts: _Parts) -> None:
    content = canonical.canonical(parts).decode()
    db.execute(
        "INSERT INTO snapshots (survey, n, content, checksum) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (survey) DO UPDATE "
        "SET n = excluded.n, content = excluded.content, checksum = excluded.checksum",
        [published.key, n, content, snapshot_checksum(published.survey.fingerprint, n, content)],
    )


def _groups(db: Connection, published: Published, chosen: Sizes, before: _Groups) -> _Groups:
    """Return the shown groups, with new counts or unchanged."""
    return {
        name: before[name]
        if name in before and before[name][0] == size
        else [size, reading.counts(db, published, [name])]
        for name, size in chosen.items()
    }


def _stored(db: Connection, published: Published) -> tuple[int, _Parts]:
    """Return n and the parts of the stored snapshot; zero and empty parts if there is none."""
    query = "SELECT n, content, checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [published.key]).fetchone()
    if row is None:
        return _NONE
    n, content, stored = row
    if stored != snapshot_checksum(published.survey.fingerprint, n, content):
        raise Refusal("storage_damaged.snapshot")
    return n, json.loads(content)


def _sizes(groups: _Groups) -> Sizes:
    return {name: part[0] for name, part in groups.items()}


def snapshot_faults(db: Connection, survey: Mapping[str, Any], cells: Cells) -> Iterator[str]:
    """Yield what is wrong with a survey's snapshot, given the recounted cells."""
    # As bytes, because a flipped bit may have broken the text.
    query = "SELECT n, CAST(content AS BLOB), checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [survey["id"]]).fetchone()
    is_final = survey["state"] == "closed"
    if row is None:
        if is_final and survey["reports"] >= MINIMUM:
            yield "its final snapshot is missing"
        return
    n, content, stored = row
    text = content.decode(errors="replace")
    if stored != snapshot_checksum(survey["fingerprint"], n, text):
        yield "its snapshot does not fit its checksum"
    elif is_final and n == survey["reports"] and _cells(text) != cells:
        yield "its final snapshot is not what its reports say"
    elif is_final and survey["reports"] - n >= MINIMUM:
        yield "its final snapshot is missing"


def _cells(text: str) -> Cells:
    questions = json.loads(text)["all"].items()
    return {(id, cell): count for id, counts in questions for cell, count in enumerate(counts)}
