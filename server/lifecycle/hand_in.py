"""Issuing tickets, and storing a report that comes with an id and a ticket."""

from collections.abc import Sequence
from concurrent.futures import Future

from client.core.assignment import check_assignment
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from client.core.report import Report, check_report_id
from client.core.survey import MAX_REPORT_BYTES, Survey
from server.lifecycle.invitations import redeem
from server.store import ballot_box, reading
from server.store.database import Database
from server.surveys import tickets
from server.surveys.ballots.ballot import Ballot
from server.surveys.groups import takes_plain_link
from server.web.services import Services

# Longer than a disk's bad moment, shorter than a client's patience.
HAND_IN_SECONDS = 10.0


def issue_ticket(
    services: Services, slug: str, test: bool = False, invitation: str | None = None
) -> str:
    """Issue a ticket for one report to the open version of a survey, or to the test of its draft.

    For somebody with a personal link it is the one of that link, if that can still be used.
    """
    database = services.database_of(test)
    published = reading.newest(database.reader, slug)
    published.require_tickets()
    survey = published.survey
    if invitation is not None:
        ticket = redeem(services, published, invitation)
    else:
        require(not survey.by_invitation, "invitation_missing", "invitation")
        require(takes_plain_link(survey), "link_without_group", "invitation")
        ticket = tickets.issue(services.secret, survey.fingerprint)
    services.tickets_issued.count(published.key, published.schedule.per_hour)
    return ticket


def store_ballot(database: Database, ballot: Ballot) -> bool:
    """Store a checked report; True if it is new, False if it is a repeat. On disk either way."""
    return database.write_in_set(HAND_IN_SECONDS, ballot_box.put_all, ballot)


def hand_in(
    services: Services, slug: str, id: str, body: bytes, ticket: str | None, test: bool = False
) -> bool:
    """Check and store a report; True if it is new, False if it is a repeat. On disk either way."""
    check_report_id(id)
    database = services.database_of(test)
    survey, report = _read(database.remember(reading.surveys, slug), body)
    try:
        ticket_hash = _check_ticket(services, survey, report, ticket)
    except Refusal:
        # The same report again is welcome whatever its ticket: what counts is that it is stored.
        if ballot_box.is_repeat(database.reader, survey, id, report):
            return False
        raise
    return store_ballot(database, _ballot(survey, id, report, str(ticket), ticket_hash))


def start_hand_in(
    services: Services, slug: str, id: str, body: bytes, ticket: str | None, test: bool = False
) -> "Future[bool] | None":
    """Begin what `hand_in` does without waiting or reading a file; None if it takes more."""
    check_report_id(id)
    database = services.database_of(test)
    surveys = database.remembered(reading.surveys, slug)
    if surveys is None:
        return None
    try:
        survey, report = _read(surveys, body)
        ticket_hash = _check_ticket(services, survey, report, ticket)
        ballot = _ballot(survey, id, report, str(ticket), ticket_hash)
    except Refusal:
        return None
    return database.start_in_set(ballot_box.put_all, ballot)


def _read(surveys: Sequence[Survey], body: bytes) -> tuple[Survey, Report]:
    """Return a report and the version of the survey that it is for."""
    value = canonical.parse(body, MAX_REPORT_BYTES)
    survey = _version_for(surveys, value)
    return survey, Report.read(value, survey)


def _check_ticket(services: Services, survey: Survey, report: Report, ticket: str | None) -> bytes:
    """Return the hash of a ticket that is good for a report; raise otherwise."""
    ticket_hash = tickets.check(services.secret, survey.fingerprint, ticket)
    check_assignment(survey, str(ticket), report.randomized)
    return ticket_hash


def _ballot(survey: Survey, id: str, report: Report, ticket: str, ticket_hash: bytes) -> Ballot:
    group = report.group or tickets.group_of(ticket)
    require(bool(group) or takes_plain_link(survey), "link_without_group", "ticket")
    return Ballot(survey, id, report, ticket_hash, group)


def _version_for(surveys: Sequence[Survey], value: object) -> Survey:
    """Return the version that a report names, or the newest, which will refuse it.

    A device may ask again about a report that it handed in before a new version came.
    """
    fingerprint = value.get("fingerprint") if isinstance(value, dict) else None
    named = (survey for survey in surveys if survey.fingerprint == fingerprint)
    return next(named, surveys[0])
