"""A file of reports (JSON Lines or CSV) becomes one tally per question, read strictly."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from client import strict
from client.refusal import Refusal
from client.report import Report
from client.survey import MAX_REPORT_BYTES, Survey
from estimators.tally import Tally

Row = dict[str, Any]


OnRead = Callable[[int], object]


def file_size(path: Path) -> int:
    """How many bytes there are to read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unreadable(path, error) from None


def tally_file(path: Path, survey: Survey, on_read: OnRead = lambda size: None) -> dict[str, Tally]:
    """Count every report of the file; one bad line refuses the whole, and is named."""
    tallies: dict[str, Counter[int]] = {question.id: Counter() for question in survey.questions}
    asked = dict.fromkeys(tallies, 0)
    for randomized in read_reports(path, survey, on_read):
        for question in survey.questions:
            # A question that this person was not asked says nothing, and does not count.
            if (item := randomized[question.id]) is not None:
                asked[question.id] += 1
                tallies[question.id].update(question.mechanism.cells_of(item))
    if not any(asked.values()):
        raise Refusal("no_reports", f"{path} holds no reports", str(path))
    return {
        question.id: Tally(
            tuple(tallies[question.id][cell] for cell in range(question.mechanism.cells)),
            asked[question.id],
        )
        for question in survey.questions
    }


def read_reports(path: Path, survey: Survey, on_read: OnRead) -> Iterator[Row]:
    """The randomized answers of each report."""
    readers = {".jsonl": _json_lines, ".csv": _csv_rows}
    if path.suffix not in readers:
        raise Refusal("unknown_file_type", f"{path} must end in .jsonl or .csv to hold reports")
    try:
        with path.open("rb") as file:
            yield from readers[path.suffix](_lines(file, on_read), survey, str(path))
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> Refusal:
    return Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path))


def _lines(file: IO[bytes], on_read: OnRead) -> Iterator[bytes]:
    # A little more than a report may have, so that an endless line is refused and never held.
    while line := file.readline(MAX_REPORT_BYTES + 3):
        on_read(len(line))
        yield line


def _json_lines(lines: Iterator[bytes], survey: Survey, name: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        yield _at_line(name, number, partial(_json_report, line, survey))


def _json_report(line: bytes, survey: Survey) -> Row:
    return Report.parse(line.rstrip(b"\r\n"), survey).randomized


def _csv_rows(lines: Iterator[bytes], survey: Survey, name: str) -> Iterator[Row]:
    """A heading of question ids, then one report per row, each cell as in the report's JSON."""
    ids = [question.id for question in survey.questions]
    rows = csv.reader((line.decode("utf-8", "replace") for line in lines), strict=True)
    try:
        heading = next(rows, [])
        if sorted(heading) != sorted(ids):
            raise Refusal(
                "wrong_heading",
                f"{name} must have the columns {','.join(ids)}, got {','.join(heading)[:200]!r}",
            )
        for row in rows:
            yield _at_line(name, rows.line_num, partial(_csv_report, heading, row, survey))
    except csv.Error as error:
        raise Refusal("bad_csv", f"{name} line {rows.line_num}: {error}") from None


def _csv_report(heading: list[str], row: list[str], survey: Survey) -> Row:
    if len(row) != len(heading):
        raise Refusal("bad_csv", f"a row must have {len(heading)} cells, got {len(row)}")
    cells = dict(zip(heading, row, strict=True))
    randomized = {
        id: strict.parse(cell.encode(), MAX_REPORT_BYTES, id) for id, cell in cells.items()
    }
    body = {"fingerprint": survey.fingerprint, "randomized": randomized}
    return Report.parse(strict.canonical(body), survey).randomized


def _at_line(name: str, number: int, read: Callable[[], Row]) -> Row:
    try:
        return read()
    except Refusal as refusal:
        message = f"{name} line {number}: {refusal.message}"
        raise Refusal(refusal.code, message, refusal.field) from None
