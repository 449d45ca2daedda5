"""The store: publishing, handing in, closing and reading, in words of the domain."""

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sqlite_utils import Database

from client.refusal import Refusal
from client.report import Report
from estimators.tally import Tally
from server.store import ballot_box, publishing, reading
from server.store.ballot_box import Ballot
from server.store.connection import open_reader, open_writer
from server.store.publishing import BuildSurvey
from server.store.records import Closing, Publication, Published
from server.store.writer import Writer

# Longer than a disk's bad moment, shorter than a client's patience.
HAND_IN_SECONDS = 10.0


class Store:
    """One database file. The owner of a `Store` holds the data folder's lock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = Writer(lambda: open_writer(path))
        self._readers = threading.local()

    def close(self) -> None:
        """Finish what is queued and let go of the file, which is then complete on its own."""
        with suppress(Refusal):
            self._writer.write(_empty_log, alone=True)
        self._writer.close()

    def publish(self, build: BuildSurvey, new_version: bool = False) -> Publication:
        """Open a survey, or a new version of it; the same content again changes nothing."""
        return self._writer.write(lambda db: publishing.publish(db, build, new_version))

    def close_survey(self, slug: str) -> Closing:
        """Close for ever, then rewrite the file so that no page remembers an order."""
        closing = self._writer.write(lambda db: publishing.close(db, slug))
        try:
            self._writer.write(_compact, alone=True)
        except Refusal:
            return replace(closing, compacted=False)
        return closing

    def hand_in(self, ballot: Ballot) -> bool:
        """Store a report; True if it is new, False if it is the same again. On disk either way."""
        return self._writer.write(lambda db: ballot_box.put(db, ballot), timeout=HAND_IN_SECONDS)

    def is_repeat(self, published: Published, id: str, report: Report) -> bool:
        """Whether this very report is on disk already; another one under its id is refused."""
        return ballot_box.is_repeat(self._reader, published, id, report)

    def latest(self, slug: str) -> Published:
        """The newest version of a survey."""
        published = reading.latest(self._reader, slug)
        if published is None:
            raise publishing.unknown_survey(slug)
        return published

    def versions(self, slug: str) -> list[Published]:
        """Every version of a survey, the newest first."""
        found = reading.versions(self._reader, slug)
        if not found:
            raise publishing.unknown_survey(slug)
        return found

    def tallies(self, slug: str, version: int | None = None) -> tuple[Published, dict[str, Tally]]:
        """A version, the newest unless told, and the tally of each question, of one moment."""
        with self._reader.atomic() as db:
            for published in reading.versions(db, slug):
                if version in (None, published.survey.version):
                    return published, reading.tallies(db, published)
        raise publishing.unknown_survey(slug)

    @property
    def _reader(self) -> Database:
        """One read-only connection per thread."""
        if not hasattr(self._readers, "db"):
            self._readers.db = open_reader(self._path)
        db: Database = self._readers.db
        return db


def _compact(db: Database) -> None:
    db.execute("VACUUM")
    # Last, because VACUUM writes the new file through the log.
    _empty_log(db)


def _empty_log(db: Database) -> None:
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise Refusal("storage_unavailable", "a reader keeps the log from being emptied")
