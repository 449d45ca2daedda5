"""The store: publishing, handing in, closing and reading, in words of the domain."""

import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sqlite_utils import Database

from client.refusal import Refusal
from client.report import Report
from client.survey import Survey
from estimators.tally import Tally
from server.store import ballot_box, closing, publishing, reading, rewriting
from server.store.ballot_box import Ballot
from server.store.connection import open_reader, open_writer
from server.store.publishing import BuildSurvey
from server.store.records import Closing, Publication, Published
from server.store.schedule import Clock, Schedule, after, utc_now
from server.store.writer import Writer

# Longer than a disk's bad moment, shorter than a client's patience.
HAND_IN_SECONDS = 10.0


class Store:
    """One database file. The owner of a `Store` holds the data folder's lock."""

    def __init__(self, path: Path, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self._writer = Writer(lambda: open_writer(path))
        self._readers = threading.local()

    def close(self) -> None:
        """Finish what is queued and let go of the file, which is then complete on its own."""
        with suppress(Refusal):
            self._writer.write(rewriting.empty_log, alone=True)
        self._writer.close()

    @property
    def now(self) -> str:
        return self._clock()

    def publish(
        self, build: BuildSurvey, new_version: bool = False, schedule: Schedule | None = None
    ) -> Publication:
        """Open a survey, or a new version of it; the same content again changes nothing."""
        days = schedule or Schedule()
        publication = self._writer.write(
            lambda db: publishing.publish(db, build, new_version, days, self.now)
        )
        self._rewrite_if_owed()
        return publication

    def close_survey(self, slug: str) -> Closing:
        """Close for ever, then rewrite the file so that no page remembers an order."""
        outcome = self._writer.write(lambda db: closing.close(db, slug, self.now))
        return replace(outcome, compacted=self._rewrite_if_owed())

    def begin_closing(self, slug: str, hours: str) -> Published:
        """Give no more tickets; those that are out are good for so many hours."""
        return self._writer.write(
            lambda db: closing.begin_closing(db, slug, after(self.now, hours), self.now)
        )

    def archive(self, slug: str) -> Published:
        """Put a closed survey away; its results stay readable."""
        archived = self._writer.write(lambda db: closing.archive(db, slug, self.now))
        self._rewrite_if_owed()
        return archived

    def tend(self) -> None:
        """Do for good what the clock has decided, and what an earlier attempt left undone."""
        if reading.due(self._reader, self.now):
            self._writer.write(lambda db: closing.close_due(db, self.now))
        self._rewrite_if_owed()

    def renew(self, survey: Survey) -> Publication:
        """Put up a draft: all that its slug had before is gone, also from the bytes of the file."""
        publication = self._writer.write(lambda db: publishing.renew(db, survey, self.now))
        return replace(publication, wiped=self._rewrite_if_owed())

    def wipe(self, slug: str) -> bool:
        """Delete all that a slug has; whether the bytes are gone from the file, too."""
        self._writer.write(lambda db: publishing.wipe(db, slug))
        return self._rewrite_if_owed()

    def hand_in(self, ballot: Ballot) -> bool:
        """Store a report; True if it is new, False if it is the same again. On disk either way."""
        return self._writer.write(
            lambda db: ballot_box.put(db, ballot, self.now), timeout=HAND_IN_SECONDS
        )

    def is_repeat(self, published: Published, id: str, report: Report) -> bool:
        """Whether this very report is on disk already; another one under its id is refused."""
        return ballot_box.is_repeat(self._reader, published, id, report)

    def latest(self, slug: str) -> Published:
        """The newest version of a survey."""
        return reading.newest(self._reader, slug, self.now)

    def next_version(self, slug: str) -> int:
        """The number that the next version of a survey will have."""
        last = reading.latest(self._reader, slug, self.now)
        return 1 if last is None else last.survey.version + 1

    def versions(self, slug: str) -> list[Published]:
        """Every version of a survey, the newest first."""
        found = reading.versions(self._reader, slug, self.now)
        if not found:
            raise reading.unknown_survey(slug)
        return found

    def tallies(self, slug: str, version: int | None = None) -> tuple[Published, dict[str, Tally]]:
        """A version, the newest unless told, and the tally of each question, of one moment."""
        with self._reader.atomic() as db:
            for published in reading.versions(db, slug, self.now):
                if version in (None, published.survey.version):
                    return published, reading.tallies(db, published)
        raise reading.unknown_survey(slug)

    def _rewrite_if_owed(self) -> bool:
        """Whether the file is clean; if something is in the way, `tend` tries again later."""
        try:
            if rewriting.is_owed(self._reader):
                self._writer.write(rewriting.rewrite, alone=True)
        except Refusal:
            return False
        return True

    @property
    def _reader(self) -> Database:
        """One read-only connection per thread."""
        if not hasattr(self._readers, "db"):
            self._readers.db = open_reader(self._path)
        db: Database = self._readers.db
        return db
