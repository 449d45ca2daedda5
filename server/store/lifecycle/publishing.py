"""Publishing versions and putting up tests, in the writer's transaction.

Surveys are built and verified before they come here: what is published is only compared by its
fingerprint, and its bytes are stored.

The researcher who puts up a test of an unpublished slug owns the slug until the test is gone. For a
published slug, the roles in that survey decide, and were checked before.
"""

from client.core.primitives.refusal import require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from server.store import reading
from server.store.audit_log import record
from server.store.database import Connection
from server.store.groups import open_groups
from server.store.lifecycle.closing import close_version
from server.surveys.publication import Edition, is_published_already
from server.surveys.records import Publication, Published
from server.surveys.researchers import OPERATOR
from server.surveys.schedule import Schedule, deletion_moment

# Every table with rows about a survey, by the column that names it.
BY_KEY = (
    *("documents", "test_owners", "reports", "spent", "invitations", "tallies", "groups"),
    "snapshots",
)
BY_SLUG = ("memberships", "manuscripts", "surveys")


def publish(
    db: Connection, edition: Edition, new_version: bool, schedule: Schedule, actor: str
) -> Publication | None:
    """Open a survey; return None if its version is no longer the next one."""
    survey = edition.survey
    last = reading.latest(db, survey.slug)
    if edition.follows != (0 if last is None else last.survey.version):
        return None
    if last is not None:
        if is_published_already(last, edition, new_version, schedule):
            return Publication(last, created=False)
        close_version(db, last, actor)
    days = schedule.completed(survey.delete_on, survey.answer_from)
    record(
        db,
        actor,
        "publish",
        survey.slug,
        version=survey.version,
        fingerprint=survey.fingerprint,
        total_epsilon=decimal_text(survey.total_epsilon),
        opens=days.opens,
        answer_from=survey.answer_from,
        ends=days.ends,
        closes_at=days.closes_at,
        per_hour=days.per_hour,
        delete_on=survey.delete_on,
    )
    return Publication(_open_version(db, survey, days), created=True)


def put_up_test(db: Connection, survey: Survey, actor: str) -> Publication:
    """Put up a test, replacing everything under its slug."""
    if survey.version == 1:
        require_own_test(db, survey.slug, actor)
    before = test_owner(db, survey.slug)
    wipe(db, survey.slug)
    published = _open_version(db, survey, Schedule())
    # When the operator helps out, a test stays its owner's.
    name = before if before is not None and actor == OPERATOR else actor
    db.execute("INSERT INTO test_owners (survey, name) VALUES (?, ?)", [published.key, name])
    return Publication(published, created=True)


def require_own_test(db: Connection, slug: str, actor: str) -> None:
    """Raise if somebody else put up the test of a slug; the operator may replace any."""
    require(
        actor == OPERATOR or test_owner(db, slug) in (None, actor),
        "slug_taken.other_test",
        "slug",
        slug=slug,
    )


def test_owner(db: Connection, slug: str) -> str | None:
    """Return who put up the test of a slug, or None."""
    row = db.execute(
        "SELECT name FROM test_owners JOIN surveys ON surveys.id = survey WHERE slug = ?", [slug]
    ).fetchone()
    return None if row is None else str(row[0])


def wipe(db: Connection, slug: str) -> None:
    """Delete every row about a survey, including roles and manuscripts."""
    for table in BY_KEY:
        db.execute(
            f"DELETE FROM {table} WHERE survey IN (SELECT id FROM surveys WHERE slug = ?)", [slug]
        )
    for table in BY_SLUG:
        db.execute(f"DELETE FROM {table} WHERE slug = ?", [slug])
    db.owe_rewriting()


def _open_version(db: Connection, survey: Survey, schedule: Schedule) -> Published:
    """Insert the rows of a version that takes reports."""
    row = db.execute(
        "INSERT INTO surveys (slug, version, fingerprint, state, opens, ends, answer_from, "
        "closes_at, per_hour, deletes, keyed) VALUES (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?) "
        "RETURNING id",
        [
            *(survey.slug, survey.version, survey.fingerprint),
            *(schedule.opens, schedule.ends, schedule.answer_from),
            *(schedule.closes_at, schedule.per_hour, deletion_moment(survey.delete_on)),
            survey.by_invitation,
        ],
    ).fetchone()
    key = int(row[0])
    db.execute("INSERT INTO documents (survey, document) VALUES (?, ?)", [key, survey.document])
    open_groups(db, key, survey, ("", *(survey.groups.codes if survey.groups else ())))
    return reading.newest(db, survey.slug)
