"""Queries that only read: versions, tallies, and whether a report is there already."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from client.core.document import read_document
from client.core.survey import Survey
from estimators.counting.tally import Tally
from server.store.database import Connection
from server.surveys.disclosure import Asked, asked_by_group, tallies_of
from server.surveys.records import Group, Published, unknown_survey
from server.surveys.schedule import Schedule
from server.surveys.states import Decided, State
from server.surveys.strays import HELD

# The columns that `standing` reads.
STANDING = (
    "state, opens, ends, answer_from, closes_at, per_hour, closing, archived, purged, trashed, "
    "reports"
)
_COLUMNS = (
    f"SELECT surveys.id, fingerprint, document, digest, {STANDING} "
    "FROM surveys JOIN documents ON documents.survey = surveys.id "
)


def versions(db: Connection, slug: str) -> list[Published]:
    """List all versions of a survey, the newest first; raise if there is none."""
    rows = db.execute(_COLUMNS + "WHERE slug = ? ORDER BY version DESC", [slug])
    found = [_published(db, row) for row in rows]
    if not found:
        raise unknown_survey(slug)
    return found


def surveys(db: Connection, slug: str) -> tuple[Survey, ...]:
    """Return the documents of all versions, the newest first; raise if there is none."""
    return tuple(published.survey for published in versions(db, slug))


def latest(db: Connection, slug: str) -> Published | None:
    rows = db.execute(_COLUMNS + "WHERE slug = ? ORDER BY version DESC LIMIT 1", [slug])
    return next((_published(db, row) for row in rows), None)


def newest(db: Connection, slug: str) -> Published:
    """Return the newest version; raise if there is none."""
    found = latest(db, slug)
    if found is None:
        raise unknown_survey(slug)
    return found


def next_version(db: Connection, slug: str) -> int:
    """Return the number of a survey's next version."""
    last = latest(db, slug)
    return 1 if last is None else last.survey.version + 1


def version_of(db: Connection, slug: str, version: int | None = None) -> Published:
    """Return one version, by default the newest."""
    for published in versions(db, slug):
        if version in (None, published.survey.version):
            return published
    raise unknown_survey(slug)


def slugs(db: Connection) -> list[str]:
    return [slug for (slug,) in db.execute("SELECT DISTINCT slug FROM surveys ORDER BY slug")]


def due(db: Connection) -> list[Published]:
    """List the surveys that are over but not closed for good."""
    ended = "WHERE state = 'open' AND ends <= ?"
    return [_published(db, row) for row in db.execute(_COLUMNS + ended, [db.now])]


def with_keys(db: Connection, by_clock: bool = True) -> list[Published]:
    """List the surveys whose keys are kept because they give tickets, or will."""
    over = [published.key for published in past_tickets(db, by_clock)]
    rows = db.execute(_COLUMNS + "WHERE keyed = 1 ORDER BY slug, version")
    found = [_published(db, row) for row in rows]
    return [published for published in found if published.key not in over]


def past_tickets(db: Connection, by_clock: bool) -> list[Published]:
    """List the surveys whose keys are kept although they will give no more tickets.

    This was decided by somebody, or also by the clock.
    """
    over = "state = 'closed' OR closing = 1"
    if by_clock:
        over += " OR ends <= :now OR answer_from <= :now"
    rows = db.execute(_COLUMNS + f"WHERE keyed = 1 AND ({over})", {"now": db.now})
    return [_published(db, row) for row in rows]


def to_purge(db: Connection) -> list[Published]:
    """List the surveys whose deletion date has come and whose reports are still there."""
    rows = db.execute(
        _COLUMNS + "WHERE purged = 0 AND deletes <= ? ORDER BY slug, version", [db.now]
    )
    return [_published(db, row) for row in rows]


def trashed_until(db: Connection, moment: str) -> list[Published]:
    """List the versions that were put into the trash by a moment."""
    rows = db.execute(_COLUMNS + "WHERE trashed <= ? ORDER BY slug, version", [moment])
    return [_published(db, row) for row in rows]


def groups(db: Connection, published: Published) -> list[Group]:
    """List the groups of a version by name; the one without a name comes first.

    Reports that the closing held back are in none of them.
    """
    rows = db.execute(
        "SELECT name, issued, given, reports, merged FROM groups WHERE survey = ? AND name != ? "
        "ORDER BY name",
        [published.key, HELD],
    )
    return [Group(*row) for row in rows]


def groups_of(db: Connection, slug: str, version: int | None = None) -> list[Group]:
    """List the groups of a version, by default the newest."""
    with db.atomic():
        return groups(db, version_of(db, slug, version))


def sizes(db: Connection, published: Published) -> dict[str, int]:
    """Count the reports of each group."""
    return {group.name: group.reports for group in groups(db, published)}


def tallies(
    db: Connection, published: Published, groups: Sequence[str] | None = None
) -> dict[str, Tally]:
    """Return each question's tally, in the document's order, of all groups or of some."""
    return tallies_of(published.survey, counts(db, published, groups))


def counts(
    db: Connection, published: Published, groups: Sequence[str] | None = None
) -> dict[str, list[int]]:
    """Return the counts of each question's cells, of all groups or of some."""
    named = "" if groups is None else f"AND in_group IN ({places(groups)}) "
    rows = db.execute(
        f"SELECT question, sum(count) FROM tallies WHERE survey = ? {named}"
        "GROUP BY question, cell ORDER BY question, cell",
        [published.key, *(groups or ())],
    )
    found: dict[str, list[int]] = {question.id: [] for question in published.survey.questions}
    for question, count in rows:
        found[question].append(count)
    return found


def counts_by_group(db: Connection, published: Published) -> dict[str, dict[str, list[int]]]:
    """Return the counts of each question's cells, for each group."""
    rows = db.execute(
        "SELECT in_group, question, count FROM tallies WHERE survey = ? "
        "ORDER BY in_group, question, cell",
        [published.key],
    )
    found: dict[str, dict[str, list[int]]] = {}
    for group, question, count in rows:
        found.setdefault(group, {}).setdefault(question, []).append(count)
    return found


def asked(db: Connection, published: Published) -> Asked:
    """Count the people of each group who were asked each question; empty if all are asked all."""
    if not published.survey.ask_each_person:
        return {}
    return asked_by_group(published.survey, counts_by_group(db, published))


def places(values: Sequence[object]) -> str:
    """Return the placeholders for these values in a statement."""
    return ", ".join("?" * len(values))


@lru_cache(maxsize=256)
def survey_from(fingerprint: str, document: bytes) -> Survey:
    """Parse a document, once per fingerprint."""
    return read_document(document)


def standing(row: Sequence[Any]) -> tuple[Decided, int]:
    """Return what was decided about a version, and the number of its reports."""
    stored, opens, ends, answer_from, closes_at, per_hour, *marks, reports = row
    closing, archived, purged, trashed = marks
    schedule = Schedule(opens, ends, closes_at, per_hour, answer_from)
    decided = Decided(
        schedule,
        is_closing=bool(closing),
        is_closed=stored == "closed",
        is_archived=bool(archived),
        is_full=schedule.is_full(reports),
        is_purged=bool(purged),
        is_trashed=trashed is not None,
    )
    return decided, reports


def _published(db: Connection, row: tuple[Any, ...]) -> Published:
    key, fingerprint, document, digest, *rest = row
    *_, trashed, _ = rest
    decided, reports = standing(rest)
    survey = survey_from(fingerprint, document)
    state = State.DRAFT if survey.test else decided.state_at(db.now)
    return Published(key, survey, state, decided.schedule, reports, digest, trashed)
