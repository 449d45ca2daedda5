"""What the SQL of DuckDB, Spark and BigQuery says differently: names, texts, and lists."""

from abc import ABC, abstractmethod
from typing import ClassVar

from estimators.counting.layouts import Layout


class Dialect(ABC):
    """One way to write SQL. Expressions about a report take it as `q`, a column."""

    # What surrounds a name, and how a quote inside a text is written.
    mark: ClassVar[str]
    escapes: ClassVar[dict[str, str]]
    # The name of integers of 64 bits.
    long: ClassVar[str] = "BIGINT"
    # Between WITH x AS and its query.
    hint: ClassVar[str] = ""

    def name(self, id: str) -> str:
        return f"{self.mark}{id}{self.mark}"

    def text(self, value: str) -> str:
        for plain, escaped in self.escapes.items():
            value = value.replace(plain, escaped)
        return f"'{value}'"

    def column(self, q: str, layout: Layout) -> str:
        """Return the report as the other expressions take it; NULL if it was not asked."""
        return q

    def is_report(self, q: str, layout: Layout) -> str:
        """Return the condition that q is a report; it may be NULL if it is none."""
        if layout.in_list:
            return self.is_list(q, layout)
        if not layout.with_bit:
            return _between(q, layout.least, layout.most)
        number, bit = self.at(q, 0), self.at(q, 1)
        within = f"{_between(number, layout.least, layout.most)} AND {_between(bit, 0, 1)}"
        return f"{self.length(q)} = 2 AND {within}"

    def cells(self, q: str, layout: Layout, source: str) -> str:
        """Return a query with a row for each cell of each report: survey_group and cell."""
        if layout.in_list:
            return self.list_cells(q, layout, source)
        cell = q
        if layout.with_bit:
            cell = self.pair(self.at(q, 0), self.at(q, 1), layout)
        return f"SELECT survey_group, {cell} AS cell FROM {source} WHERE {q} IS NOT NULL"

    def pair(self, number: str, bit: str, layout: Layout) -> str:
        """Return the cell of a number and a bit; in a wrong row they may be large."""
        return f"2 * (CAST({number} AS {self.long}) - {layout.least}) + {bit}"

    @abstractmethod
    def length(self, q: str) -> str:
        """Return the number of entries of a list."""

    @abstractmethod
    def at(self, q: str, place: int) -> str:
        """Return an entry of a list, counted from 0; NULL if there is none."""

    @abstractmethod
    def is_list(self, q: str, layout: Layout) -> str:
        """Return the condition that q lists the right number of marks in increasing order."""

    @abstractmethod
    def list_cells(self, q: str, layout: Layout, source: str) -> str:
        """Return `cells` for a layout in which marks are listed."""


def _between(number: str, least: int, most: int) -> str:
    return f"{number} BETWEEN {least} AND {most}"


class DuckDB(Dialect):
    mark = '"'
    escapes: ClassVar = {"'": "''"}
    # Else a question's column would be copied for every use.
    hint = "NOT MATERIALIZED "

    def length(self, q: str) -> str:
        return f"len({q})"

    def at(self, q: str, place: int) -> str:
        return f"{q}[{place + 1}]"

    def is_list(self, q: str, layout: Layout) -> str:
        numbers, rest = q, ""
        if layout.with_bit:
            numbers = f"list_transform({q}, lambda mark: mark[1])"
            pair = f"len(mark) = 2 AND {_between('mark[2]', 0, 1)}"
            pairs = f"list_transform({q}, lambda mark: coalesce({pair}, FALSE))"
            rest = f" AND list_bool_and({pairs})"
        # `list_distinct` drops NULL, so that lists with one differ.
        return (
            f"len({q}) = {layout.marks} AND {numbers} = list_sort(list_distinct({numbers}))"
            f" AND list_min({numbers}) >= {layout.least} AND list_max({numbers}) <= {layout.most}"
            f"{rest}"
        )

    def list_cells(self, q: str, layout: Layout, source: str) -> str:
        cells = q
        if layout.with_bit:
            cell = self.pair("mark[1]", "mark[2]", layout)
            cells = f"list_transform({q}, lambda mark: {cell})"
        return f"SELECT survey_group, unnest({cells}) AS cell FROM {source}"


class Spark(Dialect):
    mark = "`"
    escapes: ClassVar = {"\\": "\\\\", "'": "\\'"}

    def length(self, q: str) -> str:
        return f"size({q})"

    def at(self, q: str, place: int) -> str:
        # Unlike brackets, this is NULL beyond the end in every mode.
        return f"get({q}, {place})"

    def is_list(self, q: str, layout: Layout) -> str:
        numbers, rest = q, ""
        if layout.with_bit:
            numbers = f"transform({q}, mark -> get(mark, 0))"
            pair = f"size(mark) = 2 AND {_between('get(mark, 1)', 0, 1)}"
            rest = f" AND size(filter({q}, mark -> {pair})) = {layout.marks}"
        inside = _between("number", layout.least, layout.most)
        return (
            f"size({q}) = {layout.marks} AND {numbers} = array_sort(array_distinct({numbers}))"
            f" AND size(filter({numbers}, number -> {inside})) = {layout.marks}{rest}"
        )

    def list_cells(self, q: str, layout: Layout, source: str) -> str:
        cells = q
        if layout.with_bit:
            cell = self.pair("get(mark, 0)", "get(mark, 1)", layout)
            cells = f"transform({q}, mark -> {cell})"
        return f"SELECT survey_group, explode({cells}) AS cell FROM {source}"


class BigQuery(Dialect):
    """BigQuery has no lists of lists: what became of one, its numbers are taken from its JSON."""

    mark = "`"
    escapes: ClassVar = {"\\": "\\\\", "'": "\\'"}
    long = "INT64"

    def column(self, q: str, layout: Layout) -> str:
        if not (layout.in_list or layout.with_bit):
            return q
        numbers = f"REGEXP_EXTRACT_ALL(TO_JSON_STRING({q}), r'-?[0-9][-+.0-9eE]*')"
        return (
            "(SELECT ARRAY_AGG(SAFE_CAST(number AS INT64) ORDER BY place)"
            f" FROM UNNEST({numbers}) AS number WITH OFFSET AS place)"
        )

    def length(self, q: str) -> str:
        return f"ARRAY_LENGTH({q})"

    def at(self, q: str, place: int) -> str:
        return f"{q}[SAFE_OFFSET({place})]"

    def is_list(self, q: str, layout: Layout) -> str:
        step = 2 if layout.with_bit else 1
        before = f"IF(place < {step}, NULL, {q}[SAFE_OFFSET(place - {step})])"
        before = f"COALESCE({before}, {layout.least - 1})"
        right = f"number > {before} AND number <= {layout.most}"
        if layout.with_bit:
            right = f"IF(MOD(place, 2) = 0, {right}, {_between('number', 0, 1)})"
        wrong = f"SELECT 1 FROM UNNEST({q}) AS number WITH OFFSET AS place WHERE"
        length = step * layout.marks
        return f"ARRAY_LENGTH({q}) = {length} AND NOT EXISTS ({wrong} NOT COALESCE({right}, FALSE))"

    def list_cells(self, q: str, layout: Layout, source: str) -> str:
        if not layout.with_bit:
            return f"SELECT survey_group, cell FROM {source}, UNNEST({q}) AS cell"
        cell = self.pair("number", f"{q}[SAFE_OFFSET(place + 1)]", layout)
        marks = f"UNNEST({q}) AS number WITH OFFSET AS place"
        return f"SELECT survey_group, {cell} AS cell FROM {source}, {marks} WHERE MOD(place, 2) = 0"


DIALECTS: dict[str, Dialect] = {"duckdb": DuckDB(), "bigquery": BigQuery(), "spark": Spark()}
