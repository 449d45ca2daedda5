"""Skip logic in the form: choose earlier questions, then tick options or give numbers.

A rule is always shown in full. Options that no longer exist stay until somebody unticks them. Below
the last condition there is an empty one, so that another can be added without a script.
"""

import re
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.conditions import BOUNDS
from client.authoring.draft.fields import Field
from client.authoring.draft.question import deciding_kind
from client.core.conditions import ALL, ANY, MAX_CONDITIONS
from client.core.primitives.domain import Choice, Levels
from server.surveys.manuscripts import own_language
from server.workbench.editor.controls import Decider, FieldContext, Input, Texts, Widget
from server.workbench.editor.languages import in_own_language
from server.workbench.editor.naming import name_of_question

Draft = dict[str, Any]
# A question with more options gets a text area instead, one option per line.
MAX_TICKS = 50
JOINED = ((ALL, "All of the conditions must hold", ""), (ANY, "One of them is enough", ""))


@dataclass(frozen=True)
class Part:
    """One condition as the form has it, even if it is malformed."""

    question: str = ""
    labels: tuple[str, ...] = ()
    # The least and the greatest number as written; None if the condition is about options.
    bounds: tuple[str, str] | None = None

    @classmethod
    def of(cls, value: Any) -> "Part":
        rule = value if isinstance(value, dict) else {}
        labels = rule.get("is") or []
        listed = labels if isinstance(labels, list) else [labels]
        low, high = (str(rule.get(bound, "")) for bound in BOUNDS)
        is_span = any(bound in rule for bound in BOUNDS)
        question = str(rule.get("question", ""))
        return cls(question, tuple(map(str, listed)), (low, high) if is_span else None)

    def written(self) -> Draft:
        if self.bounds is None:
            return {"question": self.question, "is": list(self.labels)}
        given = {key: text for key, text in zip(BOUNDS, self.bounds, strict=True) if text}
        return {"question": self.question, **(given or {"from": ""})}


def deciders_of(draft: Draft) -> tuple[Decider, ...]:
    """Return all questions as deciders; one whose options are not valid yet has none."""
    language = own_language(draft)
    return tuple(
        _decider(draft, index, question, language)
        for index, question in enumerate(in_own_language(draft)["questions"])
    )


def _decider(draft: Draft, index: int, question: Draft, language: str) -> Decider:
    kind = deciding_kind(question, language)
    domain = kind and kind.domain
    options = kind.labels if kind and isinstance(domain, Choice) else ()
    name = name_of_question(draft, index)
    return Decider(str(question.get("id", "")), name, options, isinstance(domain, Levels))


def _show(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    parts, joined = _split(value)
    if len(parts) < MAX_CONDITIONS:
        parts = [*parts, Part()]
    shown = [
        control
        for number, part in enumerate(parts)
        for control in _condition(_prefix(name, number), part, context, number)
    ]
    if len(parts) > 2:
        shown.append(Input(f"{name}.joined", joined, "choice", "Together", JOINED))
    return shown


def _prefix(name: str, number: int) -> str:
    """Return the name of a condition's controls; the first one has the name of the field."""
    return f"{name}.{number}" if number else name


def _condition(name: str, part: Part, context: FieldContext, number: int) -> list[Input]:
    earlier = [(item.id, item.name, "") for item in context.earlier]
    known = {id for id, _, _ in earlier}
    later = {item.id: f"{item.name}, which comes later" for item in context.later}
    foreign = later.get(part.question, f"“{part.question}”, which does not exist")
    gone = [] if part.question in ("", *known) else [(part.question, foreign, "")]
    none = "No other condition" if number else "Always asked"
    question = Input(
        f"{name}.question",
        part.question,
        "choice",
        "Another condition" if number else "",
        options=(("", none, ""), *earlier, *gone),
    )
    return [question, *_answers(name, part, _decider_of(part.question, context))]


def _answers(name: str, part: Part, decider: Decider | None) -> list[Input]:
    if decider is not None and decider.is_number:
        low, high = part.bounds or ("", "")
        return [
            Input(f"{name}.from", low, "figure", "Asked from this number on"),
            Input(f"{name}.to", high, "figure", "up to this number"),
        ]
    options = decider.options if decider else ()
    if len(options) > MAX_TICKS:
        said = "Asked after one of these answers, one per line"
        return [Input(f"{name}.is", "\n".join(part.labels), "lines", said)]
    gone = [label for label in part.labels if label not in options]
    return [
        Input(
            f"{name}.is.{number}",
            label if label in part.labels else "",
            "tick",
            label,
            options=((label, label, "not one of its options" if label in gone else ""),),
        )
        for number, label in enumerate([*options, *gone])
    ]


def _read(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    old, joined = _split(before)
    wanted = texts.get(f"{name}.joined") or joined
    found = [
        part
        for number in range(MAX_CONDITIONS)
        if (part := _read_part(_prefix(name, number), old[number : number + 1], texts, context))
    ]
    if len(found) <= 1:
        return found[0].written() if found else None
    return {wanted: [part.written() for part in found]}


def _read_part(name: str, before: list[Part], texts: Texts, context: FieldContext) -> Part | None:
    question = texts.get(f"{name}.question", "").strip()
    if not question:
        return None
    decider = _decider_of(question, context)
    if decider is not None and decider.is_number:
        low, high = (texts.get(f"{name}.{bound}", "").strip() for bound in BOUNDS)
        return Part(question, bounds=(low, high))
    box = re.compile(re.escape(f"{name}.is.") + "[0-9]+")
    ticked = [text for key, text in texts.items() if box.fullmatch(key) and text]
    lines = [line.strip() for line in texts.get(f"{name}.is", "").split("\n")]
    labels = [label for label in (*ticked, *lines) if label]
    if [question] != [part.question for part in before]:
        # The ticks belong to another question: keep only options that this one has too.
        labels = [label for label in labels if decider and label in decider.options]
    return Part(question, tuple(labels))


def follow_renames(
    before: tuple[Decider, ...], after: tuple[Decider, ...], question: Draft
) -> Draft:
    """Return the question with its rule adapted if deciding ids or options were renamed."""
    parts, joined = _split(question.get("show_if"))
    followed = [_follow(before, after, part) for part in parts]
    if followed == parts:
        return question
    rules = [part.written() for part in followed]
    return {**question, "show_if": rules[0] if len(rules) == 1 else {joined: rules}}


def _follow(before: tuple[Decider, ...], after: tuple[Decider, ...], part: Part) -> Part:
    pairs = [pair for pair in zip(before, after, strict=True) if pair[0].id == part.question]
    if not part.question or len(pairs) != 1:
        return part
    ((old, new),) = pairs
    names = renamed_options(old.options, new.options)
    return Part(new.id, tuple(names.get(label, label) for label in part.labels), part.bounds)


def renamed_options(old: tuple[str, ...], new: tuple[str, ...]) -> dict[str, str]:
    """Map old options to new ones in the same place; options that only moved are not renamed."""
    if len(old) != len(new):
        return {}
    pairs = zip(old, new, strict=True)
    return {one: other for one, other in pairs if one not in new and other not in old}


def _split(value: Any) -> tuple[list[Part], str]:
    """Return the conditions of a rule and how they are joined, even if it is malformed."""
    rule = value if isinstance(value, dict) else {}
    joined = ANY if ANY in rule else ALL
    if joined not in rule:
        return ([Part.of(rule)] if rule else []), ALL
    parts = rule[joined]
    return [Part.of(part) for part in (parts if isinstance(parts, list) else [])], joined


def _decider_of(id: str, context: FieldContext) -> Decider | None:
    return next((item for item in context.earlier if item.id == id), None)


SKIP_LOGIC = Widget(_show, _read)
