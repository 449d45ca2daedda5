"""Skip logic in the form: an earlier question is chosen, then some of its options are ticked.

Whatever a rule says is shown, also what is not there any more: it stays until somebody unticks it.
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
# More are written one per line.
MAX_TICKS = 50


def deciders_of(draft: Draft) -> tuple[Decider, ...]:
    """All questions; one whose options cannot be read yet has none to tick."""
    language = own_language(draft)
    return tuple(
        Decider(
            str(question.get("id", "")),
            name_of_question(draft, index),
            deciding_options(question, language),
        )
        for index, question in enumerate(in_own_language(draft)["questions"])
    )


def _show(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
    chosen, labels = _written(value)
    earlier = [(item.id, item.name, "") for item in around.earlier]
    known = {id for id, _, _ in earlier}
    later = {item.id: f"{item.name}, which comes later" for item in around.later}
    foreign = later.get(chosen, f"“{chosen}”, which is not there")
    gone = [] if chosen in ("", *known) else [(chosen, foreign, "")]
    question = Input(
        f"{name}.question",
        chosen,
        "choice",
        options=(("", "It is always asked", ""), *earlier, *gone),
    )
    return [question, *_boxes(name, labels, _options_of(chosen, around))]


def _boxes(name: str, labels: list[str], options: tuple[str, ...]) -> list[Input]:
    if len(options) > MAX_TICKS:
        part = "It is asked after one of these answers, one per line"
        return [Input(f"{name}.is", "\n".join(labels), "lines", part)]
    gone = [label for label in labels if label not in options]
    return [
        Input(
            f"{name}.is.{number}",
            label if label in labels else "",
            "tick",
            label,
            options=((label, label, "not an option of it" if label in gone else ""),),
        )
        for number, label in enumerate([*options, *gone])
    ]


def _read(name: str, before: Any, texts: Texts, around: FieldContext) -> Any:
    question = texts[f"{name}.question"].strip()
    if not question:
        return None
    box = re.compile(re.escape(f"{name}.is.") + "[0-9]+")
    ticked = [text for key, text in texts.items() if box.fullmatch(key) and text]
    lines = [line.strip() for line in texts[f"{name}.is"].split("\n")]
    labels = [label for label in (*ticked, *lines) if label]
    if question != _written(before)[0]:
        # What was ticked is about another question, but for what this one has as well.
        labels = [label for label in labels if label in _options_of(question, around)]
    return {"question": question, "is": labels}


def follow(before: tuple[Decider, ...], after: tuple[Decider, ...], question: Draft) -> Draft:
    """The question with its rule about the same question and options, if those have new names."""
    chosen, labels = _written(question.get("show_if"))
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
    """Options in whose place another stands; those that only moved keep their names."""
    if len(old) != len(new):
        return {}
    pairs = zip(old, new, strict=True)
    return {one: other for one, other in pairs if one not in new and other not in old}


def _written(value: Any) -> tuple[str, list[str]]:
    """The question and the options that a rule names, whatever else it may be."""
    rule = value if isinstance(value, dict) else {}
    labels = rule.get("is") or []
    return str(rule.get("question", "")), [
        str(label) for label in (labels if isinstance(labels, list) else [labels])
    ]


def _options_of(id: str, around: FieldContext) -> tuple[str, ...]:
    return next((item.options for item in around.earlier if item.id == id), ())


SKIP_LOGIC = Widget(_show, _read)
