"""The controls of the form: what each shows, and what else they need to know."""

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
    # What the form sends if nobody touches it; nothing for a box that is not ticked.
    value: str
    look: str = "line"
    # Where a field has several: which of them this is.
    part: str = ""
    # Value, words, and what they mean.
    options: tuple[tuple[str, str, str], ...] = ()
    language: str = ""


@dataclass(frozen=True)
class Decider:
    """A question, as those that come after it can name it."""

    id: str
    name: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class FieldContext:
    """Where a field stands: the languages of its draft, and the questions before and after it."""

    languages: Languages
    earlier: tuple[Decider, ...] = ()
    later: tuple[Decider, ...] = ()


@dataclass(frozen=True)
class Widget:
    """Both directions for one form of fields; reading may look at what was there before."""

    show: Callable[[Field, str, Any, FieldContext], list[Input]]
    read: Callable[[str, Any, Texts, FieldContext], Any]
