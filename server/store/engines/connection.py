"""What the store asks of a connection and of a place, whatever the engine.

Statements are written once, in the portable subset: `?` or `:name` stands for a value, and what
differs between engines is a method here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from sqlite_utils import Migrations

from server.surveys.schedule import Clock


class Rows(Protocol):
    """The rows that a statement returns."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """A connection that knows what time it is, and the key of the audit log if it writes."""

    log_key: bytes

    @property
    def now(self) -> str: ...

    def execute(
        self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None, /
    ) -> Rows: ...

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]], /) -> int:
        """Run a statement for each row of values; return how many rows it changed."""

    def atomic(self) -> AbstractContextManager[object]:
        """Begin a transaction or a savepoint: all of the block or nothing, seen as one moment."""

    def is_empty(self) -> bool:
        """Tell whether there is no table yet."""

    def pending(self, steps: Migrations) -> list[str]:
        """Name the steps of the schema that are still to be made."""

    def make(self, steps: Migrations) -> None:
        """Make those steps, in a transaction."""

    def begin_writing(self, alone: bool) -> None:
        """Begin a transaction that writes; `alone` keeps all other writers out until it ends."""

    def roll_back(self) -> None:
        """End the transaction without its changes, whatever state it is in. Never raises."""

    def owe_rewriting(self) -> None:
        """Note in this transaction that the tables are to be rewritten."""

    def is_rewriting_owed(self) -> bool: ...

    def rewrite(self) -> None:
        """Rewrite what is stored, so that no page keeps an order or a deleted row."""

    def empty_log(self) -> None:
        """Move what the log still holds into the tables."""

    def empty_log_if_idle(self) -> None:
        """Do the same unless somebody is reading, for whom nobody should wait."""

    def faults(self) -> Iterator[str]:
        """Yield what the engine itself finds wrong with the storage and between its tables."""

    def close(self) -> None: ...


MakeTables = Callable[[Connection], None]


class Executes(Protocol):
    """All that a step of the schema needs."""

    def execute(self, sql: str, parameters: Sequence[Any] | None = None, /) -> Rows: ...


class Readers(Protocol):
    """The connections that only read."""

    def current(self) -> Connection:
        """Return one for the calling thread."""


class Place(Protocol):
    """Where a database is, and how it is opened."""

    @property
    def folder(self) -> Path:
        """A folder that only the owner may read, for what is written on the way."""

    def open_writer(self, make_tables: MakeTables, clock: Clock, log_key: bytes) -> Connection:
        """Open a connection that writes; make what is missing, or raise before any change."""

    def open_reader(self, clock: Clock) -> Connection:
        """Open a connection that the engine itself keeps from writing."""

    def readers(self, clock: Clock) -> Readers: ...

    def has_log(self) -> bool:
        """Tell whether a log holds what the tables do not have yet."""

    def log_faults(self) -> list[str]:
        """Say if the log is damaged: nothing else shows that what it held is missing."""
