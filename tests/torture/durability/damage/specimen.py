"""A database with a bit of everything, as a server leaves it that was killed or stopped."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from server.data_folder import DataFolder
from server.store.database import Connection
from server.store.wal.damage import log_of
from server.surveys.ballots.ballot import Ballot
from tests.support.ballots import DAYS, LOG_KEY, crowd, happen, heard, in_set, opened
from tests.support.clock import FakeClock
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.figures import Figures, figures

# Of each survey, before the log was emptied and since.
BEFORE, SINCE = 120, 60
MOST_AT_ONCE = 8


@dataclass(frozen=True)
class Specimen:
    """The files of a data folder by name, and what its database says."""

    files: dict[str, bytes]
    figures: Figures

    def put(self, path: Path) -> DataFolder:
        """Write the files into an empty folder."""
        folder = DataFolder(path)
        folder.put_keys({"log.key": LOG_KEY.hex()})
        for name, content in self.files.items():
            (path / name).write_bytes(content)
        return folder


def killed(random: Random) -> Specimen:
    """Store reports of open and closed surveys; half of what happened is still in the log."""
    with in_memory() as place, closing(_filled(place, random)):
        return _read(place)


def stopped(random: Random) -> Specimen:
    """Store the same; everything is in the file, and there is no log."""
    with in_memory() as place:
        _filled(place, random).close()
        return _read(place)


def _filled(place: Path, random: Random) -> Connection:
    db = opened(DataFolder(place).database, FakeClock(DAYS[0]))
    _begin(db, random)
    _go_on(db, random)
    return db


def _read(place: Path) -> Specimen:
    path = DataFolder(place).database
    files = [file for file in (path, log_of(path)) if file.exists()]
    return Specimen({file.name: file.read_bytes() for file in files}, figures(path))


def _begin(db: Connection, random: Random) -> None:
    """Take reports, close a survey, which rewrites the file, and empty the log."""
    for slug in ("plain", "choice", "full"):
        heard(db, [happen(("publish", slug))])
    _take(db, crowd("full", 0, 5), random)
    heard(db, [happen(("close", "full"))])
    for slug, first in (("plain", 1000), ("choice", 2000)):
        _take(db, crowd(slug, first, BEFORE), random)
    db.rewrite()


def _go_on(db: Connection, random: Random) -> None:
    """Take more reports and close another survey, all of it in the log."""
    for slug, first in (("choice", 3000), ("plain", 4000)):
        _take(db, crowd(slug, first, SINCE), random)
    heard(db, [happen(("close", "choice"))])
    _take(db, crowd("plain", 5000, SINCE), random)


def _take(db: Connection, ballots: Sequence[Ballot], random: Random) -> None:
    """Store ballots in sets of different sizes."""
    place = 0
    while place < len(ballots):
        count = random.randint(1, MOST_AT_ONCE)
        heard(db, [in_set(ballot) for ballot in ballots[place : place + count]])
        place += count
