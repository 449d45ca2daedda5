"""Storing a report that comes with its ticket."""

from collections.abc import Sequence
from concurrent.futures import Future

from client.core.assignment import check_assignment
from client.core.primitives import canonical
from client.core.primitives.refusal import require
from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from client.core.tickets.ticket import report_id
from server.store import ballot_box, reading
from server.store.database import Database
from server.surveys import tickets
from server.surveys.ballots.ballot import Ballot
from server.surveys.groups import takes_plain_link
from server.web.services import Services

# Longer than a disk's bad moment, shorter than a client's patience.
HAND_IN_SECONDS = 10.0


def store_ballot(database: Database, ballot: Ballot) -> bool:
    """Store a checked report; True if it is new, False if it is a repeat. On disk either way."""
    return database.write_in_set(HAND_IN_SECONDS, ballot_box.put_all, ballot)


def hand_in(
    services: Services, slug: str, body: bytes, ticket: str | None, test: bool = False
) -> bool:
    """Check and store a report; True if it is new, False if it is a repeat. On disk either way."""
    database = services.database_of(test)
    surveys = database.remember(reading.surveys, slug)
    return store_ballot(database, _ballot(services, surveys, body, ticket))


def start_hand_in(
    services: Services, slug: str, body: bytes, ticket: str | None, test: bool = False
) -> "Future[bool] | None":
    """Begin what `hand_in` does without waiting or reading a file; None if it takes more."""
    database = services.database_of(test)
    surveys = database.remembered(reading.surveys, slug)
    if surveys is None:
        return None
    return database.start_in_set(ballot_box.put_all, _ballot(services, surveys, body, ticket))


def _ballot(
    services: Services, surveys: Sequence[Survey], body: bytes, ticket: str | None
) -> Ballot:
    """Check a report and its ticket, in this order; the ticket gives the report its id."""
    value = canonical.parse(body, MAX_REPORT_BYTES)
    survey = _version_for(surveys, value)
    report = Report.read(value, survey)
    of_ticket = tickets.check(services.secret, survey, ticket)
    group = report.group or of_ticket
    check_assignment(survey, str(ticket), report.randomized)
    require(bool(group) or takes_plain_link(survey), "link_without_group", "ticket")
    return Ballot(survey, report_id(str(ticket)), report, group)


def _version_for(surveys: Sequence[Survey], value: object) -> Survey:
    """Return the version that a report names, or the newest, which will refuse it.

    A device may ask again about a report that it handed in before a new version came.
    """
    fingerprint = value.get("fingerprint") if isinstance(value, dict) else None
    named = (survey for survey in surveys if survey.fingerprint == fingerprint)
    return next(named, surveys[0])
