"""Every field of a survey file, declared once: the reader takes them, the schema publishes them.

A field that is not declared here cannot be read, and one that is declared cannot be overlooked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.mechanism_choice import DEFAULT_MAX_BITS
from client.core.kinds import DISTRIBUTION, MEAN, SHARES, AnyOf, Cross, Number, OneOf, Scale, YesNo
from client.core.kinds.choice import MAX_SIDE
from client.core.primitives.domain import MAX_BOXES, MAX_OPTIONS
from client.core.survey import BY_DEVICE, BY_TICKET
from client.core.translation import DEFAULT

REQUIRED = object()


@dataclass(frozen=True)
class Form:
    """How a field is written: one of the forms that `schema.py` spells out, with its limits."""

    name: str
    low: int = 0
    high: int = 0
    values: tuple[str, ...] = ()


SLUG, ID, DAY, LANGUAGE = Form("slug"), Form("id"), Form("day"), Form("language")
# People read these, so each may be given in several languages.
TEXT, ANY_TEXT, SILENCE = Form("text"), Form("any_text"), Form("silence")
WHOLE, DECIMAL, EPSILON = Form("whole"), Form("decimal"), Form("epsilon")
NAME, QUESTIONS, SHOW_IF = Form("name"), Form("questions"), Form("show_if")
ONE_OR_MORE = Form("one_or_more")


def _labels(low: int, high: int) -> Form:
    return Form("labels", low=low, high=high)


def _one_of(*values: str) -> Form:
    return Form("one_of", values=values)


@dataclass(frozen=True)
class Field:
    """One field: how it is written, what it is for, what it is when absent, and a sound value."""

    form: Form
    says: str
    default: Any = REQUIRED
    example: Any = ""

    @property
    def required(self) -> bool:
        return self.default is REQUIRED


Declared = Mapping[str, Field]

SURVEY: Declared = {
    "slug": Field(SLUG, "The name in links: lower-case letters, digits, hyphens.", example="s"),
    "title": Field(TEXT, "What the survey is called.", example="?"),
    "intro": Field(ANY_TEXT, "A few words before the first question.", ""),
    "organizer": Field(ANY_TEXT, "Who asks.", ""),
    "delete_on": Field(DAY, "The day on which the reports are deleted.", ""),
    "language": Field(LANGUAGE, "The language of the plain texts.", DEFAULT),
    "epsilon": Field(EPSILON, "For every question that has none of its own.", None, "1"),
    "total_epsilon": Field(
        EPSILON, "For one person; split among the questions by their weights.", None, "2"
    ),
    "ask_each_person": Field(WHOLE, "How many of the questions each person is asked.", 0),
    "drawn_by": Field(
        _one_of(BY_TICKET, BY_DEVICE),
        "Who draws which questions and boxes; with device the survey is by invitation.",
        BY_TICKET,
    ),
    "questions": Field(QUESTIONS, "1 to 100 questions, in their order."),
}

_EVERY_QUESTION: Declared = {
    "id": Field(ID, "The question's name in reports and tables."),
    "prompt": Field(TEXT, "What is asked.", example="?"),
    "kind": Field(Form("kind"), "What can be answered; yes_no unless it says otherwise.", "yes_no"),
    "epsilon": Field(EPSILON, "How much the question may reveal, at most.", None, "1"),
    "weight": Field(DECIMAL, "How much its precision matters; with total_epsilon only.", "1"),
    "mechanism": Field(NAME, "Another randomizer than the rule would choose.", None),
    "max_bits": Field(WHOLE, "How long its part of a report may be.", DEFAULT_MAX_BITS),
    "show_if": Field(SHOW_IF, "Ask only after these options of an earlier question.", None),
    "decline": Field(SILENCE, "true, or a label, adds 'Prefer not to say'.", ""),
    "not_applicable": Field(SILENCE, "true, or a label, adds 'Does not apply'.", ""),
}

_AB = ("a", "b")

# What each kind has beside that.
_OWN: Mapping[str, Declared] = {
    YesNo.name: {"options": Field(_labels(2, 2), "The label for no first.", None)},
    OneOf.name: {"options": Field(_labels(2, MAX_OPTIONS), "One can be chosen.", example=_AB)},
    AnyOf.name: {
        "options": Field(_labels(1, MAX_BOXES - 2), "Any can be ticked.", example=_AB),
        "at_most": Field(WHOLE, "How many can be ticked; 0 for all.", 0),
    },
    Scale.name: {
        "lo": Field(WHOLE, "The lowest level.", example="0"),
        "hi": Field(WHOLE, "The highest level.", example="10"),
        "lo_label": Field(ANY_TEXT, "What the lowest level means.", ""),
        "hi_label": Field(ANY_TEXT, "What the highest level means.", ""),
        "goal": Field(_one_of(SHARES, MEAN), "What is to be estimated.", SHARES),
    },
    Number.name: {
        "lo": Field(DECIMAL, "The smallest number.", example="0"),
        "hi": Field(DECIMAL, "The largest number.", example="10"),
        "step": Field(DECIMAL, "The distance between two numbers.", "1"),
        "unit": Field(ANY_TEXT, "What is counted.", ""),
        "goal": Field(_one_of(MEAN, DISTRIBUTION), "What is to be estimated.", MEAN),
    },
    Cross.name: {
        "row_prompt": Field(TEXT, "The first of the two questions.", example="?"),
        "rows": Field(_labels(2, MAX_SIDE), "Its options; No and Yes if absent.", None),
        "column_prompt": Field(TEXT, "The second of them.", example="?"),
        "columns": Field(_labels(2, MAX_SIDE), "Its options; No and Yes if absent.", None),
    },
}

BY_KIND: Mapping[str, Declared] = {name: {**_EVERY_QUESTION, **own} for name, own in _OWN.items()}

SHOW_IF_FIELDS: Declared = {
    "question": Field(ID, "The id of an earlier question."),
    "is": Field(ONE_OR_MORE, "One or more of its options, by label."),
}


def question_fields(values: object) -> Declared:
    """The fields of the kind that a question says it is; those of all where it is unknown."""
    kind = values.get("kind", YesNo.name) if isinstance(values, dict) else None
    return BY_KIND[kind] if isinstance(kind, str) and kind in BY_KIND else _EVERY_QUESTION
