"""How each form of a field is written into controls, and read from them again.

A form of `survey_fields` has one entry here: what the controls show of a value, and which value
their texts mean. None is "no such field".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from client.draft_fields import is_switch, is_switched_on
from client.kinds import KINDS
from client.mechanisms import MECHANISMS
from client.survey import BY_DEVICE, BY_TICKET
from client.survey_fields import Field

Languages = Sequence[str]
Texts = Mapping[str, str]
USUAL, OWN = "usual", "own"
# Names in files, in words.
_WORDS = {
    BY_TICKET: "whoever has the link; tickets draw what is sampled",
    BY_DEVICE: "only who is invited; devices draw what is sampled",
    "yes_no": "yes or no",
    "one_of": "one of several options",
    "any_of": "any of several options",
    "scale": "a level of a scale",
    "number": "a number",
    "cross": "two questions, cross-tabulated",
}
# Texts of more than one line, as a rule.
_LONG = ("intro", "prompt")


@dataclass(frozen=True)
class Input:
    """One control: its name in the form, what it shows, and how it looks."""

    name: str
    value: str
    look: str = "line"
    # Where a field has several: which of them this is.
    part: str = ""
    options: tuple[tuple[str, str], ...] = ()
    language: str = ""


@dataclass(frozen=True)
class Written:
    """Both directions for one form."""

    show: Callable[[Field, str, Any, Languages], list[Input]]
    read: Callable[[str, Texts, Languages], Any]


def inputs_of(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
    return WRITTEN[field.form.name].show(field, name, value, languages)


def value_from(field: Field, name: str, before: Any, texts: Texts, languages: Languages) -> Any:
    """What the controls mean. What nobody touched stays exactly as it was written."""
    shown = inputs_of(field, name, before, languages)
    if all(texts.get(item.name, item.value) == item.value for item in shown):
        return before
    return WRITTEN[field.form.name].read(name, texts, languages)


def tell(value: Any, language: str, languages: Languages) -> str:
    """A text in one language; a plain one is in the first."""
    if isinstance(value, dict):
        return str(value.get(language, ""))
    return "" if value is None or language != languages[0] else str(value)


def told(texts: Sequence[str], languages: Languages) -> Any:
    """The same the other way round; with several languages every one of them stands there."""
    if not any(texts):
        return None
    return texts[0] if len(languages) == 1 else dict(zip(languages, texts, strict=True))


def _line(look: str) -> Written:
    def show(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
        return [Input(name, "" if value is None else str(value), look)]

    return Written(show, lambda name, texts, languages: texts[name].strip() or None)


def _choice(values: Callable[[Field], Sequence[str]], usual: str = "") -> Written:
    def show(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
        known = [(item, _WORDS.get(item, item.replace("_", " "))) for item in values(field)]
        shown = "" if value is None else str(value)
        # A value that nobody knows is shown too: the linter says what is wrong with it.
        foreign = [] if shown in ("", *values(field)) else [(shown, shown)]
        usually = dict(known).get(str(field.default), usual)
        options = (("", f"as usual: {usually}"), *known, *foreign)
        return [Input(name, shown, "choice", options=options)]

    return Written(show, lambda name, texts, languages: texts[name] or None)


def _show_text(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
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


def _read_text(name: str, texts: Texts, languages: Languages) -> Any:
    return told([texts[f"{name}@{language}"].strip() for language in languages], languages)


def _show_labels(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
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


def _read_labels(name: str, texts: Texts, languages: Languages) -> Any:
    columns = [
        [line.strip() for line in texts[f"{name}@{language}"].split("\n")] for language in languages
    ]
    rows = zip_longest(*columns, fillvalue="")
    return [told(row, languages) for row in rows if any(row)] or None


def _show_silence(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
    if value is None or isinstance(value, dict) or not is_switch(value):
        chosen = "" if value is None else OWN
    else:
        chosen = USUAL if is_switched_on(value) else ""
    is_hidden = name.endswith("not_applicable")
    otherwise = "where the question can be hidden" if is_hidden else "not offered"
    options = (("", otherwise), (USUAL, "offered"), (OWN, "offered, with a label of its own"))
    labels = _show_text(field, name, value if chosen == OWN else None, languages)
    named = [replace(item, part=f"Label of its own {item.part}".strip()) for item in labels]
    return [Input(name, chosen, "choice", options=options), *named]


def _read_silence(name: str, texts: Texts, languages: Languages) -> Any:
    if texts[name] == "":
        return None
    label = _read_text(name, texts, languages) if texts[name] == OWN else None
    return label or "true"


def _show_rule(field: Field, name: str, value: Any, languages: Languages) -> list[Input]:
    rule = value if isinstance(value, dict) else {}
    labels = rule.get("is") or []
    lines = labels if isinstance(labels, list) else [labels]
    return [
        Input(f"{name}.question", str(rule.get("question", "")), "question", "Question"),
        Input(
            f"{name}.is", "\n".join(map(str, lines)), "lines", "was answered with one of, per line"
        ),
    ]


def _read_rule(name: str, texts: Texts, languages: Languages) -> Any:
    question = texts[f"{name}.question"].strip()
    labels = [line.strip() for line in texts[f"{name}.is"].split("\n") if line.strip()]
    return {"question": question, "is": labels} if question or labels else None


WRITTEN: Mapping[str, Written] = {
    **dict.fromkeys(("slug", "id", "language"), _line("line")),
    **dict.fromkeys(("whole", "decimal", "epsilon"), _line("figure")),
    "day": _line("day"),
    **dict.fromkeys(("text", "any_text"), Written(_show_text, _read_text)),
    "labels": Written(_show_labels, _read_labels),
    "silence": Written(_show_silence, _read_silence),
    "show_if": Written(_show_rule, _read_rule),
    "one_of": _choice(lambda field: field.form.values),
    "kind": _choice(lambda field: tuple(KINDS)),
    "name": _choice(lambda field: tuple(MECHANISMS), "the rule chooses"),
}
