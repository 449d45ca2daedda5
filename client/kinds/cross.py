"""Two questions to be cross-tabulated, asked as one (math 8): far less noise than two apart."""

from dataclasses import dataclass
from typing import ClassVar

from client.kinds.kind import Kind
from client.text import check_labels, check_text

# Beyond this a table of shares says nothing that anybody could read.
MAX_SIDE = 12


@dataclass(frozen=True, kw_only=True)
class Cross(Kind):
    """Option i * columns + j is row i and column j."""

    row_prompt: str
    rows: tuple[str, ...]
    column_prompt: str
    columns: tuple[str, ...]

    name: ClassVar[str] = "cross"
    title: ClassVar[str] = "Two questions in one table"
    text_fields: ClassVar[tuple[str, ...]] = (
        *Kind.text_fields,
        *("row_prompt", "rows", "column_prompt", "columns"),
    )

    def check(self) -> None:
        check_text(self.row_prompt, "row_prompt")
        check_labels(self.rows, 2, MAX_SIDE, "rows")
        check_text(self.column_prompt, "column_prompt")
        check_labels(self.columns, 2, MAX_SIDE, "columns")

    @property
    def own_labels(self) -> tuple[str, ...]:
        return tuple(f"{row} / {column}" for row in self.rows for column in self.columns)
