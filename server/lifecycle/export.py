"""The zip of one version of a survey, from the reports in the store."""

from collections.abc import Callable
from io import BytesIO
from typing import IO

from client.core.primitives.refusal import require
from client.core.survey import Survey
from estimators.export.archive import write_export
from server.store.database import Database
from server.store.results import Ballots, read_ballots


def file_stem(survey: Survey) -> str:
    """Return how the names of all files about a version begin."""
    return f"{survey.slug}-v{survey.version}{'-TEST' if survey.test else ''}"


def export_name(ballots: Ballots) -> str:
    """Return the default name of the export."""
    return f"{file_stem(ballots.published.survey)}.zip"


def export_ballots(
    ballots: Ballots, file: IO[bytes], on_report: Callable[[], object] = lambda: None
) -> None:
    """Write the zip; raise if the reports do not add up to the tallies."""
    survey, anchor = ballots.published.survey, ballots.log_anchor
    counted = write_export(file, survey, ballots.reports, on_report, anchor)
    require(counted[""] == ballots.tallies, "storage_damaged.tallies")


def export_zip(database: Database, slug: str, version: int | None = None) -> tuple[str, bytes]:
    """Return the name and the content of the zip."""
    file = BytesIO()
    with read_ballots(database.reader, slug, version) as ballots:
        export_ballots(ballots, file)
    return export_name(ballots), file.getvalue()
