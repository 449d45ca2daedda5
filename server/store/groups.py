"""Groups by their codes, and what becomes of groups that are too small.

A version has all its groups from its publication on, and '' for reports that are in none. The
reports of a merged group are counted there, for good. Reports that are held back are counted
nowhere. Every function here runs inside the writer's transaction.
"""

from collections.abc import Collection, Sequence

from client.core.survey import Survey
from server.store import reading
from server.store.database import Connection
from server.store.reading import places
from server.store.rebinding import binding, rebound
from server.surveys.records import Published
from server.surveys.strays import HELD


def open_groups(db: Connection, key: int, survey: Survey, names: Sequence[str]) -> None:
    """Insert the groups and a zero for every cell, so that counting a report is an update."""
    insert = "INSERT INTO groups (survey, name) VALUES (?, ?)"
    db.execute_many(insert, [(key, name) for name in names])
    db.execute_many(
        "INSERT INTO tallies (survey, in_group, question, cell) VALUES (?, ?, ?, ?)",
        (
            (key, name, question.id, cell)
            for name in names
            for question in survey.questions
            for cell in range(question.mechanism.cells)
        ),
    )


def tell_apart(db: Connection, published: Published, names: Collection[str]) -> int:
    """Merge all other groups with the reports without a group; return how many."""
    others = [name for name in reading.sizes(db, published) if name and name not in names]
    merge_groups(db, published, others)
    return len(others)


def hold_back(db: Connection, published: Published, names: Sequence[str]) -> None:
    """Take these groups out of all tallies, for good. Their reports stay in the digest."""
    db.execute("INSERT INTO groups (survey, name) VALUES (?, ?)", [published.key, HELD])
    _move(db, published, names, HELD)
    if "" in names:
        open_groups(db, published.key, published.survey, [""])


def merge_groups(db: Connection, published: Published, names: Sequence[str]) -> None:
    """Merge reports, tallies and counts of these groups into those without a group."""
    if not names:
        return
    db.execute(
        "INSERT INTO tallies (survey, in_group, question, cell, count) "
        "SELECT survey, '', question, cell, sum(count) FROM tallies "
        f"WHERE survey = ? AND in_group IN ({places(names)}) GROUP BY survey, question, cell "
        "ON CONFLICT (survey, in_group, question, cell) "
        "DO UPDATE SET count = tallies.count + excluded.count",
        [published.key, *names],
    )
    _move(db, published, names, "")


def _move(db: Connection, published: Published, names: Sequence[str], to: str) -> None:
    """Move reports and counts of these groups to another one; their tallies are gone."""
    _move_reports(db, published, names, to)
    key, some = published.key, f"({places(names)})"
    db.execute(
        "UPDATE groups SET (issued, given, reports, merged) = (SELECT groups.issued + sum(issued), "
        "groups.given + sum(given), groups.reports + sum(reports), "
        "groups.merged + count(nullif(name, '')) "
        f"FROM groups AS other WHERE survey = ? AND name IN {some}) WHERE survey = ? AND name = ?",
        [key, *names, key, to],
    )
    db.execute(f"DELETE FROM tallies WHERE survey = ? AND in_group IN {some}", [key, *names])
    db.execute(f"DELETE FROM groups WHERE survey = ? AND name IN {some}", [key, *names])


def _move_reports(db: Connection, published: Published, names: Sequence[str], to: str) -> None:
    """Change the group of these reports. A wrong checksum stays wrong, so that damage shows."""
    for name in names:
        db.execute(
            f"UPDATE reports SET in_group = :to, checksum = {rebound('id', ':to')} "
            "WHERE survey = :survey AND in_group = :name",
            {**binding(published), "survey": published.key, "name": name, "to": to},
        )
