"""Tests of drafts, and whose they are. What changes anything runs inside the writer's transaction.

Whoever puts up a test of a slug that is not published owns it, until the test is gone. Where the
slug is published, the roles in that survey decide, before anything comes here.
"""

from sqlite_utils import Database

from client.core.primitives.refusal import require
from client.core.survey import Survey
from server.store.publishing import open_version, wipe
from server.surveys.audit import OPERATOR
from server.surveys.records import Publication
from server.surveys.schedule import Schedule


def renew(db: Database, survey: Survey, actor: str, now: str) -> Publication:
    """Put up a draft in place of all that its slug had before."""
    if survey.version == 1:
        require_own(db, survey.slug, actor)
    before = owner(db, survey.slug)
    wipe(db, survey.slug)
    published = open_version(db, survey, Schedule(), now)
    # When the operator helps out, a test stays its owner's.
    name = before if before is not None and actor == OPERATOR else actor
    db.execute("INSERT INTO test_owners (survey, name) VALUES (?, ?)", [published.key, name])
    return Publication(published, created=True)


def require_own(db: Database, slug: str, actor: str) -> None:
    """Refuse everybody but whoever put up the test of a slug, and the operator."""
    require(
        actor == OPERATOR or owner(db, slug) in (None, actor),
        "slug_taken",
        f"somebody else is testing a survey as {slug!r}; choose another slug",
        "slug",
    )


def owner(db: Database, slug: str) -> str | None:
    """Who put up the test of a slug, if there is one."""
    row = db.execute(
        "SELECT name FROM test_owners JOIN surveys ON surveys.id = survey WHERE slug = ?", [slug]
    ).fetchone()
    return None if row is None else str(row[0])
