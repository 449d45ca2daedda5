"""What authors need to know about each kind: one declaration per kind, in one registry.

The fields and their rules belong to the kind in `client/core/kinds`. Declarations add how fields
are written in files and forms, and their descriptions.
"""

from dataclasses import dataclass
from functools import cache, cached_property

from client.authoring.draft.fields import (
    ANY_TEXT,
    DECIMAL,
    EVERY_QUESTION,
    FACTOR,
    NO_AND_YES,
    ORDER,
    REVERSE,
    SHUFFLE,
    SURVEY,
    TEXT,
    WHOLE,
    Declared,
    Field,
    labels,
    one_of,
)
from client.core.kinds import (
    DISTRIBUTION,
    MEAN,
    SHARES,
    AnyOf,
    Cross,
    Kind,
    Number,
    OneOf,
    Scale,
    YesNo,
)
from client.core.kinds.choice import MAX_SIDE
from client.core.primitives.domain import MAX_BOXES, MAX_OPTIONS

_AB = ("a", "b")
_GOAL = "What is to be estimated."


@dataclass(frozen=True)
class KindDeclaration:
    """A kind as authors see it."""

    kind: type[Kind]
    # What authors see when they choose a kind: its title and an example question.
    title: str
    example: str
    # The fields that this kind has in addition to those of every question.
    own: Declared
    # Whether the first option must be the one that means no.
    no_first: bool = False

    @cached_property
    def fields(self) -> Declared:
        return {**EVERY_QUESTION, **self.own}


KIND_DECLARATIONS: dict[str, KindDeclaration] = {
    declaration.kind.name: declaration
    for declaration in (
        KindDeclaration(
            YesNo,
            "Yes or no",
            "Do you smoke?",
            {
                "options": Field(
                    labels(2, 2),
                    "The label for no first.",
                    NO_AND_YES,
                    hint="Empty for No and Yes; otherwise the label for no first.",
                ),
                **SHUFFLE,
            },
            no_first=True,
        ),
        KindDeclaration(
            OneOf,
            "One of several options",
            "Which party would you vote for?",
            {"options": Field(labels(2, MAX_OPTIONS), "One can be chosen.", example=_AB), **ORDER},
        ),
        KindDeclaration(
            AnyOf,
            "Any of several options",
            "Which of these have you tried?",
            {
                "options": Field(labels(1, MAX_BOXES - 2), "Any can be ticked.", example=_AB),
                "at_most": Field(
                    WHOLE,
                    "How many can be ticked; 0 for all.",
                    0,
                    title="Most ticks",
                    column="constraint",
                ),
                **ORDER,
            },
        ),
        KindDeclaration(
            Scale,
            "Rating scale",
            "How content are you, from 0 to 10?",
            {
                "lo": Field(
                    WHOLE, "The lowest level.", example="0", title="Lowest", column="parameters"
                ),
                "hi": Field(
                    WHOLE, "The highest level.", example="10", title="Highest", column="parameters"
                ),
                "lo_label": Field(
                    ANY_TEXT, "What the lowest level means.", "", title="Lowest means"
                ),
                "hi_label": Field(
                    ANY_TEXT, "What the highest level means.", "", title="Highest means"
                ),
                "goal": Field(
                    one_of(SHARES, MEAN), _GOAL, SHARES, title="What is estimated", hint=""
                ),
                **REVERSE,
            },
        ),
        KindDeclaration(
            Number,
            "Number",
            "How many drinks did you have last week?",
            {
                "lo": Field(
                    DECIMAL,
                    "The smallest number.",
                    example="0",
                    title="Lowest",
                    column="constraint",
                ),
                "hi": Field(
                    DECIMAL,
                    "The largest number.",
                    example="10",
                    title="Highest",
                    column="constraint",
                ),
                "step": Field(
                    DECIMAL, "The distance between two numbers.", "1", column="parameters"
                ),
                "unit": Field(ANY_TEXT, "What is counted.", ""),
                "goal": Field(
                    one_of(MEAN, DISTRIBUTION), _GOAL, MEAN, title="What is estimated", hint=""
                ),
            },
        ),
        KindDeclaration(
            Cross,
            "Two questions in one table",
            "Do you smoke? By: do you drink?",
            {
                "row_prompt": Field(
                    TEXT,
                    "The first of the two questions.",
                    example="?",
                    title="First of the two questions",
                ),
                "rows": Field(
                    labels(2, MAX_SIDE),
                    "Its options; No and Yes if absent.",
                    NO_AND_YES,
                    title="Options of the first",
                ),
                "column_prompt": Field(
                    TEXT, "The second of them.", example="?", title="Second of the two questions"
                ),
                "columns": Field(
                    labels(2, MAX_SIDE),
                    "Its options; No and Yes if absent.",
                    NO_AND_YES,
                    title="Options of the second",
                ),
                **SHUFFLE,
            },
        ),
    )
}


def question_fields(values: object) -> Declared:
    """Return the fields of the question's kind, or the common ones if the kind is unknown."""
    declaration = declaration_of(values)
    return declaration.fields if declaration else EVERY_QUESTION


def declaration_of(values: object) -> KindDeclaration | None:
    """Return the declaration of the question's kind; None if the kind is unknown."""
    usual = EVERY_QUESTION["kind"].default
    kind = values.get("kind", usual) if isinstance(values, dict) else None
    return KIND_DECLARATIONS.get(kind) if isinstance(kind, str) else None


@cache
def translatable_fields() -> frozenset[str]:
    """Return the names of all fields that people read, in surveys, factors and questions."""
    parts = [SURVEY, FACTOR, *(declaration.fields for declaration in KIND_DECLARATIONS.values())]
    return frozenset(
        name for part in parts for name, field in part.items() if field.form.is_translatable
    )
