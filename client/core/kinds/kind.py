"""What every kind of question has: a domain of answers, labels for them, and room for silence.

"Prefer not to say" and "does not apply" are options like any other and are randomized like any
other: a question that could be skipped would tell by its absence (math 0.6).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

from client.core.primitives.domain import Choice, Domain
from client.core.primitives.values import check_labels, check_text, decimal_text

SHARES, MEAN, DISTRIBUTION = "shares", "mean", "distribution"


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
    # What people call it who choose one.
    title: ClassVar[str]
    # The fields that people read, which are others in other languages.
    text_fields: ClassVar[tuple[str, ...]] = ("decline", "not_applicable")

    decline: str = ""
    not_applicable: str = ""

    def __post_init__(self) -> None:
        check_text(self.decline, "decline", required=False)
        check_text(self.not_applicable, "not_applicable", required=False)
        self.check()
        if self.labels:
            check_labels(self.labels, 1, len(self.labels), "options")

    @abstractmethod
    def check(self) -> None:
        """Refuse fields that make no sense for this kind."""

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
    def grid(self) -> Grid | None:
        """The numbers that answers stand for, where they do."""
        return None

    @property
    def unit(self) -> str:
        """What is counted, where the answer is a number of something."""
        return ""

    @property
    def goal(self) -> str:
        """What the estimate is for; with the domain it decides the best mechanism."""
        return SHARES

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
