"""Publishing versions. Every function here runs inside the writer's transaction."""

from collections.abc import Callable

from sqlite_utils import Database

from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from server.store import database, reading
from server.store.audit_log import record
from server.store.closing import close_version
from server.store.groups import open_group
from server.store.researchers import access, manuscripts
from server.surveys.audit import AuditContext
from server.surveys.records import Publication, Published
from server.surveys.researchers import Author, Role
from server.surveys.schedule import Schedule, deletion_moment
from server.surveys.states import State

BuildSurvey = Callable[[int], Survey]


def publish_as(
    db: Database,
    author: Author,
    build: BuildSurvey,
    new_version: bool,
    schedule: Schedule,
    deed: AuditContext,
) -> Publication:
    """Publish as a researcher, who becomes the owner. What is published is for its owners alone.

    The manuscript goes over to the survey, and so to all who work on it.
    """
    slug = build(1).slug
    if reading.latest(db, slug, deed.now) is not None:
        access.require_part(db, author.researcher, slug, Role.OWNER)
    publication = publish(db, build, new_version, schedule, deed)
    if publication.created:
        access.give_role(db, slug, author.researcher.name, Role.OWNER, deed)
    if author.manuscript is not None:
        manuscripts.assign(db, author.researcher, author.manuscript, slug)
    return publication


def publish(
    db: Database, build: BuildSurvey, new_version: bool, schedule: Schedule, deed: AuditContext
) -> Publication:
    """Open a survey. `build` makes it for a version number, which only the transaction knows."""
    last = reading.latest(db, build(1).slug, deed.now)
    if last is None:
        return _publish_version(db, build(1), schedule, deed)
    require(
        last.state is not State.TRASHED,
        "slug_taken",
        f"the survey {last.survey.slug!r} is in the trash; "
        "take it out with candor restore, or choose another slug",
        "slug",
    )
    is_over = last.state not in (State.NOT_YET_OPEN, State.OPEN)
    if _is_unchanged(last, build) and not (new_version and is_over):
        _require_same_schedule(last, schedule)
        return Publication(last, created=False)
    if not new_version:
        raise Refusal(
            "slug_taken",
            f"the survey {last.survey.slug!r} is published with other content; "
            "publish it with --new-version, or choose another slug",
            "slug",
        )
    close_version(db, last, deed)
    return _publish_version(db, build(last.survey.version + 1), schedule, deed)


def wipe(db: Database, slug: str) -> None:
    """Delete every row of a survey. The bytes are gone once the file is rewritten."""
    for table in _tables_about_surveys(db):
        db.execute(
            f"DELETE FROM {table} WHERE survey IN (SELECT id FROM surveys WHERE slug = ?)", [slug]
        )
    db.execute("DELETE FROM surveys WHERE slug = ?", [slug])
    access.forget(db, slug)
    database.owe_rewriting(db)


def _tables_about_surveys(db: Database) -> list[str]:
    """Every table whose column `survey` names a survey, whoever added it."""
    query = (
        "SELECT tables.name FROM pragma_table_list AS tables, "
        "pragma_foreign_key_list(tables.name) AS key "
        "WHERE key.\"table\" = 'surveys' AND key.\"from\" = 'survey'"
    )
    return [name for (name,) in db.execute(query)]


def _publish_version(
    db: Database, survey: Survey, days: Schedule, deed: AuditContext
) -> Publication:
    schedule = days.until_deletion(survey.delete_on)
    record(
        db,
        deed,
        "publish",
        survey.slug,
        version=survey.version,
        fingerprint=survey.fingerprint,
        total_epsilon=decimal_text(survey.total_epsilon),
        opens=schedule.opens,
        ends=schedule.ends,
        closes_at=schedule.closes_at,
        delete_on=survey.delete_on,
    )
    return Publication(open_version(db, survey, schedule, deed.now), created=True)


def _is_unchanged(last: Published, build: BuildSurvey) -> bool:
    return build(last.survey.version).fingerprint == last.survey.fingerprint


def _require_same_schedule(last: Published, schedule: Schedule) -> None:
    require(
        schedule == Schedule() or schedule.until_deletion(last.survey.delete_on) == last.schedule,
        "dates_fixed",
        f"the survey {last.survey.slug!r} is published and {last.state.words}: its days are fixed",
        "slug",
    )


def open_version(db: Database, survey: Survey, schedule: Schedule, now: str) -> Published:
    """The rows of a version that takes reports."""
    key = db.execute(
        "INSERT INTO surveys (slug, version, fingerprint, state, opens, ends, closes_at, deletes) "
        "VALUES (?, ?, ?, 'open', ?, ?, ?, ?)",
        [
            *(survey.slug, survey.version, survey.fingerprint),
            *(schedule.opens, schedule.ends, schedule.closes_at),
            deletion_moment(survey.delete_on),
        ],
    ).lastrowid
    assert key is not None
    db.execute("INSERT INTO documents (survey, document) VALUES (?, ?)", [key, survey.document])
    open_group(db, key, survey, "")
    return reading.newest(db, survey.slug, now)
