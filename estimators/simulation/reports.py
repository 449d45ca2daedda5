"""Whole reports of synthetic respondents: as the wire carries them, and as files."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from client.console.files import new_file
from client.core.mechanisms import TwoLevel
from client.core.report import Report
from client.core.survey import Survey
from estimators.counting.formats import (
    CSV,
    JSON_LINES,
    PARQUET,
    columns_of,
    load_pyarrow,
    schema_of,
    suffix_of,
)
from estimators.counting.group_columns import escaped_cells, group_cells, group_columns
from estimators.simulation.engines import draw_asked
from estimators.simulation.kernels.samplers import Answers, numbers_per_respondent, randomize, wire
from estimators.simulation.kernels.source import Flags, Integers, Source
from estimators.simulation.people.group_shares import GroupShares, group_shares
from estimators.simulation.people.truths import Truths

# Reports per block. Writing takes far longer than drawing, so blocks can be small.
MOST_IN_BLOCK = 2**14
# The randomized answers of a block take at most this many numbers.
BLOCK_NUMBERS = 2**22


@dataclass(frozen=True)
class Columns:
    """The reports of some respondents, question by question: what files are written from.

    `randomized[id]` has one entry for each respondent, nested as on the wire: a number, a list, or
    a list of pairs. If `asked[id]` is false the question was not asked, and the entry means
    nothing.
    """

    survey: Survey
    randomized: dict[str, Integers]
    asked: dict[str, Flags]
    # The number of each respondent's group. Only a group that people choose is in the report.
    groups: Integers | None = None

    def __len__(self) -> int:
        return len(next(iter(self.asked.values())))

    def reports(self) -> Iterator[Report]:
        """Yield the reports one by one."""
        columns = [self._plain(question.id) for question in self.survey.questions]
        for row, group in zip(zip(*columns, strict=True), self.codes(), strict=True):
            randomized = dict(zip(self.randomized, row, strict=True))
            yield Report(self.survey.fingerprint, randomized, group)

    def codes(self) -> list[str]:
        """Return the code of each respondent's group, "" if people do not choose one."""
        chosen = self.survey.chosen_groups
        if chosen is None or self.groups is None:
            return [""] * len(self)
        return [chosen.codes[number] for number in self.groups.tolist()]

    def _plain(self, id: str) -> list[Any]:
        entries = zip(self.randomized[id].tolist(), self.asked[id].tolist(), strict=True)
        return [entry if asked else None for entry, asked in entries]


def simulate_columns(
    truths: Truths, n: int, source: Source, shares: GroupShares | None = None
) -> Iterator[Columns]:
    """Draw the reports of n respondents in blocks, in groups of these shares, by default even ones.

    Which questions and boxes a report is about is drawn uniformly.
    """
    shares = shares or group_shares(truths.survey)
    room = sum(numbers_per_respondent(question.mechanism) for question in truths.survey.questions)
    size = max(1, min(MOST_IN_BLOCK, BLOCK_NUMBERS // room))
    for first in range(0, n, size):
        yield _block(truths, first, min(size, n - first), source, shares)


def simulate_reports(truths: Truths, n: int, source: Source) -> Iterator[Report]:
    """Draw the reports of n respondents one by one."""
    for columns in simulate_columns(truths, n, source):
        yield from columns.reports()


def _block(
    truths: Truths, first: int, n: int, source: Source, shares: GroupShares | None
) -> Columns:
    survey = truths.survey
    answers = truths.draw(n, source, first)
    flags = draw_asked(survey, n, source)
    asked = {question.id: flags[:, i] for i, question in enumerate(survey.questions)}
    # Equal answers may come together; the reports of a ballot box do not show that.
    order = source.permutation(n)
    randomized = {
        question.id: _column(
            question.mechanism, answers[question.id][order], asked[question.id], source
        )
        for question in survey.questions
    }
    return Columns(survey, randomized, asked, shares.draw(n, source) if shares else None)


def _column(mechanism: TwoLevel, answers: Answers, asked: Flags, source: Source) -> Integers:
    """Return one question's randomized answers, zeros for those who were not asked."""
    reports = wire(mechanism, randomize(mechanism, answers[asked], source))
    column = np.zeros((len(asked), *reports.shape[1:]), dtype=reports.dtype)
    column[asked] = reports
    return column


Text = NDArray[np.uint8]

# How many bytes of lines are made at a time: as many as fit into the cache.
BLOCK_BYTES = 2**20


def json_lines(columns: Columns) -> Iterator[bytes]:
    """Yield one report per line, as in its body."""
    ids = sorted(columns.randomized)
    keys = [f'"{id}":' for id in ids]
    head, middle = f'{{"fingerprint":"{columns.survey.fingerprint}",', '"randomized":{' + keys[0]
    pieces = [*(f",{key}" for key in keys[1:]), "}}\n"]
    if columns.survey.chosen_groups is None:
        return _lines(columns, ids, [head + middle, *pieces])
    fixed = [f'{head}"group":"', f'",{middle}', *pieces]
    return _lines(columns, ids, fixed, before=_padded(columns.codes()))


def csv_lines(columns: Columns) -> Iterator[bytes]:
    """Yield one report per row, each cell as in the report's JSON; lists are quoted."""
    quotes = ['"' if column.ndim > 1 else "" for column in columns.randomized.values()]
    between = [f"{left},{right}" for left, right in pairwise(quotes)]
    ids, ends = list(columns.randomized), [f"{quotes[-1]}\r\n"]
    if columns.groups is None:
        return _lines(columns, ids, [quotes[0], *between, *ends])
    # The labels of the factors and of the whole group, as in an export.
    labels = _group_rows(columns.survey)[columns.groups]
    return _lines(columns, ids, [quotes[0], *between, f"{quotes[-1]},", "\r\n"], after=labels)


def _group_rows(survey: Survey) -> Text:
    """Return the cells of each group as a part of a CSV row, in the order of their codes."""
    assert survey.groups is not None
    rows = []
    for code in survey.groups.codes:
        text = io.StringIO()
        csv.writer(text, lineterminator="").writerow(escaped_cells(survey.groups, code))
        rows.append(text.getvalue())
    return _padded(rows)


def _lines(
    columns: Columns,
    ids: Sequence[str],
    fixed: Sequence[str],
    before: Text | None = None,
    after: Text | None = None,
) -> Iterator[bytes]:
    """Yield blocks of lines: the entries of these questions with fixed pieces between them.

    Each line may have another entry before them or after them.
    """
    step = max(1, BLOCK_BYTES // columns.survey.report_bytes)
    pieces = [np.frombuffer(piece.encode(), dtype=np.uint8) for piece in fixed]
    for start in range(0, len(columns), step):
        rows = slice(start, start + step)
        entries = [_entries(columns.randomized[id][rows], columns.asked[id][rows]) for id in ids]
        entries = [
            *([] if before is None else [before[rows]]),
            *entries,
            *([] if after is None else [after[rows]]),
        ]
        between = chain.from_iterable(zip(pieces, entries, strict=False))
        yield _compact([*between, pieces[-1]], len(entries[0]))


def _compact(parts: Sequence[Text], lines: int) -> bytes:
    """Join the parts of every line, without the unused bytes; a part of one row is repeated."""
    room = np.empty((lines, sum(part.shape[-1] for part in parts)), dtype=np.uint8)
    start = 0
    for part in parts:
        end = start + part.shape[-1]
        room[:, start:end] = part
        start = end
    return room.tobytes().replace(b"\0", b"")


def _padded(texts: Sequence[str]) -> Text:
    """Return texts one row each, filled up with unused bytes."""
    encoded = np.array([text.encode() for text in texts])
    return encoded.view(np.uint8).reshape(len(texts), -1)


def _entries(numbers: Integers, asked: Flags) -> Text:
    """Return one question's randomized answers as JSON, `null` where it was not asked."""
    text = _json(numbers)
    if asked.all():
        return text
    null = np.frombuffer(b"null", dtype=np.uint8)
    entries = np.zeros((len(text), max(text.shape[1], len(null))), dtype=np.uint8)
    entries[asked, : text.shape[1]] = text[asked]
    entries[~asked, : len(null)] = null
    return entries


def _json(numbers: Integers) -> Text:
    """Return numbers, or lists nested like the array, as one row of text each."""
    if numbers.ndim == 1:
        return _numerals(len(str(numbers.max())))[numbers]
    rows, members, *rest = numbers.shape
    inner = _json(numbers.reshape(rows * members, *rest))
    text = np.empty((rows, 1 + members * (inner.shape[1] + 1)), dtype=np.uint8)
    text[:, 0] = ord("[")
    places = text[:, 1:].reshape(rows, members, -1)
    places[:, :, :-1] = inner.reshape(rows, members, -1)
    places[:, :, -1] = ord(",")
    text[:, -1] = ord("]")
    return text


@lru_cache
def _numerals(digits: int) -> Text:
    """Return all numbers of up to this many digits in decimal, one row each."""
    return (
        np.array([str(number).encode() for number in range(10**digits)])
        .view(np.uint8)
        .reshape(-1, digits)
    )


Batches = Iterable[Columns]
OnWritten = Callable[[int], object]


def write_reports(
    batches: Batches, path: Path, survey: Survey, on_written: OnWritten = lambda count: None
) -> None:
    """Write a new file, batch by batch; raise before drawing if it cannot be written."""
    write = {JSON_LINES: _write_json_lines, CSV: _write_csv, PARQUET: _write_parquet}
    with new_file(path) as file:
        write[suffix_of(path)](_counted(batches, on_written), file, survey)


def _counted(batches: Batches, on_written: OnWritten) -> Batches:
    """Yield the batches and report how many reports of each are written."""
    for columns in batches:
        yield columns
        on_written(len(columns))


def _write_json_lines(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    for columns in batches:
        file.writelines(json_lines(columns))


def _write_csv(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    file.write(f"{','.join([*columns_of(survey), *group_columns(survey)])}\r\n".encode())
    for columns in batches:
        file.writelines(csv_lines(columns))


def _write_parquet(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    arrow, schema = load_pyarrow(), schema_of(survey)
    with arrow.parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
        for columns in batches:
            arrays = [
                _array(arrow, columns.randomized[id], columns.asked[id], schema.field(id).type)
                for id in columns_of(survey)
            ]
            writer.write_table(arrow.table([*arrays, *_groups(columns)], schema=schema))


def _groups(columns: Columns) -> Iterator[list[str]]:
    """Yield the columns that tell the group, if there are groups."""
    groups, numbers = columns.survey.groups, columns.groups
    if groups is not None and numbers is not None:
        cells = zip(*(group_cells(groups, code) for code in groups.codes), strict=True)
        for labels in cells:
            yield [labels[number] for number in numbers.tolist()]


def _array(arrow: Any, numbers: Integers, asked: Flags, type: Any) -> Any:
    """Return one question's column, null and without list elements where it was not asked."""
    if numbers.ndim == 1:
        return arrow.array(numbers, type=type, mask=~asked)
    rows, members, *rest = numbers[asked].shape
    inner = numbers[asked].reshape(rows * members, *rest)
    ends = np.cumsum(asked * members)
    everybody = np.ones(len(inner), dtype=np.bool_)
    return arrow.ListArray.from_arrays(
        np.concatenate([[0], ends]).astype(np.int32),
        _array(arrow, inner, everybody, type.value_type),
        type=type,
        mask=arrow.array(~asked),
    )
