"""A row of the sheet `survey`, with its lists of choices, becomes a question of a draft."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.fields import SURVEY
from client.authoring.draft.reader import INTEGER, Fields, is_switch, is_switched_on
from client.authoring.xlsform import types
from client.authoring.xlsform.columns import KNOWN, TEXTS
from client.authoring.xlsform.expressions import (
    read_bounds,
    read_count,
    read_parameters,
    read_relevant,
)
from client.authoring.xlsform.names import SILENCE, YES_NO, is_yes_no, pair_names, question_id
from client.authoring.xlsform.sheets import Row
from client.authoring.xlsform.texts import Texts
from client.core.kinds import DISTRIBUTION, AnyOf, Cross, Number, OneOf, Scale, YesNo
from client.core.kinds.ordinal import MAX_SCALE
from client.core.primitives.values import PLAIN

Question = dict[str, Any]
# Fields that stand in a column with another name.
_COLUMNS = {"id": "name", "kind": "type", "prompt": "label", "show_if": "relevant"}
_AS_IN_YAML = tuple(
    column
    for column in KNOWN["survey"]
    if column not in ("type", "name", "label", "required", "relevant", "constraint", "parameters")
)
_NOT_REQUIRED = ("no", "false", "false()", "0")


@dataclass(frozen=True)
class Choice:
    """One row of the sheet `choices`."""

    name: str
    label: Any
    row: Row


class Lists:
    """The lists of choices, by name."""

    def __init__(self) -> None:
        self._lists: dict[str, dict[str, Choice]] = {}

    def add(self, row: Row, texts: Texts) -> None:
        names = [row.cells.get(column, "").strip() for column in ("list_name", "name")]
        for column, name in zip(("list_name", "name"), names, strict=True):
            if not name:
                raise row.refusal(column, "a choice needs a list_name, a name and a label")
        choices = self._lists.setdefault(names[0], {})
        if names[1] in choices:
            raise row.refusal("name", f"{names[0]} has {names[1][:40]!r} twice")
        label = texts.told(row, "label")
        if not label:
            raise row.refusal("label", "a choice needs a label")
        choices[names[1]] = Choice(names[1], label, row)

    def get(self, name: str, row: Row) -> list[Choice]:
        if name not in self._lists:
            raise row.refusal("type", f"no row of choices has the list_name {name[:40]!r}")
        choices = list(self._lists[name].values())
        if not choices:
            raise row.refusal("type", f"no choice of the list {name[:40]!r} can be read")
        return choices


class Questions:
    """Reads one row after another: a question may be shown after an earlier one only."""

    def __init__(self, lists: Lists, texts: Texts, note: Callable[[str, str], None]) -> None:
        self.lists = lists
        self.texts = texts
        self.note = note
        # For every earlier question the labels of its options by their names; none if it failed.
        self._earlier: dict[str, dict[str, str] | None] = {}

    def read(self, row: Row) -> tuple[Question, dict[str, str]]:
        """The question, and the place of each of its fields."""
        id = question_id(row.cells.get("name", ""))
        self._earlier.setdefault(id, None)
        question: Question = {"id": id} if id else {}
        places = {field: row.place(column) for field, column in _COLUMNS.items()}
        places |= {name: row.place(name) for name in _AS_IN_YAML}
        own, names = self._kind(row, places)
        question |= {"kind": own.pop("kind"), "prompt": self.texts.told(row, "label"), **own}
        for column in _AS_IN_YAML:
            texts = column in TEXTS["survey"]
            value = self.texts.told(row, column) if texts else row.cells.get(column, "").strip()
            if value:
                question[column] = value
        rule = self._show_if(row)
        if rule:
            question["show_if"] = rule
        if row.cells.get("required", "").strip().lower() in _NOT_REQUIRED:
            message = "every question is asked of everybody; decline gives room for silence"
            self.note(row.place("required"), message)
        self._earlier[id] = {**names, **self._silence(question)}
        return {name: value for name, value in question.items() if value != ""}, places

    def _kind(self, row: Row, places: dict[str, str]) -> tuple[Question, dict[str, str]]:
        """The fields that the type says, and the labels of the options by their names."""
        type, *words = types.words_of(row.cells.get("type", "")) or [""]
        if type in types.REFUSED:
            raise row.refusal("type", f"{type}: {types.REFUSED[type]}", "cannot_be_randomized")
        if type not in types.KNOWN:
            known = ", ".join(types.KNOWN)
            message = f"the type {type[:40]!r} is not known; what can be randomized is {known}"
            raise row.refusal("type", message, "unknown_type")
        if "or_other" in words:
            reason = "or_other: free text cannot be randomized; add Other to the choices"
            raise row.refusal("type", reason, "cannot_be_randomized")
        lists = 2 if type == types.CROSS else 1 if type in (types.CHOICES, types.BOXES) else 0
        if len(words) != lists:
            raise row.refusal("type", f"{type} names {lists} lists of choices, got {len(words)}")
        found = [self.lists.get(name, row) for name in words]
        if lists == 0:
            return self._levels(row, type, places)
        places["options"] = places["rows"] = found[0][0].row.place("label")
        places["columns"] = found[-1][0].row.place("label")
        places["at_most"] = row.place("constraint")
        return self._cross(row, *found) if lists == 2 else self._choices(row, type, found[0])

    def _choices(
        self, row: Row, type: str, choices: list[Choice]
    ) -> tuple[Question, dict[str, str]]:
        self._check_empty(row, "parameters", *(["constraint"] if type == types.CHOICES else []))
        fields: Question = {"kind": OneOf.name}
        if type == types.BOXES:
            fields = {"kind": AnyOf.name, **_at_most(row)}
        elif is_yes_no(choice.name for choice in choices):
            fields = {"kind": YesNo.name}
            first = {pair[0] for pair in YES_NO}
            choices = sorted(choices, key=lambda choice: choice.name.lower() not in first)
        return {**fields, "options": [choice.label for choice in choices]}, self._labels(choices)

    def _cross(
        self, row: Row, rows: list[Choice], columns: list[Choice]
    ) -> tuple[Question, dict[str, str]]:
        self._check_empty(row, "parameters", "constraint")
        names = pair_names(list(self._labels(rows)), list(self._labels(columns)))
        sides = (self._labels(rows).values(), self._labels(columns).values())
        labels = [f"{one} / {other}" for one in sides[0] for other in sides[1]]
        fields = {
            "kind": Cross.name,
            "rows": [choice.label for choice in rows],
            "columns": [choice.label for choice in columns],
        }
        return fields, dict(zip(names, labels, strict=True))

    def _levels(
        self, row: Row, type: str, places: dict[str, str]
    ) -> tuple[Question, dict[str, str]]:
        shape = read_parameters(row.cells.get("parameters", ""))
        allowed = {"start", "end", "step"} if type == types.RANGE else {"step"}
        if shape is None or not set(shape) <= allowed:
            known = "start=0 end=10 step=1" if type == types.RANGE else "step=1"
            raise row.refusal("parameters", f"{type} has parameters as in {known}")
        at = "parameters" if type == types.RANGE else "constraint"
        places |= {"lo": row.place(at), "hi": row.place(at), "step": row.place("parameters")}
        if type == types.RANGE:
            self._check_empty(row, "constraint")
            return _range(row, shape)
        bounds = read_bounds(row.cells.get("constraint", ""), whole=type == types.WHOLE)
        if bounds is None:
            reason = "a number needs its least and its greatest value, as in . >= 0 and . <= 120"
            raise row.refusal("constraint", reason)
        if type == types.DECIMAL and "step" not in shape:
            raise row.refusal("parameters", "decimal needs its step, as in step=0.5")
        step = {"step": shape["step"]} if "step" in shape else {}
        return {"kind": Number.name, "lo": bounds[0], "hi": bounds[1], **step}, {}

    def _check_empty(self, row: Row, *columns: str) -> None:
        for column in columns:
            if column in row.cells:
                raise row.refusal(column, "this type has nothing to say here; leave it empty")

    def _show_if(self, row: Row) -> Question | None:
        text = row.cells.get("relevant", "")
        if not text.strip():
            return None
        rule = read_relevant(text)
        if rule is None:
            reason = "can only ask for options of one earlier question, as in ${smokes} = 'yes'"
            raise row.refusal("relevant", reason)
        name = question_id(rule[0])
        if name not in self._earlier or name == question_id(row.cells.get("name", "")):
            raise row.refusal("relevant", f"no earlier question is called {rule[0][:40]!r}")
        options = self._earlier[name]
        if options is None:
            # Its own fault is told already.
            return None
        for value in rule[1]:
            if value not in options:
                raise row.refusal("relevant", f"{rule[0]} has no choice {value[:40]!r}")
        return {"question": name, "is": [options[value] for value in rule[1]]}

    def _labels(self, choices: list[Choice]) -> dict[str, str]:
        return {choice.name: self.texts.own_text(choice.label) for choice in choices}

    def _silence(self, question: Question) -> dict[str, str]:
        """What the options for silence are called in the workbook's own language."""
        usual = Fields({}, "", SURVEY, self.texts.own)
        found = {}
        for name in SILENCE:
            text = self.texts.own_text(question.get(name, ""))
            if is_switch(text) and text:
                on = is_switched_on(text) and usual.knows_usual_labels
                text = usual.usual_label(name) if on else ""
            if text:
                found[name] = text
        return found


def _at_most(row: Row) -> Question:
    text = row.cells.get("constraint", "")
    if not text.strip():
        return {}
    count = read_count(text)
    if count is None:
        reason = "can only say how many may be chosen, as in count-selected(.) <= 3"
        raise row.refusal("constraint", reason)
    return {"at_most": count}


def _range(row: Row, shape: dict[str, str]) -> tuple[Question, dict[str, str]]:
    """Whole levels are a scale, anything finer or wider is a number."""
    lo, hi, step = shape.get("start", "1"), shape.get("end", "10"), shape.get("step", "1")
    for value in (lo, hi, step):
        if not PLAIN.fullmatch(value):
            raise row.refusal("parameters", f"must be plain decimals, got {value[:40]!r}")
    whole = all(INTEGER.fullmatch(value) for value in (lo, hi)) and step == "1"
    is_scale = (
        whole
        and 0 < int(hi) - int(lo) < MAX_SCALE
        and row.cells.get("goal", "").strip() != DISTRIBUTION
        and "unit" not in row.cells
    )
    if not is_scale:
        return {"kind": Number.name, "lo": lo, "hi": hi, "step": step}, {}
    levels = [str(level) for level in range(int(lo), int(hi) + 1)]
    return {"kind": Scale.name, "lo": lo, "hi": hi}, dict(zip(levels, levels, strict=True))
