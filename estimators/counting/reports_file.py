"""Read a file of reports (JSON Lines, CSV or Parquet) strictly into one tally per question."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require, within
from client.core.report import Report
from client.core.survey import MAX_REPORT_BYTES, Survey
from estimators.counting.formats import (
    CSV,
    JSON_LINES,
    PARQUET,
    check_heading,
    columns_of,
    suffix_of,
)
from estimators.counting.group_columns import code_reader, group_columns
from estimators.counting.parquet_file import count_parquet
from estimators.counting.tally import Counting, Tally
from estimators.counting.text_rows import CountedRows, TextRows

OnRead = Callable[[int], object]
# Makes the rows for a heading; the text says where a line stands, for messages.
RowsOf = Callable[[Sequence[str], str], TextRows]

JSON_SPACE = " \t\r\n"


def file_size(path: Path) -> int:
    """Return the size of a file in bytes; raise if it cannot be read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise _unreadable(path, error) from None


def tally_file(path: Path, survey: Survey, on_read: OnRead = lambda size: None) -> dict[str, Tally]:
    """Count every report of a file; raise for the first bad line."""
    with open_file(path) as file:
        return count_file(file, path, survey, on_read).tallies()


def count_file(
    file: IO[bytes], path: Path, survey: Survey, on_read: OnRead = lambda size: None
) -> Counting:
    """Count every report of an open file whose name is `path`; raise for the first bad line."""
    counting, suffix, name = Counting(survey), suffix_of(path), str(path)

    def rows_of(ids: Sequence[str], place: str) -> CountedRows:
        return CountedRows(counting, ids, place)

    if suffix == PARQUET:
        count_parquet(file, counting, name, on_read)
    else:
        read_text(file, survey, suffix, name, rows_of, on_read)
    require(not counting.is_empty, "no_reports.file", str(path))
    return counting


@contextmanager
def open_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read its bytes; raise if that fails, now or later."""
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path, error: OSError) -> Refusal:
    return Refusal("unreadable", str(path), reason=error.strerror)


def _lines(file: IO[bytes], on_read: OnRead) -> Iterator[bytes]:
    # Slightly more than a report may have: an endless line is refused and never held in memory.
    while line := file.readline(MAX_REPORT_BYTES + 3):
        on_read(len(line))
        yield line


def read_text(
    file: IO[bytes], survey: Survey, suffix: str, name: str, rows_of: RowsOf, on_read: OnRead
) -> None:
    """Hand every report of a JSON Lines or CSV file to the rows; raise for the first bad line."""
    read = {JSON_LINES: _read_json_lines, CSV: _read_csv}[suffix]
    read(file, survey, name, rows_of, on_read)


def _read_json_lines(
    file: IO[bytes], survey: Survey, name: str, rows_of: RowsOf, on_read: OnRead
) -> None:
    ids = sorted(columns_of(survey))
    spelling = _canonical_line(survey, ids)
    rows = rows_of(ids, f"{name} line")
    for number, line in enumerate(_lines(file, on_read), start=1):
        match = spelling.fullmatch(line.decode("utf-8", "replace"))
        if match is not None:
            group, *cells = match.groups()
        else:
            # Not in canonical spelling, or wrong: the strict parser tells which.
            with within("line", number, name=f"{name} line {number}"):
                report = Report.parse(line.rstrip(b"\r\n"), survey)
            group = report.group
            cells = [canonical.canonical(report.randomized[id]).decode() for id in ids]
        rows.add(number, cells, len(line), group or "")
    rows.finish()


def _canonical_line(survey: Survey, ids: Sequence[str]) -> re.Pattern[str]:
    """Return a pattern for a line as devices write it: the group, then each question's cell."""
    cells = ",".join(rf'"{id}":([0-9\[\],]+|null)' for id in ids)
    chosen = survey.chosen_groups
    group = f'"group":"({"|".join(chosen.codes)})",' if chosen else "()"
    head = f'{{"fingerprint":"{survey.fingerprint}",{group}"randomized":'
    return re.compile(rf"{head}{{{cells}}}}}\r?\n?")


def _read_csv(file: IO[bytes], survey: Survey, name: str, rows_of: RowsOf, on_read: OnRead) -> None:
    text = (line.decode("utf-8", "replace") for line in _lines(file, on_read))
    table = csv.reader(text, strict=True)
    try:
        heading, own = next(table, []), group_columns(survey)
        kept = [place for place, column in enumerate(heading) if column not in own]
        check_heading([heading[place] for place in kept], survey, name)
        group_of = code_reader(survey, heading)
        rows = rows_of([heading[place] for place in kept], f"{name} line")
        for row in table:
            if len(row) != len(heading):
                with within("line", table.line_num, name=f"{name} line {table.line_num}"):
                    raise Refusal("bad_csv.cells", wanted=len(heading), got=len(row))
            group = group_of(row)
            if group is None:
                with within("line", table.line_num, name=f"{name} line {table.line_num}"):
                    raise Refusal("bad_group.row", columns=own[:-1])
            cells = [row[place].strip(JSON_SPACE) for place in kept]
            rows.add(table.line_num, cells, sum(map(len, cells)), group)
        rows.finish()
    except csv.Error as error:
        raise Refusal("bad_csv.syntax", name=name, line=table.line_num, reason=error) from None
