"""Read what the query returned, as CSV, into a tally."""

import csv
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from client.core.primitives.refusal import Refusal, require, within
from client.core.survey import Survey
from estimators.counting.reports_file import open_file
from estimators.counting.tally import Counting
from estimators.tallies.survey_tally import MOST_REPORTS, Part, SurveyTally, reports_in
from estimators.warehouse.query import CELL, COLUMNS, REFUSED, REPORTS

MAX_LINE = 2**16
_NUMBER = re.compile(r"[0-9]{1,15}")


# The kind of a row, its group, its question and its cell.
Key = tuple[str, str, str, int]


class Row(NamedTuple):
    """A row of the result as text."""

    survey: str
    kind: str
    survey_group: str
    question: str
    cell: str
    reports: str


def read_result(path: Path, survey: Survey) -> SurveyTally:
    """Read the rows strictly: all of one survey, none counted twice, none refused."""
    rows = list(_rows(path))
    refused = [row.reports for _, row in rows if row.kind == REFUSED]
    require(len(refused) == 1, "bad_result.missing", str(path))
    # Said first: the other rows mean nothing if some were refused.
    require(refused == ["0"], "bad_result.refused", str(path), refused=refused[0])
    found: dict[Key, int] = {}
    for number, row in rows:
        with within("line", number, name=f"{path} line {number}"):
            key, reports = _read(row, survey)
            require(key not in found, "bad_result.twice", "cell")
            found[key] = reports
    with within(str(path), name=str(path)):
        return _tally(found, survey)


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield every row with the number of its line."""
    with open_file(path) as file:
        lines = (
            line.decode("utf-8-sig", "replace")
            for line in iter(lambda: file.readline(MAX_LINE), b"")
        )
        table = csv.reader(lines, strict=True)
        try:
            heading = next(table, [])
            wanted, got = ",".join(COLUMNS), ",".join(heading)
            require(
                sorted(heading) == sorted(COLUMNS),
                "wrong_heading",
                str(path),
                wanted=wanted,
                heading=got,
            )
            for cells in table:
                if len(cells) != len(COLUMNS):
                    with within("line", table.line_num, name=f"{path} line {table.line_num}"):
                        raise Refusal("bad_csv.cells", wanted=len(COLUMNS), got=len(cells))
                yield table.line_num, Row(**dict(zip(heading, cells, strict=True)))
        except csv.Error as error:
            raise Refusal(
                "bad_csv.syntax", name=str(path), line=table.line_num, reason=error
            ) from None


def _read(row: Row, survey: Survey) -> tuple[Key, int]:
    """Return what a row counts, and how many reports; raise unless it can be of the survey."""
    wanted = survey.fingerprint
    require(
        row.survey == wanted, "wrong_fingerprint.result", "survey", wanted=wanted, got=row.survey
    )
    known = [REPORTS, REFUSED, CELL]
    require(row.kind in known, "bad_result.kind", "kind", known=known, got=row.kind)
    for field, text in (("cell", row.cell), ("reports", row.reports)):
        require(bool(_NUMBER.fullmatch(text)), "bad_result.number", field, got=text)
    cell, cells = int(row.cell), {item.id: item.mechanism.cells for item in survey.questions}
    if row.kind == CELL:
        require(row.question in cells, "unknown_question", row.question)
        most = cells[row.question] - 1
        require(cell <= most, "bad_result.cell", "cell", most=most, got=cell)
    else:
        require(row.question == "" and cell == 0, "bad_result.other", "question", kind=row.kind)
    if row.survey_group and survey.groups:
        survey.groups.check(row.survey_group, "survey_group")
    return (row.kind, row.survey_group, row.question, cell), int(row.reports)


def _tally(found: dict[Key, int], survey: Survey) -> SurveyTally:
    counting, groups = Counting(survey), sorted({key[1] for key in found if key[0] != REFUSED})
    for group in groups:
        for question in survey.questions:
            cells = range(question.mechanism.cells)
            counts = [found.get((CELL, group, question.id, cell), 0) for cell in cells]
            total, marks = sum(counts), question.mechanism.marks
            fits = total % marks == 0 and total <= marks * MOST_REPORTS
            require(fits, "bad_counts.sum", question.id, marks=marks, total=total)
            counting.add_counts(question, np.array(counts), total // marks, group)
    text = "\n".join(",".join(map(str, (*key, count))) for key, count in sorted(found.items()))
    reports = sum(count for (kind, *_), count in found.items() if kind == REPORTS)
    # The same result in another order is the same part.
    digest = hashlib.sha256(f"{survey.fingerprint}\n{text}".encode()).hexdigest()
    for group, tallies in counting.by_group().items():
        counted, said = reports_in(tallies, survey), found.get((REPORTS, group, "", 0), 0)
        require(counted == said, "bad_result.reports", "reports", counted=counted, reports=said)
    return SurveyTally.of(counting, [Part(digest, reports)])
