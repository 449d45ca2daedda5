"""Everything that a database says about its surveys, so that two of them can be compared."""

from contextlib import closing
from pathlib import Path
from typing import Any

from estimators.tables.table import estimate_table
from server.store import reading, snapshots
from server.store.database import Connection, open_current_reader
from server.surveys.records import Published

Figures = dict[tuple[str, int], dict[str, Any]]


def figures(path: Path) -> Figures:
    """Return the figures of every version of every survey, all of one moment."""
    with closing(open_current_reader(path)) as db, db.atomic():
        return {
            (slug, published.survey.version): _of(db, published)
            for slug in reading.slugs(db)
            for published in reading.versions(db, slug)
        }


def _of(db: Connection, published: Published) -> dict[str, Any]:
    """Return what the reports say, what the public sees, and how the survey stands."""
    survey = published.survey
    return {
        "state": published.state,
        "digest": published.digest,
        "reports": published.reports,
        "estimates": estimate_table(survey, reading.tallies(db, published)),
        "groups": reading.counts_by_group(db, published),
        "public": snapshots.newest(db, published),
    }
