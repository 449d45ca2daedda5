"""What the operator does: directly when nobody writes in the folder, else through the server."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from client.authoring.files import read_survey_file
from client.core.primitives.refusal import Refusal
from server.accounts.management import act
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.lifecycle import invitations
from server.lifecycle.ending import close_survey, delete_due
from server.lifecycle.publishing import (
    check_draft,
    check_publishable,
    publish_draft,
    rehearse_draft,
)
from server.serving import running_services
from server.store.store import Store
from server.surveys.records import Published
from server.surveys.schedule import Schedule, utc_now
from server.surveys.summary import log_summary, publication_summary, state_summary
from server.web.services import Services


def publish(
    folder: DataFolder,
    path: Path,
    new_version: bool = False,
    confirm_weak: bool = False,
    opens: str | None = None,
    closes: str | None = None,
    closes_at: int | None = None,
) -> dict[str, Any]:
    """Publish a survey file; the figures of the published version."""
    draft = read_survey_file(path)
    now = utc_now()
    schedule = Schedule.of_days(opens, closes, now, closes_at)
    # Before the data folder is touched: a refused file leaves nothing behind.
    check_publishable(draft, confirm_weak, schedule, now)
    choices = {"new_version": new_version, "confirm_weak": confirm_weak}
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(
            publish_draft(services, draft, new_version, confirm_weak, schedule)
        ),
        "/surveys" + _query(**choices, opens=opens, closes=closes, closes_at=closes_at),
        json.dumps(draft).encode(),
    )


def rehearse(folder: DataFolder, path: Path, confirm_weak: bool) -> dict[str, Any]:
    """Put up a survey file as a draft to be tested; the figures of the test."""
    draft = read_survey_file(path)
    check_draft(draft, confirm_weak)
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(rehearse_draft(services, draft, confirm_weak)),
        "/drafts" + _query(confirm_weak=confirm_weak),
        json.dumps(draft).encode(),
    )


def close(folder: DataFolder, slug: str, grace: str | None = None) -> dict[str, Any]:
    """Close a survey, at once or after some hours of grace; its final figures, or when it ends."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: close_survey(services.store, slug, grace),
        f"/surveys/{slug}/close" + _query(grace=grace),
    )


def archive(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Put a closed survey away."""
    return _take_step(folder, slug, "archive", Store.archive)


def trash(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Put a closed survey into the trash."""
    return _take_step(folder, slug, "trash", Store.trash)


def restore(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Take a survey out of the trash."""
    return _take_step(folder, slug, "restore", Store.restore)


def invite(folder: DataFolder, slug: str, count: int, group: str = "") -> dict[str, Any]:
    """Issue the tickets of so many personal links."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.invite(services, slug, count, group),
        f"/surveys/{slug}/invitations" + _query(count=count, group=group),
    )


def open_to_all(folder: DataFolder, slug: str, group: str = "") -> dict[str, Any]:
    """What the open link of a survey, or of a group in it, carries."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.open_to_all(services, slug, group),
        f"/surveys/{slug}/open-link" + _query(group=group),
    )


def invitation_status(folder: DataFolder, slug: str) -> dict[str, Any]:
    """How many links were made and used."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.status(services, slug),
        f"/surveys/{slug}/invitations",
        body=None,
    )


def purge(folder: DataFolder, dry_run: bool = False) -> dict[str, Any]:
    """Carry out the deletion dates and empty the trash of what has been there for long enough."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: delete_due(services, dry_run),
        "/purge" + _query(dry_run=dry_run),
        # The caretaker would be there first, also at a dry run.
        caretaker=False,
    )


def manage_researchers(folder: DataFolder, action: str, **given: str) -> dict[str, Any]:
    """Add researchers, give them roles and so on; how they stand after that."""
    if action != "add":
        folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: act(services.office, action, given),
        f"/researchers/{action}",
        json.dumps(given).encode(),
    )


def read_log(folder: DataFolder, slug: str | None) -> dict[str, Any]:
    """The audit log, of all or of one survey, the newest entry first."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: log_summary(services.store.whole_history(slug)),
        "/log" + _query(slug=slug),
        body=None,
    )


def _take_step(
    folder: DataFolder, slug: str, name: str, step: Callable[[Store, str], Published]
) -> dict[str, Any]:
    """A step of a survey's life that needs nothing but its slug; how it stands after that."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: state_summary(step(services.store, slug)),
        f"/surveys/{slug}/{name}",
    )


def _direct_or_remote(
    folder: DataFolder,
    direct: Callable[[Services], dict[str, Any]],
    path: str,
    body: bytes | None = b"",
    caretaker: bool = True,
) -> dict[str, Any]:
    try:
        with running_services(folder, caretaker=caretaker) as services:
            return direct(services)
    except Refusal as refusal:
        if refusal.code != "data_folder_in_use":
            raise
    return call_operator(folder, path, body)


def _query(**chosen: bool | int | str | None) -> str:
    given = {name: value for name, value in chosen.items() if value not in (None, False)}
    given |= {name: "true" for name, value in given.items() if value is True}
    return f"?{urlencode(given)}"
