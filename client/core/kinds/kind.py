"""What all kinds of question share: a domain of answers, labels, and options for silence.

"Prefer not to say" and "does not apply" are options like any other and are randomized like any
other: if a question could be left out, its absence would reveal something (math 0.6).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

from client.core.primitives.domain import Choice, Domain
from client.core.primitives.refusal import require
from client.core.primitives.values import MAX_PAGE, check_labels, check_text, decimal_text

SHARES, MEAN, DISTRIBUTION = "shares", "mean", "distribution"

# Raises if a field cannot have this value, whatever the other fields hold.
Rule = Callable[[Any, str], None]


def any_text(value: Any, field: str) -> None:
    """Raise unless `value` is a valid text; it may be empty."""
    check_text(value, field, required=False)


def page_text(value: Any, field: str) -> None:
    """Raise unless `value` is a valid text for a page of its own; it may be empty."""
    check_text(value, field, required=False, most=MAX_PAGE)


def labels(low: int, high: int) -> Rule:
    """Return a rule that requires low to high different labels."""
    return lambda value, field: check_labels(value, low, high, field)


def either(first: str, second: str) -> Rule:
    """Return a rule that requires one of two values."""

    def check(value: Any, field: str) -> None:
        known = value in (first, second)
        require(known, "bad_goal", field, first=first, second=second, goal=value)

    return check


@dataclass(frozen=True)
class Grid:
    """The numbers that levels stand for: level i is lo + i * step."""

    lo: Decimal
    hi: Decimal
    step: Decimal

    def value(self, level: int) -> Decimal:
        return self.lo + level * self.step


@dataclass(frozen=True, kw_only=True)
class Kind(ABC):
    """The part of a question that says what can be answered. An empty text means no such option."""

    name: ClassVar[str]
    # The fields that people read, which therefore differ between languages.
    text_fields: ClassVar[tuple[str, ...]] = ("decline", "not_applicable")
    # The rule for each field alone; `check` has the rules that involve several fields.
    rules: ClassVar[Mapping[str, Rule]] = {"decline": any_text, "not_applicable": any_text}

    # The lists of options that can be shown in any order.
    list_fields: ClassVar[tuple[str, ...]] = ()
    # Whether its options are levels, which can be shown from the highest to the lowest.
    can_reverse: ClassVar[bool] = False

    decline: str = ""
    not_applicable: str = ""

    def __post_init__(self) -> None:
        for field, rule in self.rules.items():
            rule(getattr(self, field), field)
        self.check()
        if self.labels:
            check_labels(self.labels, 1, len(self.labels), "options")

    def check(self) -> None:  # noqa: B027, not every kind has such rules
        """Raise if the fields make no sense together."""

    @property
    @abstractmethod
    def own_labels(self) -> tuple[str, ...]:
        """The labels of the options, without those for silence."""

    @property
    def silence(self) -> tuple[str, ...]:
        """The options for silence, whose numbers come last."""
        return tuple(label for label in (self.decline, self.not_applicable) if label)

    @property
    def labels(self) -> tuple[str, ...]:
        """All options in the order of their numbers; of a number, only those for silence."""
        return (*self.own_labels, *self.silence)

    @property
    def lists(self) -> tuple[int, ...]:
        """The length of each list of options that can be shown in any order."""
        return tuple(len(getattr(self, name)) for name in self.list_fields)

    @property
    def domain(self) -> Domain:
        return Choice(len(self.labels))

    @property
    def goal(self) -> str:
        """What is to be estimated; together with the domain it decides the best mechanism."""
        return SHARES

    @property
    def grid(self) -> Grid | None:
        """The numbers that levels stand for; None if the answers are not numbers."""
        return None

    @property
    def unit(self) -> str:
        """What is counted, if the answer is a number of something; otherwise ""."""
        return ""

    @property
    def hidden_answer(self) -> Any:
        """The answer recorded for a question that skip logic hides."""
        return len(self.labels) - 1

    def as_json(self) -> dict[str, Any]:
        """Return the kind's own fields as they appear in a document."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return decimal_text(value)
    return list(value) if isinstance(value, tuple) else value
