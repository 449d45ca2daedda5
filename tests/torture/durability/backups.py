"""Backups under load, each brought back into a new folder: the estimates of one moment."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import send_together
from tests.support.forked import Forked
from tests.support.hand_in import stored_ids
from tests.support.process import ServerProcess
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.figures import figures
from tests.torture.durability.races import publish, serving
from tests.torture.durability.stream import Stream
from tests.torture.row import Outcome, Progress, Row

# Of one data folder: a copy takes longer the more it holds.
BACKUPS_EACH = 5
# Between two backups.
REPORTS = 200
# Reports that are sent again to each restored server.
SENT_AGAIN = 10


@dataclass(frozen=True)
class Backup:
    """A backup, and a new folder for it."""

    file: Path
    restored: DataFolder


def candor(errors: Path, *arguments: str) -> int:
    """Run a command to its end, and return the exit code."""
    process = Forked(arguments, errors)
    with process.output:
        process.output.read()
    return process.wait()


def back_up_and_restore(folder: DataFolder, backup: Backup) -> Iterator[str]:
    """Run both commands; say if one of them does not succeed."""
    errors = backup.file.with_suffix(".errors")
    data = ("--data", str(folder.path))
    if candor(errors, "backup", str(backup.file), "--with-keys", *data):
        yield f"the backup failed: {errors.read_text()}"
    data = ("--data", str(backup.restored.path))
    if candor(errors, "restore-backup", str(backup.file), *data):
        yield f"the restoring failed: {errors.read_text()}"


def faults(stream: Stream, folder: DataFolder) -> Iterator[str]:
    """Compare a restored folder with what the devices know."""
    ids = set(stored_ids(folder))
    if not ids <= stream.sent.keys():
        yield "reports were never sent"
    elif not stream.is_of_one_moment(ids):
        yield "an acknowledged report is missing, and a later one is there"
    else:
        found = figures(folder.database)[stream.survey.slug, stream.survey.version]
        if found["reports"] != len(ids) or found["estimates"] != stream.estimates(ids):
            yield "the estimates are not those of the reports"
    yield from verify(folder.database, log_key=folder.log_key).problems


def takes_reports(stream: Stream, folder: DataFolder) -> Iterator[str]:
    """Start on a restored folder: it knows its reports, and takes those that it lacks."""
    ids = set(stored_ids(folder))
    heard = [sent for sent in list(stream.sent.values()) if sent.heard]
    known = list(islice((sent.item for sent in heard if sent.item.id in ids), SENT_AGAIN))
    lacking = list(islice((sent.item for sent in heard if sent.item.id not in ids), SENT_AGAIN))
    process = ServerProcess(folder)
    try:
        statuses = [send_together(process.url, [items]) for items in (known, lacking)]
    finally:
        process.stop()
    if statuses != [[[200] * len(known)], [[201] * len(lacking)]]:
        yield f"reports that were sent again were answered with {statuses}"


def copy_under_load(
    count: int, random: Random, advance: Callable[[], None]
) -> tuple[int, list[str]]:
    """Back up and restore so many times under load; return the reports, and what is wrong."""
    found: list[str] = []
    with serving() as (folder, url), in_memory() as place:
        stream = Stream(url, folder.secret, publish(folder, "habits"), random)
        backups = [Backup(place / f"{n}.db", DataFolder(place / f"{n}")) for n in range(count)]
        with stream.running():
            for number, backup in enumerate(backups):
                stream.wait_for(random.randint(1, 2 * REPORTS))
                # Closing rewrites the file while it is copied.
                publish(folder, f"short-{number}")
                with meanwhile(close, folder, f"short-{number}"):
                    found += back_up_and_restore(folder, backup)
                advance()
        for backup in backups:
            found += [*faults(stream, backup.restored), *takes_reports(stream, backup.restored)]
    return stream.acknowledged, [*stream.problems, *found]


@contextmanager
def meanwhile(work: Callable[..., None], *arguments: object) -> Iterator[None]:
    """Do something else at the same time."""
    thread = threading.Thread(target=work, args=arguments)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def close(folder: DataFolder, slug: str) -> None:
    call_operator(folder, f"/surveys/{slug}/close")


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Back up and restore so many times, in as many data folders as that takes."""
    random = Random(seed)
    reports, found = 0, list[str]()
    for start in range(0, amount, BACKUPS_EACH):
        count = min(BACKUPS_EACH, amount - start)
        more, faults = copy_under_load(count, random, progress.advance)
        reports, found = reports + more, found + faults
    figure = f"{amount} backups while {reports:,} reports arrived, {len(found)} faults"
    return Outcome(figure, not found, found[0] if found else "")


ROW = Row(
    "backups",
    "`candor backup` while reports arrive and a survey closes, `candor restore-backup` into a new "
    "folder, and a server on it",
    "50 times; the estimates equal those of all reports acknowledged by one moment",
    50,
    "backups",
    run,
)
