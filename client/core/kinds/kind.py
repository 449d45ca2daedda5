"""What every kind of question has: a domain of answers, labels for them, and room for silence.

"Prefer not to say" and "does not apply" are options like any other and are randomized like any
other: a question that could be skipped would tell by its absence (math 0.6).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

from client.core.primitives.domain import Choice, Domain
from client.core.primitives.refusal import require
from client.core.primitives.values import check_labels, check_text, decimal_text

SHARES, MEAN, DISTRIBUTION = "shares", "mean", "distribution"

# Refuses a value that a field cannot have, whatever stands in the others.
Rule = Callable[[Any, str], None]


def any_text(value: Any, field: str) -> None:
    check_text(value, field, required=False)


def labels(low: int, high: int) -> Rule:
    return lambda value, field: check_labels(value, low, high, field)


def either(first: str, second: str) -> Rule:
    def check(value: Any, field: str) -> None:
        known = value in (first, second)
        require(known, "bad_goal", field, first=first, second=second, goal=value)

    return check


@dataclass(frozen=True)
class Grid:
    """The numbers that answers stand for: level i is lo + i step."""

    lo: Decimal
    hi: Decimal
    step: Decimal

    def value(self, level: int) -> Decimal:
        return self.lo + level * self.step


@dataclass(frozen=True, kw_only=True)
class Kind(ABC):
    """The part of a question that says what can be answered. Empty text: no such option."""

    name: ClassVar[str]
    # The fields that people read, which are others in other languages.
    text_fields: ClassVar[tuple[str, ...]] = ("decline", "not_applicable")
    # What each field must be by itself; `check` has the rules among several.
    rules: ClassVar[Mapping[str, Rule]] = {"decline": any_text, "not_applicable": any_text}

    decline: str = ""
    not_applicable: str = ""

    def __post_init__(self) -> None:
        for field, rule in self.rules.items():
            rule(getattr(self, field), field)
        self.check()
        if self.labels:
            check_labels(self.labels, 1, len(self.labels), "options")

    def check(self) -> None:  # noqa: B027, not every kind has such rules
        """Refuse fields that make no sense together."""

    @property
    @abstractmethod
    def own_labels(self) -> tuple[str, ...]:
        """The options without those for silence."""

    @property
    def labels(self) -> tuple[str, ...]:
        """All options in the order of their numbers; none where an answer is a number."""
        silence = (label for label in (self.decline, self.not_applicable) if label)
        return (*self.own_labels, *silence)

    @property
    def domain(self) -> Domain:
        return Choice(len(self.labels))

    @property
    def goal(self) -> str:
        """What the estimate is for; with the domain it decides the best mechanism."""
        return SHARES

    @property
    def grid(self) -> Grid | None:
        """The numbers that answers stand for, where they do."""
        return None

    @property
    def unit(self) -> str:
        """What is counted, where the answer is a number of something."""
        return ""

    @property
    def hidden_answer(self) -> Any:
        """The answer that a question hidden by skip logic gives."""
        return len(self.labels) - 1

    def as_json(self) -> dict[str, Any]:
        """The kind's own fields as they stand in a document."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return decimal_text(value)
    return list(value) if isinstance(value, tuple) else value
