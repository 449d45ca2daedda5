"""The private keys of invited surveys: made at publishing, deleted once no ticket is given.

To check a report takes the document only. So from the moment a survey gives no more tickets, even
somebody with the whole data folder can make none.
"""

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from client.core.access import INVITED
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.signing.keys import SigningKeys
from server.store import reading
from server.store.database import Database, open_current_reader
from server.store.lifecycle.closing import record_deleted_keys


def with_new_keys(database: Database, survey: Survey) -> Survey:
    """Return the survey as it is published: an invited one with a new key for each group."""
    if survey.access != INVITED:
        return survey
    return survey.with_ticket_keys({group: database.keys.make() for group in survey.ticket_groups})


def key_faults(database: Path, folder: Path) -> list[str]:
    """Say of each survey that gives tickets if the keys in a folder cannot sign them."""
    keys, found = SigningKeys(folder), []
    with closing(open_current_reader(database)) as db:
        for published in reading.with_keys(db):
            survey = published.survey
            try:
                for _, key in survey.ticket_keys:
                    keys.check(key)
            except Refusal as refusal:
                found.append(f"{survey.slug} version {survey.version}: {refusal.message}")
    return found


def put_keys_back(database: Path, folder: Path, files: Mapping[str, str]) -> None:
    """Store those keys of a backup that sign tickets still: others would never be deleted again."""
    with closing(open_current_reader(database)) as db:
        surveys = [published.survey for published in reading.with_keys(db, by_clock=False)]
    wanted = [key for survey in surveys for _, key in survey.ticket_keys]
    SigningKeys(folder).put_back(files, wanted)


def delete_past_keys(database: Database, by_clock: bool = False) -> None:
    """Delete the keys of surveys that give no more tickets; by the clock only if it can be trusted.

    What was deleted and not recorded is deleted again: that does no harm.
    """
    past = reading.past_tickets(database.reader, by_clock)
    if past:
        delete_keys(database, [published.survey for published in past])
        database.write(record_deleted_keys, past)


def delete_keys(database: Database, surveys: Iterable[Survey]) -> None:
    """Delete the keys of these versions, as far as they are there."""
    database.keys.delete(*(key for survey in surveys for _, key in survey.ticket_keys))
