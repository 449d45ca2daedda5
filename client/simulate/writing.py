"""Files of synthetic reports, in the formats that `estimate` reads."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np

from client.new_file import new_file
from client.parquet import load_pyarrow, schema_of
from client.report_files import CSV, JSON_LINES, PARQUET, columns_of, suffix_of
from client.simulate.lines import csv_lines, json_lines
from client.simulate.reports import Columns
from client.simulate.source import Flags, Integers
from client.survey import Survey

Batches = Iterable[Columns]
OnWritten = Callable[[int], object]


def write_reports(
    batches: Batches, path: Path, survey: Survey, on_written: OnWritten = lambda count: None
) -> None:
    """Write a new file, batch by batch; what cannot be written is refused before any is drawn."""
    write = {JSON_LINES: _write_json_lines, CSV: _write_csv, PARQUET: _write_parquet}
    with new_file(path) as file:
        write[suffix_of(path)](_counted(batches, on_written), file, survey)


def _counted(batches: Batches, on_written: OnWritten) -> Batches:
    for columns in batches:
        yield columns
        on_written(len(columns))


def _write_json_lines(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    for columns in batches:
        file.writelines(json_lines(columns))


def _write_csv(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    file.write(f"{','.join(columns_of(survey))}\r\n".encode())
    for columns in batches:
        file.writelines(csv_lines(columns))


def _write_parquet(batches: Batches, file: IO[bytes], survey: Survey) -> None:
    arrow, schema = load_pyarrow(), schema_of(survey)
    with arrow.parquet.ParquetWriter(file, schema, write_page_checksum=True) as writer:
        for columns in batches:
            arrays = [
                _array(arrow, columns.randomized[field.name], columns.asked[field.name], field.type)
                for field in schema
            ]
            writer.write_table(arrow.table(arrays, schema=schema))


def _array(arrow: Any, numbers: Integers, asked: Flags, type: Any) -> Any:
    """One question's column; those who were not asked have null, and no room in the lists."""
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
