"""The operator's actions: directly on the data folder, or through a server that runs there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from client.authoring.files import parse_survey_file, read_bytes
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
from server.surveys.publication import check_protection, check_publishable
from server.surveys.records import Published
from server.surveys.researchers import OPERATOR
from server.surveys.schedule import Schedule, utc_now
from server.surveys.strays import GroupChoice
from server.surveys.summary import log_summary, publication_summary, state_summary
from server.web.services import Services


@dataclass(frozen=True)
class Loaded:
    """A survey file as a draft, to be sent to a server, and as the survey that it describes."""

    draft: dict[str, Any]
    survey: Survey


def load(path: Path) -> Loaded:
    """Read a survey file; raise with the place in the file if it has a fault."""
    file = parse_survey_file(read_bytes(path), str(path))
    return Loaded(file.draft, file.build())


def publish(
    folder: DataFolder,
    loaded: Loaded,
    new_version: bool = False,
    confirm_weak: bool = False,
    opens: str | None = None,
    closes: str | None = None,
    closes_at: int | None = None,
    per_hour: int | None = None,
) -> dict[str, Any]:
    """Publish a survey file; return a summary of the published version."""
    now = utc_now()
    schedule = Schedule.of_days(opens, closes, now, closes_at, per_hour)
    # Before the data folder is touched: a refused file leaves nothing behind.
    check_publishable(loaded.survey, confirm_weak, schedule, now)
    numbers = {"closes_at": closes_at, "per_hour": per_hour}
    choices = {"new_version": new_version, "confirm_weak": confirm_weak}
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(
            publish_survey(services, loaded.survey, new_version, confirm_weak, schedule)
        ),
        "/surveys" + _query(**choices, opens=opens, closes=closes, **numbers),
        json.dumps(loaded.draft).encode(),
    )


def put_up_test(folder: DataFolder, loaded: Loaded, confirm_weak: bool) -> dict[str, Any]:
    """Put a survey file up as a test; return a summary of the test."""
    check_protection(loaded.survey, confirm_weak)
    return _direct_or_remote(
        folder,
        lambda services: publication_summary(
            publishing.put_up_test(services, loaded.survey, confirm_weak)
        ),
        "/drafts" + _query(confirm_weak=confirm_weak),
        json.dumps(loaded.draft).encode(),
    )


def close(
    folder: DataFolder, slug: str, grace: str | None = None, groups: GroupChoice | None = None
) -> dict[str, Any]:
    """Close a survey, at once or after hours of grace; return its final figures or its end."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: close_survey(services, slug, grace, groups),
        f"/surveys/{slug}/close" + _query(grace=grace, groups=groups),
    )


def reopen(folder: DataFolder, slug: str, closes_at: int) -> dict[str, Any]:
    """Let a full survey take reports again; return its new state."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: state_summary(ending.reopen(services.database, slug, closes_at)),
        f"/surveys/{slug}/reopen" + _query(closes_at=closes_at),
    )


def archive(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Archive a closed survey; return its new state."""
    return _take_step(
        folder, slug, "archive", lambda services: ending.archive(services.database, slug)
    )


def trash(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Move a closed survey to the trash; return its new state."""
    return _take_step(folder, slug, "trash", lambda services: ending.trash(services, slug))


def restore(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Take a survey out of the trash; return its new state."""
    return _take_step(
        folder, slug, "restore", lambda services: ending.restore(services.database, slug)
    )


def invite(folder: DataFolder, slug: str, count: int, group: str = "") -> dict[str, Any]:
    """Issue tickets for `count` personal links; return what the links carry."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.invite(services, slug, count, group),
        f"/surveys/{slug}/invitations" + _query(count=count, group=group),
    )


def invite_strata(folder: DataFolder, slug: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """Make codes for personal links of several groups; return what the links carry."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.invite_strata(services, slug, counts),
        f"/surveys/{slug}/invitations/strata",
        json.dumps({"counts": counts}).encode(),
    )


def open_link(folder: DataFolder, slug: str, group: str = "") -> dict[str, Any]:
    """Return what the open link of a survey, or of one of its groups, carries."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.open_link(services, slug, group),
        f"/surveys/{slug}/open-link" + _query(group=group),
    )


def invitation_status(folder: DataFolder, slug: str) -> dict[str, Any]:
    """Return how many links were made and used."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: invitations.status(services, slug),
        f"/surveys/{slug}/invitations",
        body=None,
    )


def purge(folder: DataFolder, dry_run: bool = False) -> dict[str, Any]:
    """Delete the reports and empty the trash where it is due; return what was deleted."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: delete_due(services, dry_run),
        "/purge" + _query(dry_run=dry_run),
        # Housekeeping would delete first, even in a dry run.
        housekeeping=False,
    )


def clock(folder: DataFolder, day: str | None = None) -> dict[str, Any]:
    """Return what is known about the clock; with a day, confirm it first."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: _clock(services, day),
        "/clock" + _query(confirm=day),
        None if day is None else b"",
        housekeeping=False,
    )


def _clock(services: Services, day: str | None) -> dict[str, Any]:
    if day is not None:
        services.watch.confirm(day, OPERATOR)
    return services.watch.summary()


def manage_researchers(folder: DataFolder, action: str, **given: str) -> dict[str, Any]:
    """Add researchers, give them roles and so on; return them as they are after that."""
    if action != "add":
        folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: act(services, action, given),
        f"/researchers/{action}",
        json.dumps(given).encode(),
    )


def read_log(folder: DataFolder, slug: str | None) -> dict[str, Any]:
    """Return the audit log of all surveys or of one, newest entry first."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: log_summary(audit_log.entries(services.database.reader, slug)),
        "/log" + _query(slug=slug),
        body=None,
    )


def _take_step(
    folder: DataFolder, slug: str, name: str, step: Callable[[Services], Published]
) -> dict[str, Any]:
    """Take a step that needs only the survey's slug; return the survey's new state."""
    folder.require_database()
    return _direct_or_remote(
        folder,
        lambda services: state_summary(step(services)),
        f"/surveys/{slug}/{name}",
    )


def _direct_or_remote(
    folder: DataFolder,
    direct: Callable[[Services], dict[str, Any]],
    path: str,
    body: bytes | None = b"",
    housekeeping: bool = True,
) -> dict[str, Any]:
    """Act on the folder; if another process holds its lock, ask the server there instead."""
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
