"""The power fails between any two calls to the disk: nothing that was acknowledged is lost."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.serving import running_services
from server.store import reading
from server.store.verify import verify
from tests.support.hand_in import stored_ids
from tests.torture.durability.disk.medium import Medium
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.disk.trace import WRITTEN, Record
from tests.torture.durability.recording import Recording, record
from tests.torture.row import Outcome, Progress, Row

# Of one recording; each has its own instants, batches and order of calls.
CUTS_EACH = 250
# How many calls before and after anything but a write count as near it.
NEAR = 3


@dataclass(frozen=True)
class Cut:
    """A folder as it could look after a power cut, and what had been promised by then."""

    # So many calls were made.
    place: int
    files: dict[str, bytes]
    reports: frozenset[str]
    # The digests of closed surveys.
    closed: dict[str, str]


def cuts(recording: Recording, count: int, random: Random, medium: Medium) -> Iterator[Cut]:
    """Yield so many cuts of a recording, in the order of their places."""
    places = sorted(_places(recording.records, count, random), reverse=True)
    reports: set[str] = set()
    closed: dict[str, str] = {}
    for place in range(len(recording.records) + 1):
        if place in recording.reports:
            reports.add(recording.reports[place].id)
        if place in recording.closed:
            closed |= [recording.closed[place]]
        while places and places[-1] == place:
            places.pop()
            yield Cut(place, medium.cut(random), frozenset(reports), dict(closed))
        if place < len(recording.records):
            medium.happen(recording.records[place])


def _places(records: list[Record], count: int, random: Random) -> Iterator[int]:
    """Yield places: half of them anywhere, half near a call that is more than one more write."""
    near = [place for place, record in enumerate(records) if record.what != WRITTEN]
    for number in range(count):
        if number % 2:
            yield random.randint(0, len(records))
        else:
            place = random.choice(near) + random.randint(-NEAR, NEAR)
            yield min(max(place, 0), len(records))


def faults(cut: Cut, recording: Recording, path: Path) -> list[str]:
    """Put a cut into an empty folder, start there, and say what is wrong."""
    folder = DataFolder(path)
    for name, content in cut.files.items():
        (path / name).write_bytes(content)
    try:
        return [*_before_start(cut, folder), *_after_start(cut, recording, folder)]
    except Refusal as refusal:
        return [refusal.message]
    except sqlite3.DatabaseError as error:
        return [str(error)]


def _before_start(cut: Cut, folder: DataFolder) -> list[str]:
    """Verify the folder as the power cut left it, once something was promised."""
    if not cut.reports:
        return []
    return verify(folder.require_database(), log_key=folder.log_key).problems


def _after_start(cut: Cut, recording: Recording, folder: DataFolder) -> Iterator[str]:
    with running_services(folder, housekeeping=False) as services:
        ids = stored_ids(folder)
        stored = set(ids)
        if lost := cut.reports - stored:
            yield f"{len(lost)} of {len(cut.reports)} acknowledged reports are lost"
        if len(ids) != len(stored) or not stored <= recording.sent:
            yield "reports are stored twice, or were never sent"
        for slug, digest in cut.closed.items():
            if reading.newest(services.database.reader, slug).digest != digest:
                yield f"{slug} is not closed any more"
        if any("damaged" in path.name for path in folder.path.iterdir()):
            yield "the database of tests was damaged"
        if cut.reports and folder.keys != recording.keys:
            yield "a key is lost or another one, so tickets and log entries do not fit it"
    yield from verify(folder.database, log_key=folder.log_key).problems


def losses(
    recording: Recording, count: int, random: Random, advance: Callable[[], None], medium: Medium
) -> list[str]:
    """Cut the power so many times; return what was wrong, one line for each cut."""
    found = []
    for cut in cuts(recording, count, random, medium):
        with in_memory() as folder:
            wrong = faults(cut, recording, folder)
        if wrong:
            found.append(f"after call {cut.place}: {'; '.join(wrong)}")
        advance()
    return found


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Cut the power so many times, in as many recordings as that takes."""
    found: list[str] = []
    for number, start in enumerate(range(0, amount, CUTS_EACH)):
        random = Random(f"{seed} {number}")
        with in_memory() as place:
            recording = record(place, random)
        count = min(CUTS_EACH, amount - start)
        found += losses(recording, count, random, progress.advance, Medium())
    figure = f"{amount:,} cuts, {len(found)} with anything lost or not sound"
    return Outcome(figure, not found, found[0] if found else "")


ROW = Row(
    "power-cuts",
    "the power fails between two calls to the disk, which then holds what was synced and any part "
    "of the rest",
    "nothing acknowledged lost, `candor verify` sound, every time",
    5000,
    "cuts",
    run,
)
