"""Count a Parquet file of reports, batch by batch and as strictly as any other file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import Refusal, require, within
from client.core.question import Question
from client.core.report import check_asked
from client.core.survey import Survey
from estimators.counting.formats import FINGERPRINT, check_heading, load_pyarrow, schema_of
from estimators.counting.group_columns import code_reader, group_columns
from estimators.counting.tally import Counting

Integers = NDArray[Any]
Flags = NDArray[np.bool_]

BATCH_ROWS = 2**16


def count_parquet(
    file: IO[bytes], counting: Counting, name: str, on_read: Callable[[int], object]
) -> None:
    """Add every row of the file to the count.

    `on_read` is called with the number of bytes read, as if all rows had the same size.
    """
    for batch in parquet_batches(file, counting.survey, name, on_read):
        for column in batch.columns:
            found = column.distinct()
            for randomized, times in zip(found.reports, np.bincount(found.codes), strict=True):
                counting.add(column.question, randomized, int(times))


@dataclass(frozen=True)
class Batch:
    """Some rows of a file: a column per question, and the code of each row's group."""

    columns: list["ParquetColumn"]
    groups: list[str]


def parquet_batches(
    file: IO[bytes], survey: Survey, name: str, on_read: Callable[[int], object]
) -> Iterator[Batch]:
    """Yield one batch of rows after the other, checked."""
    arrow = load_pyarrow()
    size = file.seek(0, 2)
    try:
        with arrow.parquet.ParquetFile(file, page_checksum_verification=True) as table:
            _check_schema(arrow, table.schema_arrow, survey, name)
            done = 0
            for batch in table.iter_batches(BATCH_ROWS):
                place = f"{name} row"
                columns = _columns(arrow, batch, survey, place, done + 1)
                yield Batch(columns, _groups(batch, survey, place, done + 1))
                done += len(batch)
                on_read(size * len(batch) // max(table.metadata.num_rows, 1))
            if done != table.metadata.num_rows:
                raise _damaged(name, f"{table.metadata.num_rows} rows announced, {done} found")
    # A damaged file raises an exception of pyarrow's own, or an OSError without an errno.
    except (arrow.ArrowException, UnicodeDecodeError, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise
        raise _damaged(name, str(error).partition("\n")[0][:200]) from None


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


def _groups(batch: Any, survey: Survey, place: str, first: int) -> list[str]:
    """Return the code of each row's group, "" if the file has no columns for groups."""
    own = [name for name in group_columns(survey) if name in batch.schema.names]
    read, found = code_reader(survey, own), []
    cells = [[str(cell or "") for cell in batch.column(name).to_pylist()] for name in own]
    for number, row in enumerate(zip(*cells, strict=True) if own else ([],) * len(batch), first):
        group = read(list(row))
        if group is None:
            with within("row", number, name=f"{place} {number}"):
                raise Refusal("bad_group.row", columns=own[:-1])
        found.append(group)
    return found


def _columns(
    arrow: Any, batch: Any, survey: Survey, place: str, first: int
) -> list["ParquetColumn"]:
    """Return the columns of a batch; `first` is the number of its first row in the file."""
    asked = np.zeros(len(batch), dtype=np.int64)
    columns = []
    for question in survey.questions:
        column = ParquetColumn(arrow, batch.column(question.id), question, place, first)
        if not survey.ask_each_person:
            column.check_all(column.given, np.arange(len(batch)))
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

    @property
    def given(self) -> Flags:
        """Which rows have an entry."""
        flags: Flags = self.entries.is_valid().to_numpy(zero_copy_only=False)
        return flags

    def distinct(self) -> Distinct:
        """Check every distinct entry; return them, and which of them each given row holds."""
        rows = np.flatnonzero(self.given)
        numbers = self._numbers(rows)
        firsts, codes = _distinct(numbers)
        for first in firsts.tolist():
            self._check(numbers[first].tolist(), int(rows[first]))
        return Distinct(numbers[firsts].tolist(), codes)

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
