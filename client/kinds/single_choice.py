"""One answer out of several: yes/no, and a list of options."""

from dataclasses import dataclass
from typing import ClassVar

from client.domain import MAX_OPTIONS
from client.kinds.kind import Kind
from client.text import check_labels

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
