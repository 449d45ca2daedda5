"""Queries that only read: versions, tallies, and whether a report is there already."""

from collections.abc import Iterable
from typing import Any

from sqlite_utils import Database

from client import strict
from client.report import Report
from estimators.tally import Tally
from server.store.records import Published, survey_from

_COLUMNS = (
    "SELECT surveys.id, fingerprint, document, state, reports, digest "
    "FROM surveys JOIN documents ON documents.survey = surveys.id "
)


def versions(db: Database, slug: str) -> list[Published]:
    """Every version of a survey, the newest first."""
    return _read(db.execute(_COLUMNS + "WHERE slug = ? ORDER BY version DESC", [slug]))


def latest(db: Database, slug: str) -> Published | None:
    found = _read(db.execute(_COLUMNS + "WHERE slug = ? ORDER BY version DESC LIMIT 1", [slug]))
    return found[0] if found else None


def everything(db: Database) -> list[Published]:
    """Every version of every survey, by name."""
    return _read(db.execute(_COLUMNS + "ORDER BY slug, version"))


def tallies(db: Database, published: Published) -> dict[str, Tally]:
    """The tally of each question, in the document's order."""
    rows = db.execute(
        "SELECT question, count FROM tallies WHERE survey = ? ORDER BY question, cell",
        [published.key],
    )
    counts: dict[str, list[int]] = {question.id: [] for question in published.survey.questions}
    for question, count in rows:
        counts[question].append(count)
    return {
        # Each report adds to as many cells as the mechanism has marks; so n is known from them,
        # also where only some people are asked a question.
        question.id: Tally(
            tuple(counts[question.id]), sum(counts[question.id]) // question.mechanism.marks
        )
        for question in published.survey.questions
    }


def stored_report(db: Database, published: Published, id: str) -> str | None:
    """The content stored under a report's id."""
    row = db.execute(
        "SELECT randomized FROM reports WHERE survey = ? AND id = ?", [published.key, id]
    ).fetchone()
    return None if row is None else str(row[0])


def content(report: Report) -> str:
    """What is stored of a report: canonical JSON, so equal reports are equal text."""
    return strict.canonical(report.randomized).decode()


def _read(rows: Iterable[tuple[Any, ...]]) -> list[Published]:
    return [
        Published(key, survey_from(fingerprint, document), state, reports, digest)
        for key, fingerprint, document, state, reports, digest in rows
    ]
