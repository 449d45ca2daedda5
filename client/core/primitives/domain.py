"""The set of possible true answers: one option, a set of options, or a level on a scale.

Kinds and mechanisms meet here: a kind of question has a domain, and a mechanism accepts domains.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from client.core.primitives.refusal import require

MAX_OPTIONS = 20_000
MAX_BOXES = 200
MAX_TOP = 10_000
MAX_SILENT = 2


@dataclass(frozen=True)
class Choice:
    """One of `options`: an answer is an integer from 0 to options - 1."""

    options: int

    def __post_init__(self) -> None:
        check_shape("options", self.options, 2, MAX_OPTIONS)

    def check(self, answer: Any, field: str) -> None:
        check_integer(answer, 0, self.options - 1, field)


@dataclass(frozen=True)
class Checks:
    """At most `at_most` of `options`: an answer is a sorted list of the ticked options."""

    options: int
    at_most: int

    def __post_init__(self) -> None:
        check_shape("options", self.options, 1, MAX_BOXES)
        check_shape("at_most", self.at_most, 1, self.options)

    def check(self, answer: Any, field: str) -> None:
        check_set(answer, self.options - 1, field)
        require(
            len(answer) <= self.at_most,
            "too_many_options.ticked",
            field,
            at_most=self.at_most,
            count=len(answer),
        )


@dataclass(frozen=True)
class Levels:
    """An ordered level from 0 to `top`; differences between levels have a meaning.

    The numbers after the top are the `silent` options, "prefer not to say" and "does not apply".
    """

    top: int
    silent: int = 0

    def __post_init__(self) -> None:
        check_shape("top", self.top, 1, MAX_TOP)
        check_shape("silent", self.silent, 0, MAX_SILENT)

    @property
    def count(self) -> int:
        """The number of possible answers."""
        return self.top + 1 + self.silent

    def check(self, answer: Any, field: str) -> None:
        check_integer(answer, 0, self.count - 1, field)


Domain = Choice | Checks | Levels


def check_shape(name: str, value: object, low: int, high: int) -> None:
    """Raise unless a parameter of a domain or mechanism is an integer from low to high."""
    require(
        type(value) is int and low <= value <= high,
        "bad_shape.range",
        name,
        low=low,
        high=high,
        value=value,
    )


def check_integer(value: object, low: int, high: int, field: str) -> None:
    """Raise unless `value` is an integer from low to high; a boolean is not an integer here."""
    require(
        type(value) is int and low <= value <= high,
        "option_out_of_range",
        field,
        low=low,
        high=high,
        value=value,
    )


def check_pair(value: object, low: int, high: int, field: str) -> None:
    """Raise unless `value` is a list of an index from low to high and a bit."""
    require(isinstance(value, list) and len(value) == 2, "wrong_pair", field)
    assert isinstance(value, list)
    check_integer(value[0], low, high, field)
    check_integer(value[1], 0, 1, field)


def check_set(value: object, high: int, field: str, size: int | None = None) -> None:
    """Raise unless `value` lists increasing integers from 0 to high, `size` of them if given."""
    require(
        isinstance(value, list) and size in (None, len(value)),
        "wrong_set_size.any" if size is None else "wrong_set_size",
        field,
        size=size,
    )
    assert isinstance(value, list)
    for member in value:
        check_integer(member, 0, high, field)
    require(all(a < b for a, b in pairwise(value)), "unsorted_set", field)
