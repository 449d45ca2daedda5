"""A real warehouse: DuckDB runs its own dialect, and the others as sqlglot translates them."""

import csv
from pathlib import Path
from typing import Any

import duckdb
import sqlglot

from client.core.survey import Survey
from estimators.warehouse.query import COLUMNS, tally_query


def in_duckdb(query: str, dialect: str) -> str:
    """Return the query as DuckDB takes it."""
    if dialect == "duckdb":
        return query
    (translated,) = sqlglot.transpile(query, read=dialect, write="duckdb")
    # BigQuery counts the entries of a list from 0, DuckDB from 1. sqlglot leaves expressions with
    # them as they are, so that only which places are even is another.
    return translated.replace("place % 2 = 0", "place % 2 = 1")


def count_in_warehouse(survey: Survey, dialect: str, files: str) -> list[dict[str, Any]]:
    """Count files of reports with the query of a dialect, and return its rows."""
    with duckdb.connect() as warehouse:
        warehouse.execute(f"CREATE VIEW reports AS FROM '{files}'")
        # A function of Spark.
        warehouse.execute("CREATE MACRO get(entries, place) AS entries[place + 1]")
        found = warehouse.execute(in_duckdb(tally_query(survey, dialect, "reports"), dialect))
        return [dict(zip(COLUMNS, row, strict=True)) for row in found.fetchall()]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write the rows as a warehouse exports them."""
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
    return path
