"""One bit of the database or its log is not what was written: no figure is wrong without a word."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from logging.handlers import BufferingHandler
from random import Random

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.database import UNREADABLE
from server.store.verify import verify
from tests.torture.durability.damage.specimen import Specimen, killed, stopped
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.figures import figures
from tests.torture.row import Outcome, Progress, Row

# Of one pair of specimens; each pair has other sets of reports in its log.
FLIPS_EACH = 100
# Far more than one start has to say.
MOST_WARNINGS = 1000


class Verdict(Enum):
    """What comes of a flipped bit."""

    HARMLESS = "harmless"
    NAMED = "named by `candor verify`"
    REFUSED = "refused at the start or when read"
    WARNED = "warned of at the start"
    SILENT = "counted silently"
    CRASH = "a crash"


@dataclass(frozen=True)
class Flip:
    """A bit of a file."""

    file: str
    place: int
    bit: int

    def of(self, specimen: Specimen) -> Specimen:
        """Return the specimen with this bit flipped."""
        content = bytearray(specimen.files[self.file])
        content[self.place] ^= 1 << self.bit
        return replace(specimen, files={**specimen.files, self.file: bytes(content)})


def flips(specimen: Specimen, random: Random) -> Iterator[Flip]:
    """Yield bits without end, of each file as many; every tenth is in the first 100 bytes."""
    while True:
        for name, content in specimen.files.items():
            end = len(content) if random.randrange(10) else 100
            yield Flip(name, random.randrange(end), random.randrange(8))


def judge(specimen: Specimen) -> Verdict:
    """Verify a specimen, start on it, and compare what it says with what it should say."""
    with in_memory() as place:
        folder = specimen.put(place)
        try:
            is_named = not verify(folder.database, log_key=folder.log_key).is_sound
        except Refusal:
            is_named = True
        try:
            verdict = _start(folder, specimen)
        except Exception:
            return Verdict.CRASH
    return Verdict.NAMED if is_named else verdict


def _start(folder: DataFolder, specimen: Specimen) -> Verdict:
    with _warnings() as warnings:
        try:
            with running_services(folder, housekeeping=False):
                pass
        except Refusal:
            return Verdict.REFUSED
    try:
        is_same = figures(folder.database) == specimen.figures
    except (Refusal, *UNREADABLE):
        return Verdict.REFUSED
    if is_same:
        return Verdict.HARMLESS
    return Verdict.WARNED if warnings else Verdict.SILENT


@contextmanager
def _warnings() -> Iterator[list[logging.LogRecord]]:
    """Collect what the server logs."""
    handler = BufferingHandler(MOST_WARNINGS)
    log = logging.getLogger("candor")
    log.addHandler(handler)
    try:
        yield handler.buffer
    finally:
        log.removeHandler(handler)


def flip_some(
    count: int, random: Random, advance: Callable[[], None]
) -> Iterator[tuple[Flip, Verdict]]:
    """Flip so many bits of a stopped server's file, a killed server's file, and its log."""
    specimens = [stopped(random), killed(random)]
    bits = [flips(specimen, random) for specimen in specimens]
    for number in range(count):
        which = number % len(specimens)
        flip = next(bits[which])
        yield flip, judge(flip.of(specimens[which]))
        advance()


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Flip so many bits, of as many specimens as that takes."""
    random = Random(seed)
    verdicts: Counter[Verdict] = Counter()
    worst = ""
    for start in range(0, amount, FLIPS_EACH):
        for flip, verdict in flip_some(min(FLIPS_EACH, amount - start), random, progress.advance):
            verdicts[verdict] += 1
            if verdict in (Verdict.SILENT, Verdict.CRASH):
                worst = worst or f"{flip}: {verdict.value}"
    counts = ", ".join(f"{verdicts[verdict]} {verdict.value}" for verdict in Verdict)
    return Outcome(f"{amount:,} flips: {counts}", not worst, worst)


ROW = Row(
    "bit-flips",
    "one bit is flipped in the database or its log, of a server that was stopped or killed",
    "1,000 flips: harmless, refused or named; never counted silently",
    1000,
    "flips",
    run,
)
