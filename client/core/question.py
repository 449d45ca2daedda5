"""A question: what is asked, how it is answered, and the mechanism that protects the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Self

from client.core.kinds import Kind, Rule
from client.core.mechanisms import TwoLevel
from client.core.primitives import channel
from client.core.primitives.domain import Domain
from client.core.primitives.refusal import require
from client.core.primitives.values import check_pattern, check_text, decimal_text

QUESTION_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")


def _check_id(value: object, field: str) -> None:
    check_pattern(value, QUESTION_ID, field, key="bad_id")


# What each of these must be by itself, whatever stands in the other fields.
QUESTION_RULES: Mapping[str, Rule] = {"id": _check_id, "prompt": check_text}


@dataclass(frozen=True)
class ShowIf:
    """Skip logic, decided on the device: show if an earlier question has one of these options."""

    question: str
    options: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        return {"question": self.question, "options": list(self.options)}


@dataclass(frozen=True)
class Question:
    """One question of a survey. Options are numbered from 0."""

    id: str
    prompt: str
    kind: Kind
    epsilon: Decimal
    mechanism: TwoLevel
    show_if: ShowIf | None = None

    def __post_init__(self) -> None:
        for field, rule in QUESTION_RULES.items():
            rule(getattr(self, field), field)
        require(
            self.mechanism.accepts(self.domain),
            "mechanism_does_not_fit",
            self.id,
            name=self.mechanism.name,
        )
        channel.check_threshold(
            self.mechanism.threshold,
            self.epsilon,
            self.mechanism.near,
            self.mechanism.far,
            self.id,
            self.mechanism.draws,
        )
        require(
            self.show_if is None or bool(self.kind.not_applicable),
            "no_room_for_silence.hidden",
            "not_applicable",
            id=self.id,
        )

    @property
    def domain(self) -> Domain:
        return self.kind.domain

    @property
    def options(self) -> tuple[str, ...]:
        return self.kind.labels

    @property
    def unit(self) -> str:
        """What is counted, where the answer is a number of something."""
        return self.kind.unit

    @property
    def texts(self) -> dict[str, Any]:
        """All that people read of this question, by field."""
        kind = self.kind
        return {"prompt": self.prompt, **{name: getattr(kind, name) for name in kind.text_fields}}

    def check_told(self, texts: Mapping[str, Any]) -> None:
        """In other words, too, what is a list is as long, and what is empty is empty."""
        for name, own in self.texts.items():
            require(_alike(own, texts[name]), "bad_translation.length", name)

    def retold(self, texts: Mapping[str, Any]) -> Self:
        """The same question in other words."""
        self.check_told(texts)
        words = {name: texts[name] for name in self.kind.text_fields}
        return replace(self, prompt=texts["prompt"], kind=replace(self.kind, **words))

    def as_json(self) -> dict[str, Any]:
        mechanism = self.mechanism
        return {
            "id": self.id,
            "kind": self.kind.name,
            "prompt": self.prompt,
            "epsilon": decimal_text(self.epsilon),
            "mechanism": {
                "name": mechanism.name,
                "threshold": mechanism.threshold,
                **mechanism.shape,
            },
            "show_if": self.show_if and self.show_if.as_json(),
            **self.kind.as_json(),
        }


def _alike(own: object, other: object) -> bool:
    if isinstance(own, tuple):
        return isinstance(other, tuple) and len(other) == len(own)
    # What is no text is refused as such.
    return not isinstance(other, str) or (other == "") == (own == "")


def is_shown(question: Question, answers: Mapping[str, Any]) -> bool:
    """Whether the answers so far let a question appear; a hidden decider hides it too."""
    rule = question.show_if
    return rule is None or answers.get(rule.question) in rule.options
