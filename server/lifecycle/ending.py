"""How a survey ends, the same for every way in: closing, archiving, the trash and deletion."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from client.core.primitives.refusal import Refusal
from server.lifecycle.ticket_keys import delete_keys, delete_past_keys
from server.store import reading
from server.store.database import Database
from server.store.lifecycle import closing, deleting, publishing
from server.store.lifecycle.deleting import Due
from server.surveys.records import Closing, Published
from server.surveys.researchers import CLOCK, OPERATOR
from server.surveys.schedule import after
from server.surveys.strays import GroupChoice
from server.surveys.summary import closing_summary, state_summary
from server.web.services import Services


def close_survey(
    services: Services,
    slug: str,
    grace: str | None,
    groups: GroupChoice | None = None,
    actor: str = OPERATOR,
) -> dict[str, Any]:
    """Close at once and return the final figures, or after some hours of grace."""
    if grace is None:
        return closing_summary(close(services.database, slug, actor, groups))
    return state_summary(begin_closing(services, slug, grace, actor, groups))


def close(
    database: Database, slug: str, actor: str = OPERATOR, groups: GroupChoice | None = None
) -> Closing:
    """Close for ever, then rewrite the file so that no page remembers the order of reports."""
    outcome = database.write(closing.close, slug, actor, groups)
    return replace(outcome, compacted=tidy(database))


def begin_closing(
    services: Services,
    slug: str,
    hours: str,
    actor: str = OPERATOR,
    groups: GroupChoice | None = None,
) -> Published:
    """Issue no more tickets; those already issued stay valid for some hours.

    Raise if the clock cannot be right: by a right one the hours would be over at once, or never.
    """
    database = services.database
    until = after(database.now, hours)
    services.watch.require_plausible()
    published = database.write(closing.begin_closing, slug, until, actor, groups)
    tidy(database)
    return published


def reopen(database: Database, slug: str, closes_at: int, actor: str = OPERATOR) -> Published:
    """Let a full survey take reports again, until it has the new number of them."""
    return database.write(closing.reopen, slug, closes_at, actor)


def archive(database: Database, slug: str, actor: str = OPERATOR) -> Published:
    """Archive a survey that is closed for good; its results stay readable."""
    archived = database.write(closing.archive, slug, actor)
    tidy(database)
    return archived


def trash(services: Services, slug: str, actor: str = OPERATOR) -> Published:
    """Hide a survey that is closed for good from everybody; it is removed after a while.

    Raise if the clock cannot be right: by a right one it would be removed at once, or never.
    """
    services.watch.require_plausible()
    trashed = services.database.write(deleting.trash, slug, actor)
    tidy(services.database)
    return trashed


def restore(database: Database, slug: str, actor: str = OPERATOR) -> Published:
    """Take a survey out of the trash, unchanged."""
    return database.write(deleting.restore, slug, actor)


def wipe(database: Database, slug: str) -> bool:
    """Delete everything under a slug; return whether its bytes are gone from the file too."""
    last = reading.latest(database.reader, slug)
    database.write(publishing.wipe, slug)
    delete_keys(database, [] if last is None else [last.survey])
    return database.rewrite_if_owed()


def purge(database: Database, actor: str = OPERATOR) -> tuple[Due, bool]:
    """Delete what is due; return it, and whether the bytes are gone from the file too."""
    done = Due((), ())
    if deleting.due(database.reader):
        done = database.write(deleting.carry_out, actor)
        # Of a test that is gone, nothing is left that would name its key.
        delete_keys(database, [item.survey for item in (*done.purge, *done.remove)])
    return done, tidy(database)


def finish_due(database: Database, trusts_clock: bool = True) -> None:
    """Close and delete what is due by the clock, and finish what an earlier attempt left undone."""
    if trusts_clock:
        if reading.due(database.reader):
            database.write(closing.close_due)
        purge(database, CLOCK)
    delete_past_keys(database, by_clock=trusts_clock)
    database.rewrite_if_owed()
    database.empty_log()


def delete_due(services: Services, dry_run: bool) -> dict[str, Any]:
    """Delete what is due, or only list it: purged versions and those removed from the trash.

    Raise if the clock by which it is due cannot be right.
    """
    databases = (services.database, services.drafts)
    if not dry_run:
        services.watch.require_plausible()
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


def tidy(database: Database) -> bool:
    """Delete keys and rewrite the file where that is due; False if it has to be tried again."""
    try:
        delete_past_keys(database)
    except (OSError, Refusal):
        return False
    return database.rewrite_if_owed()


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
