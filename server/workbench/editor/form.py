"""A draft as a form, and the form that came back as a draft. No field is lost on the way."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.refusal import require
from client.survey import MAX_QUESTIONS
from client.survey_fields import BY_KIND, SURVEY, Declared, Field, question_fields
from server.workbench.editor.budget import HIDDEN, change_way, way_of
from server.workbench.editor.inputs import Input, Languages, Texts, inputs_of, value_from
from server.workbench.editor.languages import languages_of, set_languages

Draft = dict[str, Any]

_TITLES = {
    "slug": "Name in links",
    "delete_on": "Deletion day",
    "epsilon": "Epsilon",
    "total_epsilon": "Total epsilon",
    "ask_each_person": "Questions per person",
    "drawn_by": "Who may take part",
    "id": "Name in tables",
    "decline": "“Prefer not to say”",
    "not_applicable": "“Does not apply”",
    "show_if": "Ask only if",
    "max_bits": "Most bits",
    "lo": "Lowest",
    "hi": "Highest",
    "lo_label": "Lowest means",
    "hi_label": "Highest means",
}
# Explained by their title and their choices.
_PLAIN = frozenset(["title", "decline", "not_applicable", "drawn_by", "kind"])
# Asked for seldom: behind a fold.
_SELDOM = frozenset(
    "language ask_each_person drawn_by id weight mechanism max_bits show_if not_applicable".split()
)
_STEP = re.compile(r"(remove|up|down)-([0-9]{1,3})")


@dataclass(frozen=True)
class Entry:
    """One field in the form, under the name by which problems call it."""

    name: str
    title: str
    says: str
    is_seldom: bool
    inputs: list[Input]


def editable(draft: Draft) -> Draft:
    """A manuscript may have come from a program; the form needs questions that it can show."""
    questions = draft.get("questions", [])
    require(
        isinstance(questions, list) and all(isinstance(item, dict) for item in questions),
        "not_editable",
        "questions must be a list of mappings for the editor to show them",
        "questions",
    )
    return {"questions": [], **draft}


def survey_entries(draft: Draft) -> list[Entry]:
    return _entries(SURVEY, draft, "", draft)


def question_entries(draft: Draft) -> list[list[Entry]]:
    return [
        _entries(question_fields(question), question, f"questions[{index}].", draft)
        for index, question in enumerate(draft["questions"])
    ]


def _entries(declared: Declared, values: Draft, prefix: str, draft: Draft) -> list[Entry]:
    languages, hidden = languages_of(draft), HIDDEN[way_of(draft)]
    return [
        Entry(
            prefix + name,
            _TITLES.get(name, name.replace("_", " ").capitalize()),
            "" if name in _PLAIN else field.says,
            name in _SELDOM,
            inputs_of(field, prefix + name, values.get(name), languages),
        )
        for name, field in sorted(declared.items(), key=_place)
        if name not in hidden and field.form.name != "questions"
    ]


def _place(item: tuple[str, Field]) -> int:
    """The title comes first, and after what a question asks for, what it leaves open and costs."""
    name, field = item
    return -1 if name == "title" else int(field.form.name in ("silence", "epsilon"))


def read_draft(base: Draft, form: Mapping[str, str]) -> Draft:
    """The draft that the form describes, on the ground of the one that it was made of."""
    texts: Texts = defaultdict(
        str, {name: text.replace("\r\n", "\n") for name, text in form.items()}
    )
    languages = languages_of(base)
    questions = [
        _read_question(question, f"questions[{index}].", texts, languages)
        for index, question in enumerate(base["questions"])
    ]
    survey = {**_read(SURVEY, base, "", texts, languages), "questions": questions}
    changed = change_way(survey, texts["budget"])
    return set_languages(changed, languages, texts["languages"]) if "languages" in form else changed


def _read_question(before: Draft, prefix: str, texts: Texts, languages: Languages) -> Draft:
    kind = texts.get(f"{prefix}kind", before.get("kind", ""))
    declared = question_fields({"kind": kind} if kind else {})
    others = {name for fields in BY_KIND.values() for name in fields} - declared.keys()
    # What another kind has means nothing here.
    kept = {name: value for name, value in before.items() if name not in others}
    return _read(declared, kept, prefix, texts, languages)


def _read(
    declared: Declared, before: Draft, prefix: str, texts: Texts, languages: Languages
) -> Draft:
    # Fields that nobody declares stay, for the linter to complain about.
    values = dict(before)
    for name, field in declared.items():
        if field.form.name == "questions":
            continue
        value = value_from(field, prefix + name, before.get(name), texts, languages)
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    return values


def carry_out(draft: Draft, deed: str) -> Draft:
    """What a button does to the questions, beside saving."""
    questions = list(draft["questions"])
    step = _STEP.fullmatch(deed)
    if deed == "add" and len(questions) < MAX_QUESTIONS:
        questions.append(new_question(draft))
    elif step and int(step[2]) < len(questions):
        index = int(step[2])
        question = questions.pop(index)
        if step[1] != "remove":
            questions.insert(max(0, index + (1 if step[1] == "down" else -1)), question)
    return {**draft, "questions": questions}


def new_question(draft: Draft) -> Draft:
    """A yes/no question that is still to be worded."""
    taken = {question.get("id") for question in draft["questions"]}
    number = next(n for n in range(1, len(taken) + 2) if f"q{n}" not in taken)
    spent = {} if way_of(draft) == "total" or "epsilon" in draft else {"epsilon": "1"}
    return {"id": f"q{number}", "kind": "yes_no", "decline": "true", **spent}
