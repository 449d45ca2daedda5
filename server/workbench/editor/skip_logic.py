"""Skip logic in the form: choose an earlier question, then tick some of its options.

A rule is always shown in full. Options that no longer exist stay until somebody unticks them.
"""

import re
from typing import Any

from client.authoring.draft.fields import Field
from client.authoring.draft.question import deciding_options
from server.surveys.manuscripts import own_language
from server.workbench.editor.controls import Decider, FieldContext, Input, Texts, Widget
from server.workbench.editor.languages import in_own_language
from server.workbench.editor.naming import name_of_question

Draft = dict[str, Any]
# A question with more options gets a text area instead, one option per line.
MAX_TICKS = 50


def deciders_of(draft: Draft) -> tuple[Decider, ...]:
    """Return all questions as deciders; one whose options are not valid yet has none."""
    language = own_language(draft)
    return tuple(
        Decider(
            str(question.get("id", "")),
            name_of_question(draft, index),
            deciding_options(question, language),
        )
        for index, question in enumerate(in_own_language(draft)["questions"])
    )


def _show(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    chosen, labels = _rule_parts(value)
    earlier = [(item.id, item.name, "") for item in context.earlier]
    known = {id for id, _, _ in earlier}
    later = {item.id: f"{item.name}, which comes later" for item in context.later}
    foreign = later.get(chosen, f"“{chosen}”, which does not exist")
    gone = [] if chosen in ("", *known) else [(chosen, foreign, "")]
    question = Input(
        f"{name}.question",
        chosen,
        "choice",
        options=(("", "Always asked", ""), *earlier, *gone),
    )
    return [question, *_boxes(name, labels, _options_of(chosen, context))]


def _boxes(name: str, labels: list[str], options: tuple[str, ...]) -> list[Input]:
    if len(options) > MAX_TICKS:
        part = "Asked after one of these answers, one per line"
        return [Input(f"{name}.is", "\n".join(labels), "lines", part)]
    gone = [label for label in labels if label not in options]
    return [
        Input(
            f"{name}.is.{number}",
            label if label in labels else "",
            "tick",
            label,
            options=((label, label, "not one of its options" if label in gone else ""),),
        )
        for number, label in enumerate([*options, *gone])
    ]


def _read(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    question = texts[f"{name}.question"].strip()
    if not question:
        return None
    box = re.compile(re.escape(f"{name}.is.") + "[0-9]+")
    ticked = [text for key, text in texts.items() if box.fullmatch(key) and text]
    lines = [line.strip() for line in texts[f"{name}.is"].split("\n")]
    labels = [label for label in (*ticked, *lines) if label]
    if question != _rule_parts(before)[0]:
        # The ticks belong to another question: keep only options that this one has too.
        labels = [label for label in labels if label in _options_of(question, context)]
    return {"question": question, "is": labels}


def follow_renames(
    before: tuple[Decider, ...], after: tuple[Decider, ...], question: Draft
) -> Draft:
    """Return the question with its rule adapted if the deciding id or options were renamed."""
    chosen, labels = _rule_parts(question.get("show_if"))
    found = next((pair for pair in zip(before, after, strict=True) if pair[0].id == chosen), None)
    if found is None or not chosen or [item.id for item in before].count(chosen) > 1:
        return question
    old, new = found
    names = _renamed(old.options, new.options)
    if new.id == old.id and not names.keys() & set(labels):
        return question
    rule = {"question": new.id, "is": [names.get(label, label) for label in labels]}
    return {**question, "show_if": rule}


def _renamed(old: tuple[str, ...], new: tuple[str, ...]) -> dict[str, str]:
    """Map old options to new ones in the same place; options that only moved are not renamed."""
    if len(old) != len(new):
        return {}
    pairs = zip(old, new, strict=True)
    return {one: other for one, other in pairs if one not in new and other not in old}


def _rule_parts(value: Any) -> tuple[str, list[str]]:
    """Return the question and the options that a rule names, even if the rule is malformed."""
    rule = value if isinstance(value, dict) else {}
    labels = rule.get("is") or []
    return str(rule.get("question", "")), [
        str(label) for label in (labels if isinstance(labels, list) else [labels])
    ]


def _options_of(id: str, context: FieldContext) -> tuple[str, ...]:
    return next((item.options for item in context.earlier if item.id == id), ())


SKIP_LOGIC = Widget(_show, _read)
