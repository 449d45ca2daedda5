"""Declared groups: factors with coarse levels that are sent as they are, so groups can be compared.

A group's code has one digit per factor, as in "0-2": the first level of the first factor and the
third of the second. All codes of a survey are equally long, and so are its reports.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Self

from client.core.primitives.refusal import require, within
from client.core.primitives.values import check_labels, check_pattern, check_text
from client.core.question import QUESTION_ID

# Who sets the group: the link that somebody was given, or the respondent.
BY_LINK, BY_CHOICE = "link", "choice"
MAX_FACTORS = 4
# With "prefer not to say" as the tenth, each level has one digit.
MIN_LEVELS, MAX_LEVELS = 2, 9
MAX_GROUPS = 50
# The column of an export that holds the whole group.
RESERVED_ID = "group"


@dataclass(frozen=True)
class Factor:
    """One thing that tells groups apart, such as the age band."""

    id: str
    prompt: str
    levels: tuple[str, ...]
    # The last level if the respondent chooses; "" if the link decides.
    decline: str = ""

    def __post_init__(self) -> None:
        check_pattern(self.id, QUESTION_ID, "id", key="bad_id")
        require(self.id != RESERVED_ID, "bad_groups.reserved", "id", id=self.id)
        check_text(self.prompt, "prompt")
        check_labels(self.levels, MIN_LEVELS, MAX_LEVELS, "levels")
        check_text(self.decline, "decline", required=False)
        check_labels(self.labels, MIN_LEVELS, MAX_LEVELS + 1, "levels")

    @property
    def labels(self) -> tuple[str, ...]:
        """All levels in the order of their digits, with "prefer not to say" last."""
        return (*self.levels, self.decline) if self.decline else self.levels

    @property
    def texts(self) -> dict[str, Any]:
        return {"prompt": self.prompt, "levels": self.levels, "decline": self.decline}

    def translated(self, texts: Mapping[str, Any]) -> Self:
        """Return the same factor with the texts of another language."""
        with within("groups", self.id, name=self.id):
            levels = texts["levels"]
            alike = isinstance(levels, tuple) and len(levels) == len(self.levels)
            require(alike, "bad_translation.length", "levels")
            return replace(self, **texts)

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, **self.texts, "levels": list(self.levels)}


@dataclass(frozen=True)
class Groups:
    """The factors of a survey, and who says which level of each somebody has."""

    by: str
    factors: tuple[Factor, ...]

    def __post_init__(self) -> None:
        known = self.by in (BY_LINK, BY_CHOICE)
        require(known, "bad_groups.by", "by", link=BY_LINK, choice=BY_CHOICE, by=self.by)
        count = len(self.factors)
        fits = 1 <= count <= MAX_FACTORS
        require(fits, "bad_groups.count", "factors", most=MAX_FACTORS, count=count)
        ids = [factor.id for factor in self.factors]
        for index, factor in enumerate(self.factors):
            with within("factors", index, name=factor.id):
                require(ids.count(factor.id) == 1, "bad_groups.repeated", "id", id=factor.id)
                chosen = self.by == BY_CHOICE
                require(bool(factor.decline) or not chosen, "bad_groups.decline", "decline")
                require(not factor.decline or chosen, "bad_groups.no_decline", "decline")
        number = prod(len(factor.labels) for factor in self.factors)
        require(number <= MAX_GROUPS, "bad_groups.product", "factors", most=MAX_GROUPS, got=number)
        labels = {self.label(code) for code in self.codes}
        require(len(labels) == number, "bad_groups.alike", "factors")

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of all groups, in order."""
        digits = [map(str, range(len(factor.labels))) for factor in self.factors]
        return tuple("-".join(code) for code in product(*digits))

    def check(self, code: object, field: str) -> None:
        """Raise unless `code` is the code of a group."""
        require(code in self.codes, "bad_group.unknown", field, group=code, example=self.codes[0])

    def levels_of(self, code: str) -> tuple[int, ...]:
        """Return the number of the level of each factor."""
        return tuple(map(int, code.split("-")))

    def label(self, code: str) -> str:
        """Return a group in words, such as "Under 30, north"."""
        levels = zip(self.factors, self.levels_of(code), strict=True)
        return ", ".join(factor.labels[level] for factor, level in levels)

    def translated(self, texts: Sequence[Mapping[str, Any]]) -> Self:
        """Return the same groups with the texts of another language."""
        pairs = zip(self.factors, texts, strict=True)
        return replace(self, factors=tuple(factor.translated(own) for factor, own in pairs))

    def as_json(self) -> dict[str, Any]:
        return {"by": self.by, "factors": [factor.as_json() for factor in self.factors]}
