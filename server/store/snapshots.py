"""Snapshots of the tallies: all that the public ever sees of a survey.

One is taken in the transaction that stores the report of a milestone, however many reports share
that transaction, and one at closing; of a survey by invitation only that one. Only the newest is
kept, with the counts that decide about the next, and no time with it: that of a milestone would be
a respondent's.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from estimators.counting.tally import Tally
from server.store import reading
from server.store.checksums import snapshot_checksum
from server.store.database import Connection
from server.surveys.crowd import Parts
from server.surveys.disclosure import MINIMUM, Sizes, is_milestone, tallies_of
from server.surveys.groups import Selection, asked_for, shown_codes
from server.surveys.public_figures import PublicFigures, Stock
from server.surveys.records import Published

Cells = Mapping[tuple[str, int], int]


@dataclass(frozen=True)
class Snapshot:
    """The tallies of `total` reports, or of some groups with n of them."""

    n: int
    tallies: Mapping[str, Tally]
    total: int
    # The groups that are shown, with their n.
    groups: Sizes
    # How many reports there were, with those that are not counted.
    taken: int
    # How many of them are not counted because they are strays.
    strays: int = 0
    # Whether the total is the sum of the groups.
    is_sum: bool = False
    # The reports by what all published figures tell apart; None if that is not known.
    parts: Parts | None = None
    # The groups whose n reports these are; None for everybody.
    group: Selection | None = None


def is_taken_at(survey: Survey, n: int) -> bool:
    """Tell whether the n-th report brings a snapshot. Tests show everything live instead."""
    return is_milestone(n) and not survey.test and not survey.by_invitation


def take_at_milestone(db: Connection, published: Published, n: int) -> None:
    """Take the snapshot of the n-th report, while exactly n are counted."""
    _take(db, published, n)


def take_at_closing(
    db: Connection, published: Published, held: Collection[str] = (), tells_groups: bool = True
) -> None:
    """Take the final snapshot, without more reports of the groups that are held back.

    Then forget names and counts of groups that were never shown.
    """
    after = _take(db, published, published.reports, held, tells_groups)
    if after.taken:
        _store(db, published, after.final(published.reports))


def read_public(
    db: Connection, slug: str, version: int | None = None, group: str | None = None
) -> tuple[Published, Snapshot | None]:
    """Return a version, by default the newest, and what the public may see of it, if anything."""
    with db.atomic():
        published = reading.version_of(db, slug, version)
        return published, newest(db, published, group)


def newest(db: Connection, published: Published, group: str | None = None) -> Snapshot | None:
    """Return what the public may see, of all groups or of some; raise if it is damaged."""
    survey = published.survey
    found = _stored(db, published) if published.is_readable else PublicFigures()
    chosen = None if group is None else asked_for(survey.groups, group)
    codes = shown_codes(survey.groups, chosen, found.groups)
    require(group is None or bool(codes), "unknown_group.results", "group", group=group or "")
    if not found.taken:
        return None
    counts = {
        question.id: found.counts(question.id, None if group is None else codes)
        or [0] * question.mechanism.cells
        for question in survey.questions
    }
    return Snapshot(
        found.n if group is None else sum(found.sizes[code] for code in codes),
        tallies_of(survey, counts),
        found.n,
        found.sizes,
        found.taken,
        found.strays,
        found.is_sum,
        # Without groups, the parts of all reports are no larger than those of a question.
        None if found.groups and survey.ask_each_person else found.history().parts,
        chosen,
    )


def _take(
    db: Connection,
    published: Published,
    n: int,
    held: Collection[str] = (),
    tells_groups: bool = True,
) -> PublicFigures:
    """Take a snapshot if anything may be published; return the newest one."""
    try:
        before = _stored(db, published)
    except Refusal:
        # A damaged one must not keep reports out: a new total takes its place. Nobody knows any
        # more which groups it showed.
        before, tells_groups = PublicFigures(), False
    sizes, counts = reading.sizes(db, published), reading.counts_by_group(db, published)
    after = Stock(published.survey, n, sizes, counts, held, tells_groups).next(before)
    if after is None:
        return before
    _store(db, published, after)
    return after


def _store(db: Connection, published: Published, figures: PublicFigures) -> None:
    content = canonical.canonical(asdict(figures)).decode()
    bound = snapshot_checksum(published.survey.fingerprint, figures.n, content)
    db.execute(
        "INSERT INTO snapshots (survey, n, content, checksum) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (survey) DO UPDATE "
        "SET n = excluded.n, content = excluded.content, checksum = excluded.checksum",
        [published.key, figures.n, content, bound],
    )


def _stored(db: Connection, published: Published) -> PublicFigures:
    """Return the stored figures; empty ones if there are none."""
    query = "SELECT n, content, checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [published.key]).fetchone()
    if row is None:
        return PublicFigures()
    n, content, stored = row
    if stored != snapshot_checksum(published.survey.fingerprint, n, content):
        raise Refusal("storage_damaged.snapshot")
    return PublicFigures(**json.loads(content))


def snapshot_faults(
    db: Connection, survey: Mapping[str, Any], cells: Cells, counted: int
) -> Iterator[str]:
    """Yield what is wrong with a survey's snapshot, given the recounted cells and reports."""
    # As bytes, because a flipped bit may have broken the text.
    query = "SELECT n, CAST(content AS BLOB), checksum FROM snapshots WHERE survey = ?"
    row = db.execute(query, [survey["id"]]).fetchone()
    is_final = survey["state"] == "closed"
    if row is None:
        if is_final and counted >= MINIMUM:
            yield "its final snapshot is missing"
        return
    n, content, stored = row
    text = content.decode(errors="replace")
    if stored != snapshot_checksum(survey["fingerprint"], n, text):
        yield "its snapshot does not fit its checksum"
        return
    figures = json.loads(text)
    if is_final and figures["taken"] != survey["reports"]:
        yield "its final snapshot is missing"
    elif is_final and n == counted and _differ(figures["totals"], cells):
        yield "its final snapshot is not what its reports say"


def _differ(totals: Mapping[str, list[int]], cells: Cells) -> bool:
    """Tell whether a total that counts as many as were recounted has other cells."""
    recounted = {
        id: [cells[id, cell] for cell in range(len(counts))] for id, counts in totals.items()
    }
    return any(
        sum(counts) == sum(recounted[id]) and counts != recounted[id]
        for id, counts in totals.items()
    )
