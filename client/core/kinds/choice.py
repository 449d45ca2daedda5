"""Kinds whose answers have no order: yes/no, one of several, any of several, a cross table."""

from dataclasses import dataclass
from typing import ClassVar

from client.core.kinds.kind import Kind, labels
from client.core.primitives.domain import MAX_BOXES, MAX_OPTIONS, Checks
from client.core.primitives.refusal import require
from client.core.primitives.values import check_text

YES_NO = ("No", "Yes")
# Nobody could read a larger table of shares.
MAX_SIDE = 12


@dataclass(frozen=True, kw_only=True)
class OneOf(Kind):
    """One of 2 to 20,000 options."""

    options: tuple[str, ...]

    name: ClassVar = "one_of"
    text_fields: ClassVar = (*Kind.text_fields, "options")
    list_fields: ClassVar = ("options",)
    rules: ClassVar = {**Kind.rules, "options": labels(2, MAX_OPTIONS)}

    @property
    def own_labels(self) -> tuple[str, ...]:
        return self.options


@dataclass(frozen=True, kw_only=True)
class YesNo(OneOf):
    """Two options; the one that means no comes first."""

    options: tuple[str, ...] = YES_NO

    name: ClassVar = "yes_no"
    rules: ClassVar = {**Kind.rules, "options": labels(2, 2)}


@dataclass(frozen=True, kw_only=True)
class AnyOf(Kind):
    """Up to 200 boxes, of which at most `at_most` can be ticked; 0 means all of them."""

    options: tuple[str, ...]
    at_most: int = 0

    name: ClassVar = "any_of"
    text_fields: ClassVar = (*Kind.text_fields, "options")
    list_fields: ClassVar = ("options",)
    rules: ClassVar = {**Kind.rules, "options": labels(1, MAX_BOXES - 2)}

    def check(self) -> None:
        most = len(self.options)
        fits = type(self.at_most) is int and 0 <= self.at_most <= most
        require(fits, "bad_at_most", "at_most", options=most, at_most=self.at_most)

    @property
    def own_labels(self) -> tuple[str, ...]:
        return self.options

    @property
    def domain(self) -> Checks:
        return Checks(len(self.labels), self.at_most or len(self.labels))

    @property
    def hidden_answer(self) -> list[int]:
        return [len(self.labels) - 1]


@dataclass(frozen=True, kw_only=True)
class Cross(Kind):
    """Two questions answered as one: option i * columns + j means row i and column j."""

    row_prompt: str
    rows: tuple[str, ...]
    column_prompt: str
    columns: tuple[str, ...]

    name: ClassVar = "cross"
    list_fields: ClassVar = ("rows", "columns")
    text_fields: ClassVar = (*Kind.text_fields, "row_prompt", "rows", "column_prompt", "columns")
    rules: ClassVar = {
        **Kind.rules,
        "row_prompt": check_text,
        "rows": labels(2, MAX_SIDE),
        "column_prompt": check_text,
        "columns": labels(2, MAX_SIDE),
    }

    @property
    def own_labels(self) -> tuple[str, ...]:
        return tuple(f"{row} / {column}" for row in self.rows for column in self.columns)
