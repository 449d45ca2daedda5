"""The private keys of invited surveys: made at publishing, deleted once no ticket is given.

To check a report takes the document only. So from the moment a survey gives no more tickets, even
somebody with the whole data folder can make none.
"""

from collections.abc import Iterable

from client.core.access import INVITED
from client.core.survey import Survey
from server.store import reading
from server.store.database import Database
from server.store.lifecycle import closing


def with_new_keys(database: Database, survey: Survey) -> Survey:
    """Return the survey as it is published: an invited one with a new key for each group."""
    if survey.access != INVITED:
        return survey
    return survey.with_ticket_keys({group: database.keys.make() for group in survey.ticket_groups})


def delete_past_keys(database: Database, by_clock: bool = False) -> None:
    """Delete the keys of surveys that give no more tickets; by the clock only if it can be trusted.

    What was deleted and not recorded is deleted again: that does no harm.
    """
    past = reading.past_tickets(database.reader, by_clock)
    if past:
        delete_keys(database, [published.survey for published in past])
        database.write(closing.record_deleted_keys, past)


def delete_keys(database: Database, surveys: Iterable[Survey]) -> None:
    """Delete the keys of these versions, as far as they are there."""
    database.keys.delete(*(key for survey in surveys for _, key in survey.ticket_keys))
