"""Merging groups: their reports are counted as if their links had no group, for good.

Every function here runs inside the writer's transaction.
"""

from collections.abc import Sequence

from sqlite_utils import Database

from server.store import reading
from server.store.disclosure.small_groups import told_apart
from server.store.reading import places
from server.store.records import Published, checksum


def merge_small_groups(db: Database, published: Published) -> int:
    """Dissolve the groups that must not be told apart; how many."""
    joined = told_apart(reading.sizes(db, published))[""]
    names = [name for name in joined if name]
    merge_groups(db, published, names)
    return len(names)


def merge_groups(db: Database, published: Published, names: Sequence[str]) -> None:
    """Reports, tallies and counts of these groups."""
    if not names:
        return
    _merge_reports(db, published, names)
    key, some = published.key, f"({places(names)})"
    db.execute(
        "INSERT INTO tallies (survey, in_group, question, cell, count) "
        "SELECT survey, '', question, cell, sum(count) FROM tallies "
        f"WHERE survey = ? AND in_group IN {some} GROUP BY survey, question, cell "
        "ON CONFLICT DO UPDATE SET count = count + excluded.count",
        [key, *names],
    )
    db.execute(
        "UPDATE groups SET (issued, reports, merged) = (SELECT groups.issued + sum(issued), "
        "groups.reports + sum(reports), groups.merged + count(*) FROM groups AS other "
        f"WHERE survey = ? AND name IN {some}) WHERE survey = ? AND name = ''",
        [key, *names, key],
    )
    db.execute(f"DELETE FROM tallies WHERE survey = ? AND in_group IN {some}", [key, *names])
    db.execute(f"DELETE FROM groups WHERE survey = ? AND name IN {some}", [key, *names])


def _merge_reports(db: Database, published: Published, names: Sequence[str]) -> None:
    """A report whose checksum did not fit before does not fit afterwards: damage stays known."""
    fingerprint = published.survey.fingerprint

    def bound_again(id: bytes, randomized: bytes, group: str, stored: bytes) -> bytes:
        # As bytes, because a flipped bit may have broken the text; it must not keep a survey open.
        content = (fingerprint, id.decode(errors="replace"), randomized.decode(errors="replace"))
        return checksum(*content) if stored == checksum(*content, group) else stored

    db.conn.create_function("bound_again", 4, bound_again)
    db.execute(
        "UPDATE reports SET in_group = '', checksum = "
        "bound_again(CAST(id AS BLOB), CAST(randomized AS BLOB), in_group, checksum) "
        f"WHERE survey = ? AND in_group IN ({places(names)})",
        [published.key, *names],
    )
