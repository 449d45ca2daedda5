"""The types of the form's controls, and the context in which a field is shown and read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import Field
from server.surveys.manuscripts import Languages

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Input:
    """One control: its name in the form, what it shows, and how it looks."""

    name: str
    # What the form sends if nobody changes it; '' for a box that is not ticked.
    value: str
    look: str = "line"
    # Which part of the field this is, if a field has several controls.
    part: str = ""
    # For each option: its value, its label and an explanation.
    options: tuple[tuple[str, str, str], ...] = ()
    language: str = ""


@dataclass(frozen=True)
class Decider:
    """A question whose answer can decide whether later questions are asked."""

    id: str
    name: str
    options: tuple[str, ...]
    # Whether its answers are numbers, which a condition bounds.
    is_number: bool = False


@dataclass(frozen=True)
class FieldContext:
    """The languages of a field's draft, and the questions before and after the field."""

    languages: Languages
    earlier: tuple[Decider, ...] = ()
    later: tuple[Decider, ...] = ()


@dataclass(frozen=True)
class Widget:
    """How one type of field is shown as controls, and read back from their texts."""

    show: Callable[[Field, str, Any, FieldContext], list[Input]]
    read: Callable[[str, Any, Texts, FieldContext], Any]
