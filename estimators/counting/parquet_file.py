"""Count a Parquet file of reports, batch by batch and as strictly as any other file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import Refusal, require, within
from client.core.question import Question
from client.core.report import check_asked
from client.core.survey import Survey
from estimators.counting.formats import FINGERPRINT, check_heading, load_pyarrow, schema_of
from estimators.counting.group_columns import code_reader, group_columns
from estimators.counting.layouts import layout_of
from estimators.counting.tally import Counting

Integers = NDArray[Any]
Flags = NDArray[np.bool_]

# A batch is large enough for numpy to be fast, and its numbers fit into little memory.
BATCH_ROWS = 2**18
BATCH_NUMBERS = 2**21


@dataclass(frozen=True)
class RowGroups:
    """Some row groups of a file that follow each other, and how many rows come before them."""

    first: int
    count: int
    before: int


def count_parquet(
    file: IO[bytes],
    counting: Counting,
    name: str,
    on_read: Callable[[int], object] = lambda size: None,
    part: RowGroups | None = None,
) -> None:
    """Add every row of the file, or of some of its row groups, to the count.

    `on_read` is called with the number of bytes read, as if all rows had the same size.
    """
    for batch in parquet_batches(file, counting.survey, name, on_read, part):
        codes, places = batch.groups
        for column in batch.columns:
            times = column.count_by(places, len(codes))
            sizes = np.bincount(places[column.given], minlength=len(codes)).tolist()
            for code, counts, n in zip(codes, times, sizes, strict=True):
                if n:
                    counting.add_counts(column.question, counts, n, code)


class GroupCodes(NamedTuple):
    """The codes of the groups in a batch, and the place among them of each row's."""

    codes: list[str]
    places: Integers

    def by_row(self) -> list[str]:
        return [self.codes[place] for place in self.places.tolist()]


@dataclass(frozen=True)
class Batch:
    """Some rows of a file: a column per question, and the group of each row."""

    columns: list["ParquetColumn"]
    groups: GroupCodes


def row_groups(file: IO[bytes], survey: Survey, name: str, rows: int) -> list[RowGroups]:
    """Cut a file into runs of row groups with at least so many rows, except the last."""
    parts, first, before, size = [], 0, 0, 0
    with _opened(file, survey, name) as table:
        found = [table.metadata.row_group(at).num_rows for at in range(table.num_row_groups)]
        _check_rows(table.metadata.num_rows, sum(found), name)
    for at, number in enumerate(found, start=1):
        size += number
        if size >= rows or at == len(found):
            parts.append(RowGroups(first, at - first, before))
            first, before, size = at, before + size, 0
    return parts


def parquet_batches(
    file: IO[bytes],
    survey: Survey,
    name: str,
    on_read: Callable[[int], object],
    part: RowGroups | None = None,
) -> Iterator[Batch]:
    """Yield one batch of rows after the other, checked."""
    size = file.seek(0, 2)
    with _opened(file, survey, name) as table:
        groups, wanted, done = range(table.num_row_groups), table.metadata.num_rows, 0
        if part is not None:
            groups, done = range(part.first, part.first + part.count), part.before
            wanted = done + sum(table.metadata.row_group(at).num_rows for at in groups)
        for batch in table.iter_batches(_batch_rows(survey), row_groups=list(groups)):
            place = f"{name} row"
            columns = _columns(load_pyarrow(), batch, survey, place, done + 1)
            yield Batch(columns, _groups(batch, survey, place, done + 1))
            done += len(batch)
            on_read(size * len(batch) // max(table.metadata.num_rows, 1))
        _check_rows(wanted, done, name)


def _batch_rows(survey: Survey) -> int:
    numbers = sum(np.size(question.mechanism.longest) for question in survey.questions)
    return max(1, min(BATCH_ROWS, BATCH_NUMBERS // numbers))


@contextmanager
def _opened(file: IO[bytes], survey: Survey, name: str) -> Iterator[Any]:
    """Open a file with a column per question of the survey; raise if it is or proves damaged."""
    arrow = load_pyarrow()
    try:
        with arrow.parquet.ParquetFile(file, page_checksum_verification=True) as table:
            _check_schema(arrow, table.schema_arrow, survey, name)
            yield table
    # A damaged file raises an exception of pyarrow's own, or an OSError without an errno.
    except (arrow.ArrowException, UnicodeDecodeError, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise
        raise _damaged(name, str(error).partition("\n")[0][:200]) from None


def _check_rows(announced: int, found: int, name: str) -> None:
    if found != announced:
        raise _damaged(name, f"{announced} rows announced, {found} found")


def _damaged(name: str, reason: str) -> Refusal:
    return Refusal("bad_parquet", name, reason=reason)


def _check_schema(arrow: Any, found: Any, survey: Survey, name: str) -> None:
    fingerprint = (found.metadata or {}).get(FINGERPRINT, b"").decode("ascii", "replace")
    require(
        fingerprint == survey.fingerprint,
        "wrong_fingerprint.file",
        "fingerprint",
        name=name,
        key=FINGERPRINT.decode(),
        fingerprint=survey.fingerprint,
        got=fingerprint,
    )
    own = group_columns(survey)
    check_heading([column for column in found.names if column not in own], survey, name)
    for field in schema_of(survey):
        if field.name in own:
            continue
        type = found.field(field.name).type
        wanted = _lists_around_integers(arrow, field.type)
        require(
            _lists_around_integers(arrow, type) == wanted,
            "wrong_type",
            field.name,
            name=name,
            wanted=f"{'lists of ' * (wanted or 0)}integers",
            got=type,
        )


def _lists_around_integers(arrow: Any, type: Any) -> int | None:
    """Return how many lists a type nests around integers; None if it holds anything else."""
    types, depth = arrow.types, 0
    while types.is_list(type) or types.is_large_list(type) or types.is_fixed_size_list(type):
        type, depth = type.value_type, depth + 1
    return depth if types.is_integer(type) else None


def _groups(batch: Any, survey: Survey, place: str, first: int) -> GroupCodes:
    """Return the group of each row, "" if the file has no columns for groups."""
    own = [name for name in group_columns(survey) if name in batch.schema.names]
    if not own:
        return GroupCodes([""], np.zeros(len(batch), dtype=np.int64))
    read, keys = code_reader(survey, own), np.zeros(len(batch), dtype=np.int64)
    for name in own:
        labels = batch.column(name).dictionary_encode()
        missing = len(labels.dictionary)
        places = labels.indices.fill_null(missing).to_numpy(zero_copy_only=False)
        # Numbered anew after each column, so that no number grows beyond the rows.
        keys = np.unique(keys * (missing + 1) + places, return_inverse=True)[1]
    _, firsts, keys = np.unique(keys, return_index=True, return_inverse=True)
    rows = [[str(batch.column(name)[row].as_py() or "") for name in own] for row in firsts.tolist()]
    codes = [read(row) for row in rows]
    for row in sorted(int(firsts[at]) for at, code in enumerate(codes) if code is None)[:1]:
        with within("row", first + row, name=f"{place} {first + row}"):
            raise Refusal("bad_group.row", columns=own[:-1])
    known = sorted({code for code in codes if code is not None})
    return GroupCodes(
        known, np.array([known.index(str(code)) for code in codes], dtype=np.int64)[keys]
    )


def _columns(
    arrow: Any, batch: Any, survey: Survey, place: str, first: int
) -> list["ParquetColumn"]:
    """Return the columns of a batch; `first` is the number of its first row in the file."""
    asked = np.zeros(len(batch), dtype=np.int64)
    columns = []
    for question in survey.questions:
        column = ParquetColumn(arrow, batch.column(question.id), question, place, first)
        if not survey.ask_each_person:
            column.check_given()
        asked += column.given
        columns.append(column)
    for row in np.flatnonzero(asked != survey.asked)[:1].tolist():
        with within("row", first + row, name=f"{place} {first + row}"):
            check_asked(int(asked[row]), survey)
    return columns


class Distinct(NamedTuple):
    """Distinct reports in the order of their first rows, and the place of each given row's."""

    reports: list[Any]
    codes: Integers


@dataclass(frozen=True)
class ParquetColumn:
    """The entries of one question in a batch of rows, null where it was not asked."""

    arrow: Any
    entries: Any
    question: Question
    place: str
    first: int

    @cached_property
    def given(self) -> Flags:
        """Which rows have an entry."""
        flags: Flags = self.entries.is_valid().to_numpy(zero_copy_only=False)
        return flags

    def count_by(self, places: Integers, groups: int) -> Integers:
        """Check every entry; return a row of counts per cell for each of so many groups."""
        numbers = self._numbers(np.flatnonzero(self.given))
        cells = layout_of(self.question.mechanism).cells(numbers)
        if cells is None:
            # One of them is no report, and this names the first.
            self.distinct()
            raise AssertionError(f"the layout and the check of {self.question.id} differ")
        size = self.question.mechanism.cells
        keys = cells if groups == 1 else cells + size * places[self.given][:, None]
        return np.bincount(keys.ravel(), minlength=size * groups).reshape(groups, size)

    def distinct(self) -> Distinct:
        """Check every distinct entry; return them, and which of them each given row holds."""
        rows = np.flatnonzero(self.given)
        numbers = self._numbers(rows)
        firsts, codes = _distinct(numbers)
        for first in firsts.tolist():
            self._check(numbers[first].tolist(), int(rows[first]))
        return Distinct(numbers[firsts].tolist(), codes)

    def check_given(self) -> None:
        """Raise the mechanism's refusal for the first row that has no entry."""
        if self.entries.null_count:
            self.check_all(self.given, np.arange(len(self.entries)))

    def check_all(self, valid: Flags, rows: Integers) -> None:
        """Raise the mechanism's refusal for the first entry that is not valid."""
        for bad in np.flatnonzero(~valid)[:1]:
            row = int(rows[bad])
            self._check(self.entries[row].as_py(), row)

    def _check(self, randomized: object, row: int) -> None:
        number = self.first + row
        with within("row", number, name=f"{self.place} {number}"):
            self.question.mechanism.check(randomized, self.question.id)

    def _numbers(self, rows: Integers) -> Integers:
        """Return the entries of these rows as one array; raise unless they are nested correctly."""
        compute = self.arrow.compute
        shape = np.shape(self.question.mechanism.longest)
        level = self.entries.drop_null()
        for length in shape:
            lengths = compute.fill_null(compute.list_value_length(level), -1)
            self.check_all(lengths.to_numpy() == length, rows)
            level = compute.list_flatten(level)
            rows = np.repeat(rows, length)
        if level.null_count:
            self.check_all(level.is_valid().to_numpy(zero_copy_only=False), rows)
        return np.asarray(level.to_numpy()).reshape(-1, *shape)


def _distinct(numbers: Integers) -> tuple[Integers, Integers]:
    """Return the first position of each distinct entry, in order, and each entry's place there."""
    rows = numbers.reshape(len(numbers), -1)
    base, width = int(rows.max(initial=0)) + 1, rows.shape[1]
    if rows.min(initial=0) >= 0 and base**width < 2**63:
        # Encode each row as one number in this base: numbers sort far faster than rows.
        keys, axis = rows.astype(np.int64) @ base ** np.arange(width), None
    else:
        keys, axis = rows, 0
    _, firsts, codes = np.unique(keys, axis=axis, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return firsts[order], places[codes]
