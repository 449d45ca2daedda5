"""What the operator does: directly when nobody writes in the folder, else through the server."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from client.authoring.files import bytes_of, parse_survey_file
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.accounts.management import act
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.lifecycle import ending, invitations, publishing
from server.lifecycle.ending import close_survey, delete_due
from server.lifecycle.publishing import publish as publish_survey
from server.serving import running_services
from server.store import audit_log
from server.store.database import Database
from server.surveys.publication import check_protection, check_publishable
from server.surveys.records import Published
from server.surveys.schedule import Schedule, utc_now
from server.surveys.summary import log_summary, publication_summary, state_summary
from server.web.services import Services


@dataclass(frozen=True)
class Loaded:
    """A survey file that was read once: the draft, to be sent, and the survey that it describes."""

    draft: dict[str, Any]
    survey: Survey


def load(path: Path) -> Loaded:
    """Read and build a survey file; a refusal names its place in the file."""
    file = parse_survey_file(bytes_of(path), str(path))
    return Loaded(file.draft, file.build())


def publish(
    folder: DataFolder,
    loaded: Loaded,
    new_version: bool = False,
    confirm_weak: bool = False,
    opens: str | None = None,
    closes: str | None = None,
    closes_at: int | None = None,
) -> dict[str, Any]:
    """Publish a survey file; the figures of the published version."""
    now = utc_now()
    schedule = Schedule.of_days(opens, closes, now, closes_at)
    # Before the data folder is touched: a refused file leaves nothing behind.
    check_publishable(loaded.survey, confirm_weak, schedule, now)
    choices = {"new_version": new_version, "confirm_weak": confirm_weak}
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(
            publish_survey(services, loaded.survey, new_version, confirm_weak, schedule)
        ),
        "/surveys" + _query(**choices, opens=opens, closes=closes, closes_at=closes_at),
        json.dumps(loaded.draft).encode(),
    )


def put_up_test(folder: DataFolder, loaded: Loaded, confirm_weak: bool) -> dict[str, Any]:
    """Put up a survey file as a draft to be tested; the figures of the test."""
    check_protection(loaded.survey, confirm_weak)
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(
            publishing.put_up_test(services, loaded.survey, confirm_weak)
        ),
        "/drafts" + _query(confirm_weak=confirm_weak),
        json.dumps(loaded.draft).encode(),
    )


def close(folder: DataFolder, slug: str, grace: str | None = None) -> dict[str, Any]:
    """Close a survey, at once or after some hours of grace; its final figures, or when it ends."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: close_survey(services.database, slug, grace),
        f"/surveys/{slug}/close" + _query(grace=grace),
    )


def archive(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Put a closed survey away."""
    return _take_step(folder, slug, "archive", ending.archive)


def trash(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Put a closed survey into the trash."""
    return _take_step(folder, slug, "trash", ending.trash)


def restore(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Take a survey out of the trash."""
    return _take_step(folder, slug, "restore", ending.restore)


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
        # Housekeeping would be there first, also at a dry run.
        housekeeping=False,
    )


def manage_researchers(folder: DataFolder, action: str, **given: str) -> dict[str, Any]:
    """Add researchers, give them roles and so on; how they stand after that."""
    if action != "add":
        folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: act(services.database, action, given),
        f"/researchers/{action}",
        json.dumps(given).encode(),
    )


def read_log(folder: DataFolder, slug: str | None) -> dict[str, Any]:
    """The audit log, of all or of one survey, the newest entry first."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: log_summary(audit_log.entries(services.database.reader, slug)),
        "/log" + _query(slug=slug),
        body=None,
    )


def _take_step(
    folder: DataFolder, slug: str, name: str, step: Callable[[Database, str], Published]
) -> dict[str, Any]:
    """A step of a survey's life that needs nothing but its slug; how it stands after that."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: state_summary(step(services.database, slug)),
        f"/surveys/{slug}/{name}",
    )


def _direct_or_remote(
    folder: DataFolder,
    direct: Callable[[Services], dict[str, Any]],
    path: str,
    body: bytes | None = b"",
    housekeeping: bool = True,
) -> dict[str, Any]:
    try:
        with running_services(folder, housekeeping=housekeeping) as services:
            return direct(services)
    except Refusal as refusal:
        if refusal.code != "data_folder_in_use":
            raise
    return call_operator(folder, path, body)


def _query(**chosen: bool | int | str | None) -> str:
    given = {name: value for name, value in chosen.items() if value not in (None, False)}
    given |= {name: "true" for name, value in given.items() if value is True}
    return f"?{urlencode(given)}"
