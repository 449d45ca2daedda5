"""A disk that loses power: what has been synced is there, the rest is anybody's guess.

The rules are harder than those of usual file systems. A sync of a file saves its bytes but not its
name; only a sync of the folder saves names. What was not synced may be there or not, each write,
each sector of a write, each truncation and each name for itself.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tests.torture.durability.disk.trace import (
    CREATED,
    FOLDER_SYNCED,
    RENAMED,
    SYNCED,
    TRUNCATED,
    UNLINKED,
    WRITTEN,
    Record,
)

SECTORS = (512, 4096)
T = TypeVar("T")


@dataclass(eq=False)
class File:
    """The bytes that are safe, and what was done since the last sync."""

    safe: bytearray = field(default_factory=bytearray)
    pending: list[Record] = field(default_factory=list)

    def sync(self) -> None:
        apply(self.safe, self.pending)
        self.pending.clear()

    def after(self, kept: Iterable[Record]) -> bytes:
        """Return the bytes if these of the pending calls reached the disk."""
        content = bytearray(self.safe)
        apply(content, kept)
        return bytes(content)


# A change of names, as the names after it: None stands for a name that is gone.
Naming = dict[str, File | None]


class Medium:
    """The files of one folder, call by call."""

    def __init__(self, ignores: Callable[[Record, str], bool] = lambda record, name: False) -> None:
        self._ignores = ignores
        self._files: dict[int, File] = {}
        self._now: dict[str, File] = {}
        self._safe: dict[str, File] = {}
        self._pending: list[Naming] = []

    def happen(self, record: Record) -> None:
        """Do what a process did; a sync that this disk ignores does nothing."""
        if record.what == CREATED:
            self._files[record.file] = File()
            self._name({record.names[0]: self._files[record.file]})
        elif record.what == UNLINKED:
            self._name({record.names[0]: None})
        elif record.what == RENAMED:
            old, new = record.names
            self._name({old: None, new: self._now[old]})
        elif record.what in (WRITTEN, TRUNCATED):
            self._files[record.file].pending.append(record)
        elif record.what == SYNCED and not self._ignores(record, self._name_of(record.file)):
            self._files[record.file].sync()
        elif record.what == FOLDER_SYNCED and not self._ignores(record, ""):
            _rename(self._safe, self._pending)
            self._pending.clear()

    def _name(self, change: Naming) -> None:
        self._pending.append(change)
        _rename(self._now, [change])

    def _name_of(self, number: int) -> str:
        file = self._files[number]
        return next((name for name, other in self._now.items() if other is file), "")

    @property
    def content(self) -> dict[str, bytes]:
        """What a process sees now."""
        return {name: file.after(file.pending) for name, file in self._now.items()}

    def cut(self, random: Random) -> dict[str, bytes]:
        """Return the folder as it could look if the power failed now."""
        names = dict(self._safe)
        _rename(names, _some(self._pending, random))
        return {name: file.after(_kept(file.pending, random)) for name, file in names.items()}


def apply(content: bytearray, calls: Iterable[Record]) -> None:
    """Write and truncate; what lies between the end and a later write is zeros."""
    for call in calls:
        end = call.offset + len(call.data)
        if len(content) < end:
            content.extend(bytes(end - len(content)))
        if call.what == TRUNCATED:
            del content[call.offset :]
        else:
            content[call.offset : end] = call.data


def _rename(names: dict[str, File], changes: Iterable[Naming]) -> None:
    for change in changes:
        for name, file in change.items():
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file


def _some(items: list[T], random: Random) -> list[T]:
    """Return none, all, the first few, or any of them."""
    match random.randrange(4):
        case 0:
            return []
        case 1:
            return items
        case 2:
            return items[: random.randint(0, len(items))]
        case _:
            share = random.choice((0.1, 0.5, 0.9))
            return [item for item in items if random.random() < share]


def _kept(calls: list[Record], random: Random) -> list[Record]:
    if random.random() < 0.5:
        return _some(calls, random)
    size, share = random.choice(SECTORS), random.choice((0.1, 0.5, 0.9))
    return [part for call in calls for part in _sectors(call, size) if random.random() < share]


def _sectors(call: Record, size: int) -> Iterator[Record]:
    """Yield the parts of a call that reach the disk or not, each as a whole."""
    if call.what != WRITTEN:
        yield call
        return
    place, end = call.offset, call.offset + len(call.data)
    while place < end:
        following = min((place // size + 1) * size, end)
        data = call.data[place - call.offset : following - call.offset]
        yield Record(WRITTEN, call.file, place, data)
        place = following
