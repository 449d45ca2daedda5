"""A question: what is asked, how it can be answered, and the mechanism that protects the answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any, Self

from client.core.conditions import ShowIf
from client.core.kinds import Kind, Rule
from client.core.kinds.kind import any_text
from client.core.mechanisms import TwoLevel
from client.core.primitives import channel
from client.core.primitives.domain import Domain
from client.core.primitives.refusal import require
from client.core.primitives.values import check_flag, check_pattern, check_text, decimal_text

QUESTION_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")


def _check_id(value: object, field: str) -> None:
    check_pattern(value, QUESTION_ID, field, key="bad_id")


# A document has these only if they are not empty.
OPTIONAL_QUESTION_TEXTS = ("heading", "hint")
# The rule for each field alone, whatever the other fields hold.
QUESTION_RULES: Mapping[str, Rule] = {
    "id": _check_id,
    "prompt": check_text,
    **dict.fromkeys(OPTIONAL_QUESTION_TEXTS, any_text),
    "shuffle": check_flag,
    "reverse": check_flag,
}
# How the options are shown; a document has these only if they are not the defaults.
ORDER_KEYS = ("shuffle", "anchored", "reverse")


@dataclass(frozen=True)
class Question:
    """One question of a survey. Options are numbered from 0."""

    id: str
    prompt: str
    kind: Kind
    epsilon: Decimal
    mechanism: TwoLevel
    show_if: ShowIf | None = None
    # The heading of a section that begins with this question, and a few words below the prompt.
    heading: str = ""
    hint: str = ""
    # The device shows the options in random order, but for those that are anchored in their place,
    # or turns the scale around for half of the people. An option keeps its number.
    shuffle: bool = False
    anchored: tuple[int, ...] = ()
    reverse: bool = False

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
        self._check_order()

    def _check_order(self) -> None:
        lists = self.kind.lists
        require(not self.shuffle or bool(lists), "bad_shuffle", "shuffle")
        require(not self.reverse or self.kind.can_reverse, "bad_reverse", "reverse")
        if self.anchored == ():
            return
        # Two lists would need anchors of their own.
        options = lists[0] if len(lists) == 1 else 0
        fits = self.shuffle and isinstance(self.anchored, tuple)
        fits = fits and all(type(item) is int and 0 <= item < options for item in self.anchored)
        fits = fits and all(a < b for a, b in pairwise(self.anchored))
        require(fits and len(self.anchored) <= options - 2, "bad_anchored", "anchored")

    @property
    def domain(self) -> Domain:
        return self.kind.domain

    @property
    def options(self) -> tuple[str, ...]:
        return self.kind.labels

    @property
    def unit(self) -> str:
        """What is counted, if the answer is a number of something; otherwise ""."""
        return self.kind.unit

    @property
    def texts(self) -> dict[str, Any]:
        """Every text of this question that people read, by field."""
        kind = self.kind
        own = {name: getattr(kind, name) for name in kind.text_fields}
        return {"prompt": self.prompt, **self._optional_texts, **own}

    @property
    def _optional_texts(self) -> dict[str, str]:
        return {
            name: getattr(self, name) for name in OPTIONAL_QUESTION_TEXTS if getattr(self, name)
        }

    def check_translation(self, texts: Mapping[str, Any]) -> None:
        """Raise unless the translated lists are as long as ours, and empty texts stay empty."""
        own = self.texts
        for name in {**own, **texts}:
            alike = _alike(own.get(name, ""), texts.get(name, ""))
            require(alike, "bad_translation.length", name)

    def translated(self, texts: Mapping[str, Any]) -> Self:
        """Return the same question with the texts of another language."""
        self.check_translation(texts)
        words = {name: texts[name] for name in self.kind.text_fields}
        own = {name: texts[name] for name in ("prompt", *self._optional_texts)}
        return replace(self, kind=replace(self.kind, **words), **own)

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
            **self._optional_texts,
            **self._order_as_json(),
            **self.kind.as_json(),
        }

    def _order_as_json(self) -> dict[str, Any]:
        order = {"shuffle": self.shuffle, "anchored": list(self.anchored), "reverse": self.reverse}
        return {name: value for name, value in order.items() if value}


def _alike(own: object, other: object) -> bool:
    """Return whether two lists are equally long, or two texts are both empty or both filled."""
    if isinstance(own, tuple):
        return isinstance(other, tuple) and len(other) == len(own)
    # A value that is not text is refused elsewhere, with a better reason.
    return not isinstance(other, str) or (other == "") == (own == "")


def is_shown(question: Question, answers: Mapping[str, Any]) -> bool:
    """Return whether the answers so far show a question."""
    return question.show_if is None or question.show_if.holds(answers)
