"""How a survey ends, the same for every way in: closing, archiving, the trash and deletion."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from server.store import closing, deleting, publishing, reading
from server.store.database import Database
from server.store.deleting import Due
from server.surveys.records import Closing, Published
from server.surveys.researchers import CLOCK, OPERATOR
from server.surveys.schedule import after
from server.surveys.summary import closing_summary, state_summary
from server.web.services import Services


def close_survey(
    database: Database, slug: str, grace: str | None, actor: str = OPERATOR
) -> dict[str, Any]:
    """The final figures; or, with so many hours of grace, when there will be some."""
    if grace is None:
        return closing_summary(close(database, slug, actor))
    return state_summary(begin_closing(database, slug, grace, actor))


def close(database: Database, slug: str, actor: str = OPERATOR) -> Closing:
    """Close for ever, then rewrite the file so that no page remembers an order."""
    outcome = database.write(closing.close, slug, actor)
    return replace(outcome, compacted=database.rewrite_if_owed())


def begin_closing(database: Database, slug: str, hours: str, actor: str = OPERATOR) -> Published:
    """Give no more tickets; those that are out are good for so many hours."""
    return database.write(closing.begin_closing, slug, after(database.now, hours), actor)


def archive(database: Database, slug: str, actor: str = OPERATOR) -> Published:
    """Put a closed survey away; its results stay readable."""
    archived = database.write(closing.archive, slug, actor)
    database.rewrite_if_owed()
    return archived


def trash(database: Database, slug: str, actor: str = OPERATOR) -> Published:
    """Put a closed survey out of everybody's sight, to be removed after a while."""
    trashed = database.write(deleting.trash, slug, actor)
    database.rewrite_if_owed()
    return trashed


def restore(database: Database, slug: str, actor: str = OPERATOR) -> Published:
    """Take a survey out of the trash, just as it was."""
    return database.write(deleting.restore, slug, actor)


def wipe(database: Database, slug: str) -> bool:
    """Delete all that a slug has; whether the bytes are gone from the file, too."""
    database.write(publishing.wipe, slug)
    return database.rewrite_if_owed()


def purge(database: Database, actor: str = OPERATOR) -> tuple[Due, bool]:
    """Delete what is due; what it was, and whether the bytes are gone from the file, too."""
    done = Due((), ())
    if deleting.due(database.reader):
        done = database.write(deleting.carry_out, actor)
    return done, database.rewrite_if_owed()


def tend(database: Database) -> None:
    """Do for good what the clock has decided, and what an earlier attempt left undone."""
    if reading.due(database.reader):
        database.write(closing.close_due)
    purge(database, CLOCK)
    database.empty_log()


def delete_due(services: Services, dry_run: bool) -> dict[str, Any]:
    """The versions whose reports are deleted, those removed from the trash, or what would be."""
    databases = (services.database, services.drafts)
    if dry_run:
        found = [(deleting.due(database.reader), True) for database in databases]
    else:
        found = [purge(database) for database in databases]
    return {
        "dry_run": dry_run,
        "purged": [item for due, _ in found for item in _listed(due.purge)],
        "removed": [item for due, _ in found for item in _listed(due.remove)],
        "compacted": all(clean for _, clean in found),
    }


def _listed(versions: Iterable[Published]) -> list[dict[str, Any]]:
    return [
        {
            "slug": item.survey.slug,
            "version": item.survey.version,
            "test": item.survey.test,
            "reports": item.reports,
            "delete_on": item.survey.delete_on,
        }
        for item in versions
    ]
