"""The store: publishing, handing in, closing and reading, in words of the domain."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace

from sqlite_utils import Database

from client.core.report import Report
from client.core.survey import Survey
from server.store import (
    audit_log,
    ballot_box,
    closing,
    deleting,
    groups,
    publishing,
    reading,
    results,
    snapshots,
    trial,
)
from server.store.ballot_box import Ballot
from server.store.database import StoreFile
from server.store.deleting import Due
from server.store.publishing import BuildSurvey
from server.store.results import Ballots, read_ballots
from server.store.snapshots import Snapshot
from server.surveys.audit import CLOCK, OPERATOR, AuditContext, Entry
from server.surveys.records import Closing, Group, Publication, Published
from server.surveys.researchers import Author
from server.surveys.schedule import Clock, Schedule, after, utc_now

# Longer than a disk's bad moment, shorter than a client's patience.
HAND_IN_SECONDS = 10.0


class Store:
    """The surveys and the ballot box of one database file."""

    def __init__(self, file: StoreFile, clock: Clock = utc_now) -> None:
        self._file = file
        self._clock = clock

    @property
    def now(self) -> str:
        return self._clock()

    def publish(
        self,
        build: BuildSurvey,
        new_version: bool = False,
        schedule: Schedule | None = None,
        author: Author | None = None,
    ) -> Publication:
        """Open a survey, or a new version of it; the same content again changes nothing.

        Without an author it is the operator's.
        """
        wish = (build, new_version, schedule or Schedule())

        def work(db: Database) -> Publication:
            if author is None:
                return publishing.publish(db, *wish, AuditContext(self.now, OPERATOR))
            deed = AuditContext(self.now, author.researcher.name)
            return publishing.publish_as(db, author, *wish, deed)

        publication = self._file.write(work)
        self._file.rewrite_if_owed()
        return publication

    def close_survey(self, slug: str, actor: str = OPERATOR) -> Closing:
        """Close for ever, then rewrite the file so that no page remembers an order."""
        outcome = self._file.write(
            lambda db: closing.close(db, slug, AuditContext(self.now, actor))
        )
        return replace(outcome, compacted=self._file.rewrite_if_owed())

    def begin_closing(self, slug: str, hours: str, actor: str = OPERATOR) -> Published:
        """Give no more tickets; those that are out are good for so many hours."""
        return self._file.write(
            lambda db: closing.begin_closing(
                db, slug, after(self.now, hours), AuditContext(self.now, actor)
            )
        )

    def archive(self, slug: str, actor: str = OPERATOR) -> Published:
        """Put a closed survey away; its results stay readable."""
        archived = self._file.write(
            lambda db: closing.archive(db, slug, AuditContext(self.now, actor))
        )
        self._file.rewrite_if_owed()
        return archived

    def trash(self, slug: str, actor: str = OPERATOR) -> Published:
        """Put a closed survey out of everybody's sight, to be removed after a while."""
        trashed = self._file.write(
            lambda db: deleting.trash(db, slug, AuditContext(self.now, actor))
        )
        self._file.rewrite_if_owed()
        return trashed

    def restore(self, slug: str, actor: str = OPERATOR) -> Published:
        """Take a survey out of the trash, just as it was."""
        return self._file.write(
            lambda db: deleting.restore(db, slug, AuditContext(self.now, actor))
        )

    def to_delete(self) -> Due:
        """What the deletion dates and the trash ask for by now."""
        return deleting.due(self._file.reader, self.now)

    def purge(self, actor: str = OPERATOR) -> tuple[Due, bool]:
        """Delete what is due; what it was, and whether the bytes are gone from the file, too."""
        done = Due((), ())
        if self.to_delete():
            done = self._file.write(
                lambda db: deleting.carry_out(db, AuditContext(self.now, actor))
            )
        return done, self._file.rewrite_if_owed()

    def tend(self) -> None:
        """Do for good what the clock has decided, and what an earlier attempt left undone."""
        if reading.due(self._file.reader, self.now):
            self._file.write(lambda db: closing.close_due(db, self.now))
        self.purge(CLOCK)
        self._file.empty_log()

    def renew(self, survey: Survey, actor: str = OPERATOR) -> Publication:
        """Put up a draft: all that its slug had before is gone, also from the bytes of the file."""
        publication = self._file.write(lambda db: trial.renew(db, survey, actor, self.now))
        return replace(publication, wiped=self._file.rewrite_if_owed())

    def require_own_test(self, slug: str, actor: str) -> None:
        """Refuse a slug that somebody else is testing."""
        trial.require_own(self._file.reader, slug, actor)

    def test_owner(self, slug: str) -> str | None:
        """Who put up the test of a slug, if there is one."""
        return trial.owner(self._file.reader, slug)

    def wipe(self, slug: str) -> bool:
        """Delete all that a slug has; whether the bytes are gone from the file, too."""
        self._file.write(lambda db: publishing.wipe(db, slug))
        return self._file.rewrite_if_owed()

    def hand_in(self, ballot: Ballot) -> bool:
        """Store a report; True if it is new, False if it is the same again. On disk either way."""
        return self._file.write(
            lambda db: ballot_box.put(db, ballot, self.now), timeout=HAND_IN_SECONDS
        )

    def is_repeat(self, published: Published, id: str, report: Report) -> bool:
        """Whether this very report is on disk already; another one under its id is refused."""
        return ballot_box.is_repeat(self._file.reader, published, id, report)

    def latest(self, slug: str) -> Published:
        """The newest version of a survey."""
        return reading.newest(self._file.reader, slug, self.now)

    def slugs(self) -> list[str]:
        """Of every survey."""
        return reading.slugs(self._file.reader)

    def next_version(self, slug: str) -> int:
        """The number that the next version of a survey will have."""
        last = reading.latest(self._file.reader, slug, self.now)
        return 1 if last is None else last.survey.version + 1

    def versions(self, slug: str) -> list[Published]:
        """Every version of a survey, the newest first."""
        found = reading.versions(self._file.reader, slug, self.now)
        if not found:
            raise reading.unknown_survey(slug)
        return found

    def live(
        self, slug: str, version: int | None = None, group: str | None = None
    ) -> tuple[Published, Snapshot | None]:
        """A version, the newest unless told, and its tallies now, of all groups or of one.

        No tallies while nobody may read them.
        """
        with self._file.reader.atomic() as db:
            published = reading.version_of(db, slug, version, self.now)
            return published, results.live_tallies(db, published, group)

    def groups(self, slug: str, version: int | None = None) -> list[Group]:
        """The groups of a version, that of links without a group first."""
        with self._file.reader.atomic() as db:
            return reading.groups(db, reading.version_of(db, slug, version, self.now))

    def invite(
        self, published: Published, group: str, hashes: Iterable[bytes], actor: str = OPERATOR
    ) -> None:
        """Store tickets that are issued ahead; only their hashes are kept."""
        self._file.write(
            lambda db: groups.invite(db, published, group, hashes, AuditContext(self.now, actor))
        )

    def add_group(self, published: Published, group: str, actor: str = OPERATOR) -> None:
        """Make room for the reports of a group, if it is new."""
        self._file.write(
            lambda db: groups.add_group(db, published, group, AuditContext(self.now, actor))
        )

    def require_unused(self, published: Published, ticket_hash: bytes) -> None:
        """Refuse a ticket that has been spent, or that nobody was invited with."""
        ballot_box.require_unused(self._file.reader, published, ticket_hash)

    def snapshot(
        self, slug: str, version: int | None = None, group: str | None = None
    ) -> tuple[Published, Snapshot | None]:
        """The same as the public may see it; nothing while there are too few reports, or sealed."""
        with self._file.reader.atomic() as db:
            published = reading.version_of(db, slug, version, self.now)
            return published, snapshots.newest(db, published, group)

    def ballots(self, slug: str, version: int | None = None) -> AbstractContextManager[Ballots]:
        """A version, its tallies and its reports, of one moment: what an export is made of."""
        return read_ballots(self._file.reader, slug, version, self.now)

    def history(self, slug: str) -> list[Entry]:
        """What was decided about the survey that has the slug now, the newest first."""
        return audit_log.entries_since_removal(self._file.reader, slug)

    def whole_history(self, slug: str | None = None) -> list[Entry]:
        """The same about all that a slug ever had, or about everything: for the operator."""
        return audit_log.entries(self._file.reader, slug)
