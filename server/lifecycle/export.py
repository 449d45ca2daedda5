"""The zip of one version of a survey, from the reports in the store.

However many reports there are, little of it is in memory. What waits on disk has no name: it is
gone when the file is closed, and after a crash.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from estimators.export.archive import write_export
from server.store.database import Connection, Database
from server.store.results import Ballots, read_ballots


def file_stem(survey: Survey) -> str:
    """Return how the names of all files about a version begin."""
    return f"{survey.slug}-v{survey.version}{'-TEST' if survey.test else ''}"


def export_name(ballots: Ballots) -> str:
    """Return the default name of the export."""
    return f"{file_stem(ballots.published.survey)}.zip"


@contextmanager
def copy_ballots(db: Connection, slug: str, version: int | None, folder: Path) -> Iterator[Ballots]:
    """Read a version like `read_ballots`, and iterate over a copy of its reports in a folder.

    Copying takes a fraction of the time of an export, and while somebody reads the database, its
    log can be neither emptied nor kept from growing.
    """
    with TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder) as copy:
        with read_ballots(db, slug, version) as ballots:
            copy.writelines(f"{group}\t{content}\n" for group, content in ballots.reports)
        copy.seek(0)
        yield replace(ballots, reports=map(_group_and_content, copy))


def _group_and_content(line: str) -> tuple[str, str]:
    """Split a line of the copy: codes of groups have no tab, and canonical JSON no line break."""
    group, _, content = line.removesuffix("\n").partition("\t")
    return group, content


def export_ballots(
    ballots: Ballots, file: IO[bytes], folder: Path, on_report: Callable[[], object] = lambda: None
) -> None:
    """Write the zip; raise if the reports do not add up to the tallies."""
    survey, anchor = ballots.published.survey, ballots.log_anchor
    counted = write_export(file, survey, ballots.reports, on_report, anchor, folder)
    require(counted[""] == ballots.tallies, "storage_damaged.tallies")


def export_heading(database: Database, slug: str, version: int | None = None) -> str:
    """Return the name that the zip has; raise if there is none."""
    with read_ballots(database.reader, slug, version) as ballots:
        return export_name(ballots)


def export_file(database: Database, slug: str, version: int | None = None) -> tuple[str, IO[bytes]]:
    """Return the name of the zip, and its content as an open file."""
    folder = database.folder
    try:
        with ExitStack() as failing:
            file = failing.enter_context(TemporaryFile(dir=folder))
            with copy_ballots(database.reader, slug, version, folder) as ballots:
                export_ballots(ballots, file, folder)
            file.seek(0)
            # Nothing failed, so the file stays open for whoever reads it.
            failing.pop_all()
    except OSError:
        raise Refusal("storage_unavailable.disk") from None
    return export_name(ballots), file
