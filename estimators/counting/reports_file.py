"""Read a file of reports (JSON Lines, CSV or Parquet) strictly into one tally per question."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require, within
from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from estimators.counting.formats import (
    CSV,
    GROUP,
    JSON_LINES,
    PARQUET,
    check_heading,
    columns_of,
    suffix_of,
)
from estimators.counting.parquet_file import count_parquet
from estimators.counting.tally import Counting, Tally
from estimators.counting.text_rows import TextRows

OnRead = Callable[[int], object]

JSON_SPACE = " \t\r\n"


def file_size(path: Path) -> int:
    """Return the size of a file in bytes; raise if it cannot be read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unreadable(path, error) from None


def tally_file(path: Path, survey: Survey, on_read: OnRead = lambda size: None) -> dict[str, Tally]:
    """Count every report of a file; raise for the first bad line."""
    readers = {JSON_LINES: _count_json_lines, CSV: _count_csv, PARQUET: count_parquet}
    count = readers[suffix_of(path)]
    counting = Counting(survey)
    try:
        with path.open("rb") as file:
            count(file, counting, str(path), on_read)
    except OSError as error:
        raise _unreadable(path, error) from None
    require(not counting.is_empty, "no_reports.file", str(path))
    return counting.tallies()


def _unreadable(path: Path, error: OSError) -> Refusal:
    return Refusal("unreadable", str(path), reason=error.strerror)


def _lines(file: IO[bytes], on_read: OnRead) -> Iterator[bytes]:
    # Slightly more than a report may have: an endless line is refused and never held in memory.
    while line := file.readline(MAX_REPORT_BYTES + 3):
        on_read(len(line))
        yield line


def _count_json_lines(file: IO[bytes], counting: Counting, name: str, on_read: OnRead) -> None:
    survey = counting.survey
    ids = sorted(columns_of(survey))
    spelling = _canonical_line(survey, ids)
    rows = TextRows(counting, ids, f"{name} line")
    for number, line in enumerate(_lines(file, on_read), start=1):
        match = spelling.fullmatch(line.decode("utf-8", "replace"))
        if match is not None:
            cells = match.groups()
        else:
            # Not in canonical spelling, or wrong: the strict parser tells which.
            with within("line", number, name=f"{name} line {number}"):
                report = Report.parse(line.rstrip(b"\r\n"), survey)
            cells = tuple(canonical.canonical(report.randomized[id]).decode() for id in ids)
        rows.add(number, cells, len(line))
    rows.count()


def _canonical_line(survey: Survey, ids: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for a line as devices write it, with a group for each question's cell."""
    cells = ",".join(rf'"{id}":([0-9\[\],]+|null)' for id in ids)
    return re.compile(rf'{{"fingerprint":"{survey.fingerprint}","randomized":{{{cells}}}}}\r?\n?')


def _count_csv(file: IO[bytes], counting: Counting, name: str, on_read: OnRead) -> None:
    text = (line.decode("utf-8", "replace") for line in _lines(file, on_read))
    table = csv.reader(text, strict=True)
    try:
        heading = next(table, [])
        kept = [place for place, column in enumerate(heading) if column != GROUP]
        check_heading([heading[place] for place in kept], counting.survey, name)
        rows = TextRows(counting, [heading[place] for place in kept], f"{name} line")
        for row in table:
            if len(row) != len(heading):
                with within("line", table.line_num, name=f"{name} line {table.line_num}"):
                    raise Refusal("bad_csv.cells", wanted=len(heading), got=len(row))
            cells = [row[place].strip(JSON_SPACE) for place in kept]
            rows.add(table.line_num, cells, sum(map(len, cells)))
        rows.count()
    except csv.Error as error:
        raise Refusal("bad_csv.syntax", name=name, line=table.line_num, reason=error) from None
