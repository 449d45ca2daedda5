"""Write the export's zip: the same survey with the same reports gives the same bytes."""

import csv
import gzip
import io
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from client.console.files import csv_text, plain_entry
from client.core.primitives import canonical
from client.core.survey import MAX_REPORT_BYTES, Survey
from estimators.counting.formats import columns_of
from estimators.counting.group_columns import escaped_cells, group_columns
from estimators.counting.tally import Counting
from estimators.counting.text_rows import CountedRows
from estimators.export import codebook, columns, readme, regressions, tables
from estimators.export.design import design_json
from estimators.export.scores import write_scores
from estimators.export.tables import Tallies
from estimators.paperwork.pack import Paperwork
from estimators.paperwork.plan import StudyPlan
from estimators.tables.table import COLUMNS

SCRIPTS = files("estimators.export") / "scripts"

# The code of a report's group ('' for none) and its randomized answers as canonical JSON.
Reports = Iterable[tuple[str, str]]
OnReport = Callable[[], object]
# The compressed reports wait in memory up to this size, then on disk.
MOST_IN_MEMORY = 2**22


def write_export(
    file: IO[bytes],
    survey: Survey,
    reports: Reports,
    on_report: OnReport = lambda: None,
    log_anchor: str = "",
    folder: Path | None = None,
) -> Tallies:
    """Write everything about a survey into a zip; return the tallies counted on the way.

    `reports` must come in the order of their content, so that the order of arrival is not visible.
    What has to wait on disk waits in the folder, by default that of the system.
    """
    place = None if folder is None else str(folder)
    with (
        ZipFile(file, "w", ZIP_DEFLATED) as archive,
        # A zip takes one file after the other, and the reports can be read only once.
        SpooledTemporaryFile(MOST_IN_MEMORY, dir=place) as kept,
    ):
        with (
            archive.open(plain_entry("reports.csv"), "w", force_zip64=True) as entry,
            gzip.open(kept, "wt", 1, "utf-8", newline="") as copy,
        ):
            tallies = _write_reports(entry, copy, survey, reports, on_report)
        kept.seek(0)
        with (
            archive.open(plain_entry("scores.csv"), "w", force_zip64=True) as entry,
            io.TextIOWrapper(entry, "utf-8", newline="") as text,
            gzip.open(kept, "rt", encoding="utf-8", newline="") as copy,
        ):
            write_scores(text, survey, csv.reader(copy))
        for name, content in sorted(_files(survey, tallies, log_anchor).items()):
            archive.writestr(plain_entry(name), content)
    return tallies


def _write_reports(
    entry: IO[bytes], copy: IO[str], survey: Survey, reports: Reports, on_report: OnReport
) -> Tallies:
    """Write the reports and count them, so that the estimates are those of these very reports.

    The copy has the same rows without their heading.
    """
    ids, groups = columns_of(survey), survey.groups
    counts = _GroupCounts(survey, ids)
    with io.TextIOWrapper(entry, "utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([*ids, *group_columns(survey)])
        copier = csv.writer(copy)
        for group, randomized in reports:
            values = canonical.parse(randomized.encode(), MAX_REPORT_BYTES, "report")
            cells = [canonical.canonical(values[id]).decode() for id in ids]
            names = escaped_cells(groups, group)
            counts.add(names[-1] if names else "", cells)
            row = [*cells, *names]
            writer.writerow(row)
            copier.writerow(row)
            on_report()
    return counts.tallies()


class _GroupCounts:
    """The counts of everybody's reports, and of each group's reports."""

    def __init__(self, survey: Survey, ids: list[str]) -> None:
        self._survey, self._ids = survey, ids
        self._number = 0
        self._groups: dict[str, tuple[Counting, CountedRows]] = {}
        self._start("")

    def add(self, group: str, cells: list[str]) -> None:
        self._number += 1
        for name in {"", group}:
            if name not in self._groups:
                self._start(name)
            self._groups[name][1].add(self._number, cells, sum(map(len, cells)))

    def _start(self, group: str) -> None:
        counting = Counting(self._survey)
        self._groups[group] = counting, CountedRows(counting, self._ids, "report")

    def tallies(self) -> Tallies:
        for _, rows in self._groups.values():
            rows.finish()
        return {group: self._groups[group][0].tallies() for group in sorted(self._groups)}


def _files(survey: Survey, tallies: Tallies, log_anchor: str) -> dict[str, str]:
    """Return the text of every file except the reports, by its name."""
    n = sum(tally.n for tally in tallies[""].values()) // survey.asked
    paperwork = Paperwork(survey, StudyPlan(), is_published=not survey.test, reports=n)
    return {
        **_scripts(survey, by_group=len(tallies) > 1),
        "README.txt": readme.text(survey, n, log_anchor),
        "codebook.csv": csv_text(codebook.COLUMNS, codebook.rows(survey)),
        "codebook.html": codebook.page(survey, n),
        "columns.csv": csv_text(columns.COLUMNS, columns.rows(survey)),
        "covariance.csv": csv_text(tables.COVARIANCE_COLUMNS, tables.covariance(survey, tallies)),
        "design.json": design_json(survey, list(tallies)),
        "estimates.csv": csv_text(COLUMNS, tables.estimates(survey, tallies)),
        "fingerprint.txt": f"{survey.fingerprint}  survey.json\n",
        "paperwork.html": paperwork.html,
        "paperwork.md": paperwork.markdown,
        "survey.json": survey.document.decode(),
    }


def _scripts(survey: Survey, by_group: bool) -> dict[str, str]:
    plain = dict(_sources(SCRIPTS))
    return {
        **plain,
        "analyse.R": plain["analyse.R"] + regressions.r_calls(survey, by_group),
    }


def _sources(folder: Traversable, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of every script in a folder and below, and its text."""
    for item in folder.iterdir():
        if item.is_dir():
            yield from _sources(item, f"{inside}{item.name}/")
        elif item.name.endswith((".py", ".R")):
            yield f"{inside}{item.name}", item.read_text("utf-8")
