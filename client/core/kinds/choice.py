"""Answers without an order: yes/no, one of several options, any of several, a cross-table."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.kinds.kind import Kind
from client.core.primitives.domain import MAX_BOXES, MAX_OPTIONS, Checks
from client.core.primitives.refusal import require
from client.core.primitives.values import check_labels, check_text

YES_NO = ("No", "Yes")


@dataclass(frozen=True, kw_only=True)
class OneOf(Kind):
    """One of 2 to 20,000 options."""

    options: tuple[str, ...]

    name: ClassVar[str] = "one_of"
    title: ClassVar[str] = "One of several options"
    text_fields: ClassVar[tuple[str, ...]] = (*Kind.text_fields, "options")

    def check(self) -> None:
        check_labels(self.options, 2, MAX_OPTIONS, "options")

    @property
    def own_labels(self) -> tuple[str, ...]:
        return self.options


@dataclass(frozen=True, kw_only=True)
class YesNo(OneOf):
    """Two options, the one for no first."""

    options: tuple[str, ...] = YES_NO

    name: ClassVar[str] = "yes_no"
    title: ClassVar[str] = "Yes or no"

    def check(self) -> None:
        check_labels(self.options, 2, 2, "options")


@dataclass(frozen=True, kw_only=True)
class AnyOf(Kind):
    """Up to 200 boxes of which `at_most` can be ticked; 0 means all of them."""

    options: tuple[str, ...]
    at_most: int = 0

    name: ClassVar[str] = "any_of"
    title: ClassVar[str] = "Any of several options"
    text_fields: ClassVar[tuple[str, ...]] = (*Kind.text_fields, "options")

    def check(self) -> None:
        check_labels(self.options, 1, MAX_BOXES - 2, "options")
        require(
            type(self.at_most) is int and 0 <= self.at_most <= len(self.options),
            "bad_at_most",
            f"at_most must be from 1 to the number of options, {len(self.options)}, "
            f"or 0 for all, got {str(self.at_most)[:40]}",
            "at_most",
        )

    @property
    def own_labels(self) -> tuple[str, ...]:
        return self.options

    @property
    def domain(self) -> Checks:
        return Checks(len(self.labels), self.at_most or len(self.labels))

    @property
    def hidden_answer(self) -> list[int]:
        return [len(self.labels) - 1]


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
