"""How each type of field is shown as controls and read back from them.

Every type that survey fields can have has one widget in `WIDGETS`. A value of None means that the
draft does not have the field.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from client.authoring.draft.completion import group_lines, read_group_lines
from client.authoring.draft.fields import PAGE_TEXT, Field, is_switch, is_switched_on
from client.core.mechanisms import MECHANISMS
from server.surveys.manuscripts import text_in
from server.workbench.editor.controls import FieldContext, Input, Texts, Widget
from server.workbench.editor.languages import join_texts
from server.workbench.editor.naming import choices, kind_choices
from server.workbench.editor.skip_logic import SKIP_LOGIC

USUAL, OWN = "usual", "own"
# Fields whose texts are usually longer than one line.
_LONG = ("intro", "prompt")
# For each switch: what its absence means, and what it does.
_FLAGS = {
    "shuffle": ("As written", "At random, drawn by each device"),
    "reverse": ("From low to high", "From high to low for half of the people"),
}


def inputs_of(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    """Return the controls that show a field's value."""
    return WIDGETS[field.form.name].show(field, name, value, context)


def value_from(field: Field, name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    """Return the value that the controls describe; exactly `before` if nobody changed them."""
    shown = inputs_of(field, name, before, context)
    # Browsers do not send unticked boxes; other controls of the field show that it was there.
    is_sent = any(item.name in texts for item in shown)
    if all(texts.get(item.name, _unsent(item, is_sent)) == item.value for item in shown):
        return before
    return WIDGETS[field.form.name].read(name, before, texts, context)


def _unsent(item: Input, is_sent: bool) -> str:
    return "" if item.look == "tick" and is_sent else item.value


def _line(look: str, shows_default: bool = False) -> Widget:
    def show(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
        usual = "" if field.required or not shows_default else field.default
        return [Input(name, str(usual if value is None else value), look)]

    return Widget(show, lambda name, before, texts, context: texts[name].strip() or None)


def _choice(
    values: Callable[[Field], Mapping[str, tuple[str, str]]], look: str = "choice", none: str = ""
) -> Widget:
    """A choice among known values; `none` labels the option of leaving the field out."""

    def show(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
        known = [(item, *words) for item, words in values(field).items()]
        shown = str((field.default or "") if value is None else value)
        # Show an unknown value too: the linter says what is wrong with it.
        foreign = [] if shown in ("", *values(field)) else [(shown, shown, "")]
        absent = [("", none, "")] if none or not shown else []
        return [Input(name, shown, look, options=(*absent, *known, *foreign))]

    return Widget(show, lambda name, before, texts, context: texts[name] or None)


def _show_text(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    languages = context.languages
    texts = [text_in(value, language, languages) for language in languages]
    # A control of one line would remove line breaks.
    is_long = name.endswith(_LONG) or any("\n" in text for text in texts)
    look = "page" if field.form is PAGE_TEXT else "area" if is_long else "line"
    return [
        Input(
            f"{name}@{language}",
            text,
            look,
            language if len(languages) > 1 else "",
            language=language,
        )
        for language, text in zip(languages, texts, strict=True)
    ]


def _read_text(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    languages = context.languages
    return join_texts([texts[f"{name}@{language}"].strip() for language in languages], languages)


def _show_labels(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    languages = context.languages
    labels = value if isinstance(value, list) else [] if value is None else [value]
    return [
        Input(
            f"{name}@{language}",
            "\n".join(text_in(label, language, languages) for label in labels),
            "lines",
            f"{language}, one per line" if len(languages) > 1 else "one per line",
            language=language,
        )
        for language in languages
    ]


def _read_labels(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    languages = context.languages
    columns = [
        [line.strip() for line in texts[f"{name}@{language}"].split("\n")] for language in languages
    ]
    rows = zip_longest(*columns, fillvalue="")
    return [join_texts(row, languages) for row in rows if any(row)] or None


def _show_silence(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    if value is None or isinstance(value, dict) or not is_switch(value):
        chosen = "" if value is None else OWN
    else:
        chosen = USUAL if is_switched_on(value) else ""
    is_hidden = name.endswith("not_applicable")
    otherwise = "Offered only where the question can be hidden" if is_hidden else "Not offered"
    options: tuple[tuple[str, str, str], ...] = (
        ("", otherwise, ""),
        (USUAL, "Offered", ""),
        (OWN, "Offered, with its own label", ""),
    )
    if name.startswith("groups."):
        # Whoever is asked for a group can always decline.
        chosen = OWN if chosen == OWN else ""
        options = (("", "With its usual label", ""), (OWN, "With its own label", ""))
    labels = _show_text(field, name, value if chosen == OWN else None, context)
    named = [replace(item, part=f"Own label {item.part}".strip()) for item in labels]
    return [Input(name, chosen, "choice", options=options), *named]


def _read_silence(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    if texts[name] == "":
        return None
    label = _read_text(name, before, texts, context) if texts[name] == OWN else None
    return label or "true"


# How the parts of a panel's code and link are called in the form.
_PANEL = {
    "code": "Completion code",
    "redirect": "Link back to the panel (https://…)",
    "pass_on": "Parameters that the link takes along, such as PROLIFIC_PID",
    "by_group": "For groups, one per line: Control, North = CODE https://…",
}


def _show_completion(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    given = value if isinstance(value, dict) else {}
    return [
        Input(
            f"{name}.{part}",
            _joined(given.get(part, "")),
            "lines" if part == "by_group" else "line",
            title,
        )
        for part, title in _PANEL.items()
    ]


def _joined(value: Any) -> str:
    if isinstance(value, dict):
        return group_lines(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _read_completion(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    given: dict[str, Any] = {part: texts[f"{name}.{part}"].strip() for part in _PANEL}
    given["pass_on"] = given["pass_on"].replace(",", " ").split()
    given["by_group"] = read_group_lines(given["by_group"])
    return {part: value for part, value in given.items() if value} or None


def _show_flag(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    as_written, otherwise = _FLAGS[name.rpartition(".")[2]]
    is_known = value is None or is_switch(value)
    # Show an unknown value too: the linter says what is wrong with it.
    foreign = () if is_known else ((str(value), str(value), ""),)
    shown = "true" if is_switched_on(value) else "" if is_known else str(value)
    options = (("", as_written, ""), ("true", otherwise, ""), *foreign)
    return [Input(name, shown, "choice", options=options)]


def _show_anchored(field: Field, name: str, value: Any, context: FieldContext) -> list[Input]:
    labels = value if isinstance(value, list) else [] if value is None else [value]
    return [Input(name, "\n".join(map(str, labels)), "lines", "one per line")]


def _read_anchored(name: str, before: Any, texts: Texts, context: FieldContext) -> Any:
    return [line.strip() for line in texts[name].split("\n") if line.strip()] or None


WIDGETS: Mapping[str, Widget] = {
    **dict.fromkeys(("slug", "id"), _line("line")),
    "language": _line("line", shows_default=True),
    **dict.fromkeys(("whole", "epsilon"), _line("figure")),
    "decimal": _line("figure", shows_default=True),
    "day": _line("day"),
    **dict.fromkeys(("text", "any_text", "page_text"), Widget(_show_text, _read_text)),
    "labels": Widget(_show_labels, _read_labels),
    "silence": Widget(_show_silence, _read_silence),
    "flag": Widget(_show_flag, lambda name, before, texts, context: texts[name] or None),
    "anchored": Widget(_show_anchored, _read_anchored),
    "show_if": SKIP_LOGIC,
    "completion": Widget(_show_completion, _read_completion),
    "one_of": _choice(lambda field: choices(field.form.values), "radio"),
    "kind": _choice(lambda field: kind_choices()),
    "name": _choice(
        lambda field: {name: (item.title.capitalize(), "") for name, item in MECHANISMS.items()},
        none="The best one for the question",
    ),
}
