"""Skip logic: when a question is shown. The device decides, and nobody else can tell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from client.core.primitives.canonical import exact_keys
from client.core.primitives.domain import Choice, Domain, Levels
from client.core.primitives.refusal import Refusal, require

MAX_CONDITIONS = 10
ALL, ANY = "all", "any"
_JOINED: Mapping[str, Callable[[Any], bool]] = {ALL: all, ANY: any}


@dataclass(frozen=True)
class Condition:
    """An earlier question has one of these options or, if it is about a number, such a level."""

    question: str
    options: tuple[int, ...] = ()
    # The lowest and the highest level; None if the condition is about options.
    levels: tuple[int, int] | None = None

    def can_be_decided_by(self, domain: Domain) -> bool:
        """Return whether a question with this domain can have what the condition asks for."""
        if self.levels is None:
            return isinstance(domain, Choice) and _are_integers(self.options, domain.options - 1)
        ordered = _are_integers(self.levels, getattr(domain, "top", -1))
        return isinstance(domain, Levels) and ordered and self.levels[0] <= self.levels[1]

    def holds(self, answer: Any) -> bool:
        if self.levels is None:
            return answer in self.options
        return answer is not None and self.levels[0] <= answer <= self.levels[1]

    def as_json(self) -> dict[str, Any]:
        if self.levels is None:
            return {"question": self.question, "options": list(self.options)}
        return {"question": self.question, "from": self.levels[0], "to": self.levels[1]}


def _are_integers(values: tuple[int, ...], high: int) -> bool:
    """Return whether there are values, all of them integers from 0 to high."""
    return bool(values) and all(type(value) is int and 0 <= value <= high for value in values)


@dataclass(frozen=True)
class ShowIf:
    """Show a question if all of the conditions hold, or if any of them does."""

    conditions: tuple[Condition, ...]
    joined: str = ALL

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that decide."""
        return tuple(dict.fromkeys(condition.question for condition in self.conditions))

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Return whether the answers so far show the question; a hidden decider has none."""
        return _JOINED[self.joined](
            condition.holds(answers.get(condition.question)) for condition in self.conditions
        )

    def as_json(self) -> dict[str, Any]:
        if len(self.conditions) == 1:
            return self.conditions[0].as_json()
        return {self.joined: [condition.as_json() for condition in self.conditions]}


def read_show_if(value: object) -> ShowIf | None:
    """Read the skip logic of a document's question."""
    if value is None:
        return None
    for joined in _JOINED:
        if isinstance(value, dict) and joined in value:
            parts = exact_keys(value, frozenset([joined]), "show_if")[joined]
            fits = isinstance(parts, list) and 2 <= len(parts) <= MAX_CONDITIONS
            require(fits, "bad_show_if.conditions", "show_if", most=MAX_CONDITIONS)
            return ShowIf(tuple(_read_condition(part) for part in parts), joined)
    return ShowIf((_read_condition(value),))


def _read_condition(value: object) -> Condition:
    if isinstance(value, dict) and "from" in value:
        item = exact_keys(value, frozenset(["question", "from", "to"]), "show_if")
        condition = Condition(item["question"], levels=(item["from"], item["to"]))
    else:
        item = exact_keys(value, frozenset(["question", "options"]), "show_if")
        if not isinstance(item["options"], list):
            raise Refusal("bad_show_if.object", "show_if")
        condition = Condition(item["question"], tuple(item["options"]))
    require(isinstance(condition.question, str), "bad_show_if.object", "show_if")
    return condition
