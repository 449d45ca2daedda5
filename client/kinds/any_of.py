"""Any number of answers out of several: check-boxes."""

from dataclasses import dataclass
from typing import ClassVar

from client.domain import MAX_BOXES, Checks
from client.kinds.kind import Kind
from client.refusal import require
from client.text import check_labels


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
