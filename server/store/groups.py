"""Groups by their codes, personal invitations, and what becomes of groups that are too small.

A version has all its groups from its publication on, and '' for reports that are in none. The
reports of a merged group are counted there, for good. Reports that are held back are counted
nowhere. Every function here runs inside the writer's transaction.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from client.core.primitives.refusal import require
from client.core.survey import Survey
from server.store import reading
from server.store.audit_log import record
from server.store.database import Connection
from server.store.reading import places
from server.surveys.groups import selection_of
from server.surveys.records import Published
from server.surveys.researchers import OPERATOR
from server.surveys.states import Change
from server.surveys.strays import HELD


def invite(
    db: Connection, published: Published, group: str, hashes: Iterable[bytes], actor: str = OPERATOR
) -> None:
    """Store the hashes of unused tickets, and count them by group."""
    _require_newest(db, published)
    count = db.execute_many(
        "INSERT INTO tickets (survey, hash, used) VALUES (?, ?, 0)",
        # By their hashes, as they lie in the table: not in the order of the list of links.
        [(published.key, ticket) for ticket in sorted(hashes)],
    )
    db.execute(
        "UPDATE groups SET issued = issued + ? WHERE survey = ? AND name = ?",
        [count, published.key, group],
    )
    survey = published.survey
    named = selection_of(survey.groups, group).text(survey.groups)
    record(db, actor, "invite", survey.slug, version=survey.version, group=named, count=count)


def invite_strata(
    db: Connection,
    published: Published,
    hashes: Mapping[str, Collection[bytes]],
    actor: str = OPERATOR,
) -> None:
    """Store the hashes of unused tickets of several groups."""
    for group, some in hashes.items():
        invite(db, published, group, some, actor)


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


def _require_newest(db: Connection, published: Published) -> None:
    """Raise if the version is not the newest, whose links alone work, or invites nobody now."""
    now = reading.newest(db, published.survey.slug)
    now.require_allowed(Change.INVITE)
    require(now.key == published.key, "document_changed.groups", "slug", slug=now.survey.slug)


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
        "UPDATE groups SET (issued, reports, merged) = (SELECT groups.issued + sum(issued), "
        "groups.reports + sum(reports), groups.merged + count(nullif(name, '')) "
        f"FROM groups AS other WHERE survey = ? AND name IN {some}) WHERE survey = ? AND name = ?",
        [key, *names, key, to],
    )
    db.execute(f"DELETE FROM tallies WHERE survey = ? AND in_group IN {some}", [key, *names])
    db.execute(f"DELETE FROM groups WHERE survey = ? AND name IN {some}", [key, *names])


def _move_reports(db: Connection, published: Published, names: Sequence[str], to: str) -> None:
    """Change the group of these reports. A wrong checksum stays wrong, so that damage shows."""
    for name in names:
        db.execute(
            "UPDATE reports SET in_group = :to, checksum = CASE checksum "
            f"WHEN {_bound(':old')} THEN {_bound(':new')} ELSE checksum END "
            "WHERE survey = :survey AND in_group = :name",
            {
                **{"survey": published.key, "name": name, "to": to, "line": "\n"},
                "fingerprint": f"{published.survey.fingerprint}\n",
                "old": f"\n{name}" if name else "",
                "new": f"\n{to}" if to else "",
            },
        )


def _bound(group: str) -> str:
    """Return the expression for the checksum of a report that is in a group."""
    # As bytes, because a flipped bit may have broken the text; it must not keep a survey open.
    return f"sha256(CAST(:fingerprint || id || :line || randomized || {group} AS BLOB))"
