"""What an export holds of one version: all its reports, in the order of their content."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlite_utils import Database

from estimators.counting.tally import Tally
from server.store import reading
from server.store.disclosure.small_groups import told_apart
from server.store.records import Published
from server.store.states import Change


@dataclass(frozen=True)
class Ballots:
    """A version with its tallies and its reports, each with its group, all of one moment."""

    published: Published
    tallies: dict[str, Tally]
    reports: Iterator[tuple[str, str]]


@contextmanager
def read_ballots(db: Database, slug: str, version: int | None, now: str) -> Iterator[Ballots]:
    """One moment: a report that arrives meanwhile is not half seen."""
    with db.atomic():
        published = reading.version_of(db, slug, version, now)
        published.require_allowed(Change.EXPORT)
        published.require_readable()
        yield Ballots(published, reading.tallies(db, published), _reports(db, published))


def _reports(db: Database, published: Published) -> Iterator[tuple[str, str]]:
    """Without their ids, in an order that says nothing of when they came, and in no small group."""
    joined = told_apart(reading.sizes(db, published))[""]
    shown = f"CASE WHEN in_group IN ({reading.places(joined)}) THEN '' ELSE in_group END"
    return db.execute(
        f"SELECT {shown} AS shown, randomized FROM reports WHERE survey = ? "
        "ORDER BY shown, randomized",
        [*joined, published.key],
    )
