"""A draft as a form, and the form that came back as a draft. No field is lost on the way."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import SURVEY, Declared, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS, declaration_of, question_fields
from client.core.primitives.refusal import require
from server.workbench.editor.controls import FieldContext, Input, Texts
from server.workbench.editor.draft_changes import HIDDEN, change_way, way_of
from server.workbench.editor.inputs import inputs_of, value_from
from server.workbench.editor.languages import languages_of, set_languages
from server.workbench.editor.naming import explain, title_of_field
from server.workbench.editor.skip_logic import deciders_of, follow

Draft = dict[str, Any]

# By field or form: after what a question asks for, what it leaves open, costs and hangs on.
_ORDER = {"title": -1, "silence": 1, "epsilon": 1, "show_if": 2, "ask_each_person": 2}
# Not needed in a file, but to publish it.
_TO_PUBLISH = frozenset(["delete_on"])
# Asked for seldom: behind a fold.
_SELDOM = frozenset("id weight mechanism max_bits not_applicable".split())
# The parts of the form for the whole survey; what is in no other is about the survey.
_PARTS = {
    "drawn_by": "people",
    "epsilon": "budget",
    "total_epsilon": "budget",
    "ask_each_person": "budget",
    "language": "languages",
}
# A kind without room for silence has none for being hidden either.
_SILENCE = frozenset(["decline", "not_applicable", "show_if"])


@dataclass(frozen=True)
class Entry:
    """One field in the form, under the name by which problems call it."""

    name: str
    title: str
    says: str
    is_seldom: bool
    is_required: bool
    inputs: list[Input]


def editable(draft: Draft) -> Draft:
    """A manuscript may have come from a program; the form needs questions that it can show."""
    questions = draft.get("questions", [])
    is_editable = isinstance(questions, list) and all(isinstance(q, dict) for q in questions)
    require(is_editable, "not_editable", "questions")
    return {"questions": [], **draft}


def survey_entries(draft: Draft) -> dict[str, list[Entry]]:
    """By the part of the form in which they stand."""
    parts: dict[str, list[Entry]] = {"about": [], "people": [], "budget": [], "languages": []}
    for entry in _entries(
        SURVEY, draft, "", HIDDEN[way_of(draft)], FieldContext(languages_of(draft))
    ):
        parts[_PARTS.get(entry.name, "about")].append(entry)
    return parts


def question_entries(draft: Draft) -> list[list[Entry]]:
    hidden = HIDDEN[way_of(draft)]
    return [
        _entries(
            question_fields(question),
            question,
            f"questions[{index}].",
            hidden | _not_asked(question, index),
            around,
        )
        for index, (question, around) in enumerate(_with_surroundings(draft))
    ]


def _with_surroundings(draft: Draft) -> list[tuple[Draft, FieldContext]]:
    languages, deciders = languages_of(draft), deciders_of(draft)
    return [
        (question, FieldContext(languages, deciders[:index], deciders[index + 1 :]))
        for index, question in enumerate(draft["questions"])
    ]


def _not_asked(question: Draft, index: int) -> frozenset[str]:
    """What makes no sense for this question."""
    return _never(question) | (frozenset(["show_if"]) if index == 0 else frozenset())


def _never(question: Draft) -> frozenset[str]:
    declaration = declaration_of(question)
    return frozenset() if declaration is None or declaration.has_silence else _SILENCE


def _entries(
    declared: Declared, values: Draft, prefix: str, hidden: frozenset[str], around: FieldContext
) -> list[Entry]:
    return [
        Entry(
            prefix + name,
            title_of_field(name, field),
            explain(field),
            name in _SELDOM,
            field.required or name in _TO_PUBLISH,
            inputs_of(field, prefix + name, values.get(name), around),
        )
        for name, field in sorted(declared.items(), key=_place)
        # What was written all the same is shown, or nobody could take it away.
        if (name not in hidden or name in values) and field.form.name != "questions"
    ]


def _place(item: tuple[str, Field]) -> int:
    name, field = item
    return _ORDER.get(name, _ORDER.get(field.form.name, 0))


def draft_in_form(base: Draft, form: Mapping[str, str]) -> Draft:
    """The draft that the form describes, on the ground of the one that it was made of."""
    texts: Texts = defaultdict(
        str, {name: text.replace("\r\n", "\n") for name, text in form.items()}
    )
    languages = languages_of(base)
    questions = [
        _read_question(question, f"questions[{index}].", texts, around)
        for index, (question, around) in enumerate(_with_surroundings(base))
    ]
    survey = {**_read(SURVEY, base, "", texts, FieldContext(languages)), "questions": questions}
    before, after = deciders_of(base), deciders_of(survey)
    survey["questions"] = [follow(before, after, question) for question in questions]
    changed = change_way(survey, texts["budget"])
    return set_languages(changed, languages, texts["languages"]) if "languages" in form else changed


def _read_question(before: Draft, prefix: str, texts: Texts, around: FieldContext) -> Draft:
    kind = texts.get(f"{prefix}kind", before.get("kind", ""))
    declared = question_fields({"kind": kind} if kind else {})
    every = {name for item in KIND_DECLARATIONS.values() for name in item.fields}
    others = every - declared.keys()
    if kind != before.get("kind"):
        others |= _never({"kind": kind})
    # What another kind has means nothing here.
    kept = {name: value for name, value in before.items() if name not in others}
    shown = {name: field for name, field in declared.items() if name not in others}
    return _read(shown, kept, prefix, texts, around)


def _read(
    declared: Declared, before: Draft, prefix: str, texts: Texts, around: FieldContext
) -> Draft:
    # Fields that nobody declares stay, for the linter to complain about.
    values = dict(before)
    for name, field in declared.items():
        if field.form.name == "questions":
            continue
        value = value_from(field, prefix + name, before.get(name), texts, around)
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    return values
