"""What a question needs and its row does not say: usual values, each of them named."""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from client.authoring.imports.languages import Languages
from client.authoring.imports.losses import Losses
from client.authoring.xlsform.expressions import read_bounds, read_parameters, write_bounds
from client.authoring.xlsform.sheets import Row
from client.authoring.xlsform.types import OR_OTHER, words_of
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import PLAIN, decimal_text
from client.core.translation import DEFAULT
from client.wording.catalogue import Wording
from client.wording.languages import INTERFACE, best

_SPAN = 100
# Finer numbers than these over a range of `_SPAN` would be more levels than anybody tells apart.
_USUAL_STEP = "0.1"
_BOUND = re.compile(r"\.\s*(>=|<=|>|<)\s*(-?[0-9]+(?:\.[0-9]+)?)")
_REFERENCE = re.compile(r"\$\{[^{}]*\}")
_OTHER = {
    **{"ar": "غير ذلك", "de": "Andere", "en": "Other", "es": "Otro"},
    **{"fr": "Autre", "pt": "Outro"},
}
OTHER = "other"
_SILENCE = "not_applicable"


def complete_question(row: Row, languages: Languages, losses: Losses) -> Row:
    """Return the row with all that a question must have."""
    row = _with_name(row, losses)
    row = _with_label(row, languages, losses)
    type, *words = words_of(row.cells["type"])
    if type in ("integer", "decimal"):
        row = _with_bounds(row, type, losses)
    if type in ("select_one", "select_multiple"):
        row = _without_seed(row, losses)
    if OR_OTHER in words:
        losses.change(row, Refusal("changed.or_other", "type"))
        words = [list_with_other(word) for word in words if word != OR_OTHER]
    cells = {**row.cells, "type": " ".join([type, *words])}
    for base in ("label", "hint"):
        found = [text for text in languages.texts(row, base).values() if _REFERENCE.search(text)]
        if found:
            losses.change(row, Refusal("changed.reference", base))
    return replace(row, cells=cells)


def _with_name(row: Row, losses: Losses) -> Row:
    """Make an id of the name: lower-case letters, digits and underscores, at most 32."""
    name = row.cells.get("name", "").strip()
    if not name:
        losses.change(row, Refusal("changed.no_name", "name", name=f"row_{row.number}"))
        return _set(row, "name", f"row_{row.number}")
    return row


def _with_label(row: Row, languages: Languages, losses: Losses) -> Row:
    if languages.texts(row, "label"):
        return row
    hints = languages.texts(row, "hint")
    if hints:
        losses.change(row, Refusal("changed.hint_as_label", "label"))
        gone = {languages.heading("hint", code) for code in languages.codes}
        bare = replace(row, cells={k: text for k, text in row.cells.items() if k not in gone})
        return languages.with_texts(bare, "label", hints)
    name = row.cells["name"].strip()
    losses.change(row, Refusal("changed.no_label", "label", name=name))
    return languages.with_texts(row, "label", {languages.own: name})


def _with_bounds(row: Row, type: str, losses: Losses) -> Row:
    whole, written = type == "integer", row.cells.get("constraint", "")
    shape = read_parameters(row.cells.get("parameters", "")) or {}
    step = shape.get("step", "")
    bounds = read_bounds(written, whole)
    if bounds is None:
        lo, hi = _assumed(written, whole)
        losses.change(row, Refusal("changed.bounds", "constraint", lo=lo, hi=hi))
        row = _set(row, "constraint", write_bounds(lo, hi))
        bounds = (lo, hi)
    if not whole and not PLAIN.fullmatch(step):
        least, greatest = map(Decimal, bounds)
        step = _USUAL_STEP if greatest - least <= _SPAN else "1"
        losses.change(row, Refusal("changed.step", "parameters", step=step))
        row = _set(row, "parameters", f"step={step}")
    return row


def _assumed(written: str, whole: bool) -> tuple[str, str]:
    """Return the bounds that an expression has, with usual ones where it has none."""
    found: dict[str, Decimal] = {}
    for sign, number in _BOUND.findall(written):
        value = Decimal(number)
        if whole and "=" not in sign and value == int(value):
            value += 1 if sign == ">" else -1
        elif whole:
            value = Decimal(int(value))
        found.setdefault(sign[0], value)
    lo = found.get(">", min(Decimal(0), found.get("<", Decimal(_SPAN)) - _SPAN))
    hi = found.get("<", max(Decimal(_SPAN), lo + _SPAN))
    return decimal_text(min(lo, hi)), decimal_text(max(lo, hi))


def _without_seed(row: Row, losses: Losses) -> Row:
    """Drop the seed of a random order, and parameters that only some devices know."""
    shape = read_parameters(row.cells.get("parameters", ""))
    if not shape or set(shape) <= {"randomize"}:
        return row
    losses.change(row, Refusal("changed.seed", "parameters"))
    kept = f"randomize={shape['randomize']}" if "randomize" in shape else ""
    return _set(row, "parameters", kept)


def _set(row: Row, column: str, text: str) -> Row:
    return replace(row, cells={**row.cells, column: text})


def with_silence(row: Row, languages: Languages, losses: Losses) -> Row:
    """Add "Does not apply", in English where the page has no words of its own for it."""
    if languages.texts(row, _SILENCE):
        return row
    if all(best([code], INTERFACE) for code in languages.codes):
        return _set(row, languages.heading(_SILENCE), "true")
    losses.change(row, Refusal("changed.silence", _SILENCE))
    usual = {code: Wording(str(best([code], INTERFACE) or DEFAULT)) for code in languages.codes}
    texts = {code: words.say(f"option.{_SILENCE}") for code, words in usual.items()}
    return languages.with_texts(row, _SILENCE, texts)


def with_other(choices: Sequence[Row], languages: Languages) -> list[Row]:
    """Return the rows of a list under another name, with Other as its last choice."""
    last = choices[-1]
    labels = {code: _OTHER.get(code.partition("-")[0], _OTHER["en"]) for code in languages.codes}
    name = list_with_other(last.cells["list_name"].strip())
    own = [_set(row, "list_name", name) for row in choices]
    known = {text.casefold() for row in choices for text in languages.texts(row, "label").values()}
    if known & {label.casefold() for label in labels.values()}:
        return own
    other = Row(last.sheet, last.number, {"list_name": name, "name": OTHER})
    return [*own, languages.with_texts(other, "label", labels)]


def list_with_other(name: str) -> str:
    return f"{name}__{OR_OTHER}"
