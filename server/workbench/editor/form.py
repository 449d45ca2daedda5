"""A draft as a form, and a posted form as a draft. No field is lost on the way."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import FACTOR, GROUPS, PARTS, SURVEY, Declared, Field
from client.authoring.draft.kinds import KIND_DECLARATIONS, question_fields
from client.core.groups import BY_CHOICE
from client.core.primitives.refusal import require
from server.surveys.manuscripts import text_in
from server.workbench.editor.controls import FieldContext, Input, Texts
from server.workbench.editor.draft_changes import HIDDEN_FIELDS, budget_of, change_budget
from server.workbench.editor.groups import factors_of, groups_of
from server.workbench.editor.inputs import inputs_of, value_from
from server.workbench.editor.languages import languages_of, set_languages
from server.workbench.editor.naming import explain, title_of_field
from server.workbench.editor.skip_logic import deciders_of, follow_renames, renamed_options

Draft = dict[str, Any]

# Positions by name or type of field: title first, then silence and epsilon, then conditions.
_ORDER = {"title": -1, "silence": 1, "epsilon": 1, "show_if": 2, "ask_each_person": 2}
# Optional in a file, but required to publish.
_TO_PUBLISH = frozenset(["delete_on"])
# Rarely needed: shown under “More settings”.
_ADVANCED = frozenset(
    "id heading shuffle anchored reverse weight mechanism max_bits not_applicable".split()
)
# In which part of the form a survey's field stands; all others are in `about`.
_PARTS = {
    **dict.fromkeys(("consent", "closing", "contact", "ethics_reference"), "ethics"),
    "completion": "panel",
    "access": "people",
    "answer_from": "people",
    "epsilon": "budget",
    "total_epsilon": "budget",
    "ask_each_person": "budget",
    "language": "languages",
}


@dataclass(frozen=True)
class Entry:
    """One field in the form, under the name that problems use for it."""

    name: str
    title: str
    says: str
    is_advanced: bool
    is_required: bool
    inputs: list[Input]


def editable(draft: Draft) -> Draft:
    """Return the draft with a list of questions; raise if the form cannot show them."""
    questions = draft.get("questions", [])
    is_editable = isinstance(questions, list) and all(isinstance(q, dict) for q in questions)
    require(is_editable, "not_editable", "questions")
    return {"questions": [], **draft}


def survey_entries(draft: Draft) -> dict[str, list[Entry]]:
    """Return the survey's own entries by the part of the form in which they stand."""
    parts: dict[str, list[Entry]] = {
        part: [] for part in ("about", "ethics", "people", "panel", "budget", "languages")
    }
    for entry in _entries(
        SURVEY, draft, "", HIDDEN_FIELDS[budget_of(draft)], FieldContext(languages_of(draft))
    ):
        parts[_PARTS.get(entry.name, "about")].append(entry)
    return parts


def group_entries(draft: Draft) -> tuple[list[Entry], list[list[Entry]]]:
    """Return who sets the group, and the entries of every factor; nothing without groups."""
    groups, context = groups_of(draft), FieldContext(languages_of(draft))
    if not groups["factors"]:
        return [], []
    # A link never declines.
    hidden = frozenset() if groups.get("by") == BY_CHOICE else frozenset(["decline"])
    factors = [
        _entries(FACTOR, factor, f"groups.factors[{index}].", hidden, context)
        for index, factor in enumerate(groups["factors"])
    ]
    return _entries(GROUPS, groups, "groups.", frozenset(), context), factors


def question_entries(draft: Draft) -> list[list[Entry]]:
    """Return the entries of every question."""
    hidden = HIDDEN_FIELDS[budget_of(draft)]
    return [
        _entries(
            question_fields(question),
            question,
            f"questions[{index}].",
            # No question comes before the first one.
            hidden | (frozenset(["show_if"]) if index == 0 else frozenset()),
            context,
        )
        for index, (question, context) in enumerate(_with_contexts(draft))
    ]


def _with_contexts(draft: Draft) -> list[tuple[Draft, FieldContext]]:
    languages, deciders = languages_of(draft), deciders_of(draft)
    return [
        (question, FieldContext(languages, deciders[:index], deciders[index + 1 :]))
        for index, question in enumerate(draft["questions"])
    ]


def _entries(
    declared: Declared, values: Draft, prefix: str, hidden: frozenset[str], context: FieldContext
) -> list[Entry]:
    return [
        Entry(
            prefix + name,
            title_of_field(name, field),
            explain(field),
            name in _ADVANCED,
            field.required or name in _TO_PUBLISH,
            inputs_of(field, prefix + name, values.get(name), context),
        )
        for name, field in sorted(declared.items(), key=_place)
        # A field that has a value is always shown, or nobody could remove it.
        if (name not in hidden or name in values) and field.form.name not in PARTS
    ]


def _place(item: tuple[str, Field]) -> int:
    name, field = item
    return _ORDER.get(name, _ORDER.get(field.form.name, 0))


def draft_in_form(base: Draft, form: Mapping[str, str]) -> Draft:
    """Return the draft that a posted form describes; `base` is the draft that the form showed."""
    texts: Texts = defaultdict(
        str, {name: text.replace("\r\n", "\n") for name, text in form.items()}
    )
    languages = languages_of(base)
    questions = [
        _read_question(question, f"questions[{index}].", texts, context)
        for index, (question, context) in enumerate(_with_contexts(base))
    ]
    context = FieldContext(languages)
    survey = {**_read(SURVEY, base, "", texts, context), "questions": questions}
    if factors_of(base):
        survey["groups"] = _read_groups(base, texts, context)
    before, after = deciders_of(base), deciders_of(survey)
    followed = [follow_renames(before, after, question) for question in questions]
    pairs = zip(base["questions"], followed, strict=True)
    survey["questions"] = [_follow_anchors(old, new, languages[0]) for old, new in pairs]
    changed = change_budget(survey, texts["budget"])
    return set_languages(changed, languages, texts["languages"]) if "languages" in form else changed


def _read_groups(base: Draft, texts: Texts, context: FieldContext) -> Draft:
    groups = _read(GROUPS, groups_of(base), "groups.", texts, context)
    factors = [
        _read(FACTOR, factor, f"groups.factors[{index}].", texts, context)
        for index, factor in enumerate(groups["factors"])
    ]
    return {**groups, "factors": factors}


def _follow_anchors(before: Draft, after: Draft, language: str) -> Draft:
    """Return the question with its anchored options under their new labels, if they have some."""
    anchored = after.get("anchored")
    if not isinstance(anchored, list) or anchored != before.get("anchored"):
        return after
    names = renamed_options(_own_labels(before, language), _own_labels(after, language))
    return {**after, "anchored": [names.get(label, label) for label in anchored]}


def _own_labels(question: Draft, language: str) -> tuple[str, ...]:
    options = question.get("options")
    labels = options if isinstance(options, list) else []
    return tuple(text_in(label, language, [language]) for label in labels)


def _read_question(before: Draft, prefix: str, texts: Texts, context: FieldContext) -> Draft:
    kind = texts.get(f"{prefix}kind", before.get("kind", ""))
    declared = question_fields({"kind": kind} if kind else {})
    every = {name for item in KIND_DECLARATIONS.values() for name in item.fields}
    others = every - declared.keys()
    # Drop the fields of other kinds.
    kept = {name: value for name, value in before.items() if name not in others}
    shown = {name: field for name, field in declared.items() if name not in others}
    return _read(shown, kept, prefix, texts, context)


def _read(
    declared: Declared, before: Draft, prefix: str, texts: Texts, context: FieldContext
) -> Draft:
    # Keep undeclared fields, so that the linter can report them.
    values = dict(before)
    for name, field in declared.items():
        if field.form.name in PARTS:
            continue
        value = value_from(field, prefix + name, before.get(name), texts, context)
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    return values
