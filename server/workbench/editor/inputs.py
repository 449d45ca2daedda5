"""How each form of a field is written into controls, and read from them again.

A form of `survey_fields` has one entry here: what the controls show of a value, and which value
their texts mean. None is "no such field".
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from client.authoring.draft.fields import Field, is_switch, is_switched_on
from client.core.mechanisms import MECHANISMS
from server.surveys.manuscripts import tell
from server.workbench.editor.controls import FieldContext, Input, Texts, Widget
from server.workbench.editor.languages import told
from server.workbench.editor.naming import choices, kind_choices
from server.workbench.editor.skip_logic import SKIP_LOGIC

USUAL, OWN = "usual", "own"
# Texts of more than one line, as a rule.
_LONG = ("intro", "prompt")


def inputs_of(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
    return WIDGETS[field.form.name].show(field, name, value, around)


def value_from(field: Field, name: str, before: Any, texts: Texts, around: FieldContext) -> Any:
    """What the controls mean. What nobody touched stays exactly as it was written."""
    shown = inputs_of(field, name, before, around)
    # A box that is not ticked is not sent; that it was there is known by its neighbours.
    is_sent = any(item.name in texts for item in shown)
    if all(texts.get(item.name, _unsent(item, is_sent)) == item.value for item in shown):
        return before
    return WIDGETS[field.form.name].read(name, before, texts, around)


def _unsent(item: Input, is_sent: bool) -> str:
    return "" if item.look == "tick" and is_sent else item.value


def _line(look: str, shows_default: bool = False) -> Widget:
    def show(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
        usual = "" if field.required or not shows_default else field.default
        return [Input(name, str(usual if value is None else value), look)]

    return Widget(show, lambda name, before, texts, around: texts[name].strip() or None)


def _choice(
    values: Callable[[Field], Mapping[str, tuple[str, str]]], look: str = "choice", none: str = ""
) -> Widget:
    """What is as usual is shown as such; `none` is for a field that is usually absent."""

    def show(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
        known = [(item, *words) for item, words in values(field).items()]
        shown = str((field.default or "") if value is None else value)
        # A value that nobody knows is shown too: the linter says what is wrong with it.
        foreign = [] if shown in ("", *values(field)) else [(shown, shown, "")]
        absent = [("", none, "")] if none or not shown else []
        return [Input(name, shown, look, options=(*absent, *known, *foreign))]

    return Widget(show, lambda name, before, texts, around: texts[name] or None)


def _show_text(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
    languages = around.languages
    texts = [tell(value, language, languages) for language in languages]
    # A control of one line would swallow line breaks.
    is_long = name.endswith(_LONG) or any("\n" in text for text in texts)
    return [
        Input(
            f"{name}@{language}",
            text,
            "area" if is_long else "line",
            language if len(languages) > 1 else "",
            language=language,
        )
        for language, text in zip(languages, texts, strict=True)
    ]


def _read_text(name: str, before: Any, texts: Texts, around: FieldContext) -> Any:
    languages = around.languages
    return told([texts[f"{name}@{language}"].strip() for language in languages], languages)


def _show_labels(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
    languages = around.languages
    labels = value if isinstance(value, list) else [] if value is None else [value]
    return [
        Input(
            f"{name}@{language}",
            "\n".join(tell(label, language, languages) for label in labels),
            "lines",
            f"{language}, one per line" if len(languages) > 1 else "one per line",
            language=language,
        )
        for language in languages
    ]


def _read_labels(name: str, before: Any, texts: Texts, around: FieldContext) -> Any:
    languages = around.languages
    columns = [
        [line.strip() for line in texts[f"{name}@{language}"].split("\n")] for language in languages
    ]
    rows = zip_longest(*columns, fillvalue="")
    return [told(row, languages) for row in rows if any(row)] or None


def _show_silence(field: Field, name: str, value: Any, around: FieldContext) -> list[Input]:
    if value is None or isinstance(value, dict) or not is_switch(value):
        chosen = "" if value is None else OWN
    else:
        chosen = USUAL if is_switched_on(value) else ""
    is_hidden = name.endswith("not_applicable")
    otherwise = "Offered only where the question can be hidden" if is_hidden else "Not offered"
    options = (
        ("", otherwise, ""),
        (USUAL, "Offered", ""),
        (OWN, "Offered, with a label of its own", ""),
    )
    labels = _show_text(field, name, value if chosen == OWN else None, around)
    named = [replace(item, part=f"Label of its own {item.part}".strip()) for item in labels]
    return [Input(name, chosen, "choice", options=options), *named]


def _read_silence(name: str, before: Any, texts: Texts, around: FieldContext) -> Any:
    if texts[name] == "":
        return None
    label = _read_text(name, before, texts, around) if texts[name] == OWN else None
    return label or "true"


WIDGETS: Mapping[str, Widget] = {
    **dict.fromkeys(("slug", "id"), _line("line")),
    "language": _line("line", shows_default=True),
    **dict.fromkeys(("whole", "epsilon"), _line("figure")),
    "decimal": _line("figure", shows_default=True),
    "day": _line("day"),
    **dict.fromkeys(("text", "any_text"), Widget(_show_text, _read_text)),
    "labels": Widget(_show_labels, _read_labels),
    "silence": Widget(_show_silence, _read_silence),
    "show_if": SKIP_LOGIC,
    "one_of": _choice(lambda field: choices(field.form.values), "radio"),
    "kind": _choice(lambda field: kind_choices()),
    "name": _choice(
        lambda field: {name: (item.title.capitalize(), "") for name, item in MECHANISMS.items()},
        none="Whatever suits the question best",
    ),
}
