"""Open a data set: an export, a file of reports with its survey, or a CSV with its design."""

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from client.authoring.files import load_survey
from client.core.document import read_document
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from client.core.survey import MAX_REPORT_BYTES, Survey
from estimators.columns.csv_table import read_foreign, with_attributes
from estimators.columns.design_file import read_design
from estimators.columns.frame import Frame, Plain
from estimators.columns.randomized import NOT_ASKED, Codes, Randomized
from estimators.counting.formats import CSV, PARQUET, SUFFIXES, columns_of, suffix_of
from estimators.counting.group_columns import group_cells, group_columns
from estimators.counting.parquet_file import parquet_batches
from estimators.counting.reports_file import open_file, read_text
from estimators.counting.text_rows import TextRows
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array
from estimators.tables.promised_errors import value_of_levels
from estimators.tallies.tally_file import is_tally_file

REPORTS, SURVEY = "reports.csv", "survey.json"

OnRead = Callable[[int], object]


def read_frame(
    path: Path,
    survey: Path | None = None,
    design: Path | None = None,
    attributes: Path | None = None,
    on_read: OnRead = lambda size: None,
) -> Frame:
    """Read a data set into columns.

    `path` is an export's zip or its folder, a file of reports with its `survey`, or any CSV with
    the `design` of its randomized columns. `attributes` is a CSV with a row per group of links.
    """
    require(survey is None or design is None, "survey_and_design")
    require(not is_tally_file(path), "no_rows", str(path))
    if design is not None:
        frame = read_foreign(path, read_design(design))
    elif survey is not None:
        frame = _read_reports(path, load_survey(survey), on_read)
    else:
        frame = _read_export(path, on_read)
    require(frame.n > 0, "no_reports.file", str(path))
    return frame if attributes is None else with_attributes(frame, attributes)


def frame_of_reports(survey: Survey, reports: Iterable[tuple[str, str]]) -> Frame:
    """Return the columns of reports, each given by its group's code and its canonical JSON."""
    columns, ids = _Columns(survey), columns_of(survey)
    rows = columns.rows(ids, "report")
    for number, (group, text) in enumerate(reports, start=1):
        values = canonical.parse(text.encode(), MAX_REPORT_BYTES, "report")
        cells = [canonical.canonical(values[id]).decode() for id in ids]
        rows.add(number, cells, len(text), group)
    rows.finish()
    return columns.frame()


def _read_reports(path: Path, survey: Survey, on_read: OnRead) -> Frame:
    suffix, columns = suffix_of(path), _Columns(survey)
    with open_file(path) as file:
        if suffix == PARQUET:
            for batch in parquet_batches(file, survey, str(path), on_read):
                for group in batch.groups.by_row():
                    columns.take_group(group)
                for column in batch.columns:
                    columns.take(column.question, *column.distinct(), column.given)
        else:
            read_text(file, survey, suffix, str(path), columns.rows, on_read)
    return columns.frame()


def _read_export(path: Path, on_read: OnRead) -> Frame:
    with _opened(path) as opened:
        survey = read_document(opened(SURVEY).read())
        columns = _Columns(survey)
        read_text(opened(REPORTS), survey, CSV, f"{path}/{REPORTS}", columns.rows, on_read)
    return columns.frame()


@contextmanager
def _opened(path: Path) -> Iterator[Callable[[str], IO[bytes]]]:
    """Yield a function that opens a file of the export by its name, from the zip or the folder."""
    if path.is_dir():
        missing = [name for name in (SURVEY, REPORTS) if not (path / name).is_file()]
        require(not missing, "not_an_export.missing", str(path), missing=missing)
        yield lambda name: io.BytesIO((path / name).read_bytes())
        return
    require(path.suffix not in SUFFIXES, "needs_survey_or_design", str(path))
    with open_file(path) as file:
        try:
            with ZipFile(file) as archive:
                missing = sorted({SURVEY, REPORTS} - set(archive.namelist()))
                require(not missing, "not_an_export.missing", str(path), missing=missing)
                yield archive.open
        except BadZipFile:
            raise Refusal("not_an_export.zip", str(path)) from None


class _Columns:
    """The columns of a survey while its reports are read."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._places: dict[str, dict[str, int]] = {item.id: {} for item in survey.questions}
        self._reports: dict[str, list[Any]] = {item.id: [] for item in survey.questions}
        self._codes: dict[str, list[Codes]] = {item.id: [] for item in survey.questions}
        self._groups: list[str] = []

    def rows(self, ids: Sequence[str], place: str) -> "_CodedRows":
        """Return the rows that a text file's lines are added to."""
        return _CodedRows(self._survey, ids, place, self)

    def take_group(self, group: str) -> None:
        self._groups.append(group)

    def take_cells(
        self, question: Question, cells: Sequence[str], read: Callable[[str], Any]
    ) -> None:
        """Take cells of text, each distinct one read once in the whole file."""
        places, reports = self._places[question.id], self._reports[question.id]
        for cell in dict.fromkeys(cells):
            if cell not in places:
                randomized = read(cell)
                places[cell] = NOT_ASKED if randomized is None else len(reports)
                if randomized is not None:
                    reports.append(randomized)
        codes = np.fromiter(map(places.__getitem__, cells), dtype=np.int64, count=len(cells))
        self._codes[question.id].append(codes)

    def take(self, question: Question, reports: list[Any], codes: Codes, given: Any) -> None:
        """Take a batch of entries: its distinct reports, and which of them the given rows hold."""
        places = self._places[question.id]
        for report in reports:
            text = str(report)
            if text not in places:
                places[text] = len(self._reports[question.id])
                self._reports[question.id].append(report)
        found = np.full(len(given), NOT_ASKED, dtype=np.int64)
        own = np.array([places[str(report)] for report in reports], dtype=np.int64)
        found[given] = own[codes]
        self._codes[question.id].append(found)

    def frame(self) -> Frame:
        randomized = {item.id: self._column(item) for item in self._survey.questions}
        n = len(next(iter(randomized.values())).codes)
        return Frame(n, randomized, self._plain(), self._survey)

    def _plain(self) -> dict[str, Plain]:
        """Return a column per factor and one for the whole group, if there are groups."""
        if not any(self._groups):
            return {}
        cells = [group_cells(self._survey.groups, code) for code in self._groups]
        columns = zip(group_columns(self._survey), zip(*cells, strict=True), strict=True)
        return {name: np.array(column) for name, column in columns}

    def _column(self, question: Question) -> Randomized:
        values = value_of_levels(question)
        return Randomized(
            question.id,
            question.options if values is None else _level_labels(values, question),
            self._reports[question.id],
            np.concatenate([np.empty(0, dtype=np.int64), *self._codes[question.id]]),
            analysis_of(question.mechanism),
            values,
            question,
        )


def _level_labels(values: Array, question: Question) -> tuple[str, ...]:
    """Return the labels of levels, then those of the options for silence."""
    return (*(f"{value:.10g}" for value in values), *question.kind.silence)


class _CodedRows(TextRows):
    """Rows of text that become codes."""

    def __init__(self, survey: Survey, ids: Sequence[str], place: str, columns: _Columns) -> None:
        super().__init__(survey, ids, place)
        self._coded = columns

    def add(self, number: int, cells: Sequence[str], size: int, group: str = "") -> None:
        self._coded.take_group(group)
        super().add(number, cells, size)

    def _take_column(self, question: Question, cells: Sequence[str]) -> None:
        self._coded.take_cells(question, cells, lambda cell: self._read(question, cells, cell))
