"""Turn a row of the sheet `survey`, with its lists of choices, into a question of a draft."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from math import ceil, floor
from typing import Any

from client.authoring.draft.fields import SURVEY, is_switch, is_switched_on
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.reader import Fields
from client.authoring.xlsform.columns import known_columns, translatable_columns
from client.authoring.xlsform.kinds import CROSS_WITH, SHEET_TYPES, Choice, ReadKind
from client.authoring.xlsform.names import SILENCE, question_id
from client.authoring.xlsform.relevant import Term, read_relevant
from client.authoring.xlsform.sheets import Row
from client.authoring.xlsform.texts import Texts
from client.authoring.xlsform.types import OR_OTHER, REFUSED, words_of
from client.core.kinds import Cross
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text

Question = dict[str, Any]
_READ_ELSEWHERE = frozenset(
    ["type", "name", "label", "required", "relevant", "constraint", "parameters", CROSS_WITH]
)
_NOT_REQUIRED = ("no", "false", "false()", "0")
_SIGNS = {"from": (">", ">=", "="), "to": ("<", "<=", "=")}


def _own_columns() -> list[str]:
    """Return the columns that hold one field and have its name."""
    return [column for column in known_columns("survey") if column not in _READ_ELSEWHERE]


class Lists:
    """The lists of choices, by name."""

    def __init__(self) -> None:
        self._lists: dict[str, dict[str, Choice]] = {}

    def add(self, row: Row, texts: Texts) -> None:
        names = [row.cells.get(column, "").strip() for column in ("list_name", "name")]
        for column, name in zip(("list_name", "name"), names, strict=True):
            if not name:
                raise row.placed(Refusal("bad_workbook.choice", column))
        choices = self._lists.setdefault(names[0], {})
        if names[1] in choices:
            raise row.placed(Refusal("bad_workbook.twice", "name", list=names[0], name=names[1]))
        label = texts.read(row, "label")
        if not label:
            raise row.placed(Refusal("bad_workbook.no_label", "label"))
        choices[names[1]] = Choice(names[1], label, texts.own_text(label), row, _is_anchored(row))

    def get(self, name: str, row: Row, column: str = "type") -> list[Choice]:
        if name not in self._lists:
            raise row.placed(Refusal("bad_workbook.no_list", column, list=name))
        choices = list(self._lists[name].values())
        if not choices:
            raise row.placed(Refusal("bad_workbook.empty_list", column, list=name))
        return choices


def _is_anchored(row: Row) -> bool:
    cell = row.cells.get("anchored", "").strip()
    if not is_switch(cell):
        raise row.placed(Refusal("bad_flag", "anchored"))
    return is_switched_on(cell)


class Questions:
    """Reads the rows in order, because a condition may only name an earlier question."""

    def __init__(self, lists: Lists, texts: Texts, note: Callable[[Row, Refusal], None]) -> None:
        self.lists = lists
        self.texts = texts
        self.note = note
        # Each earlier question with the labels of all its options; None if it could not be read.
        self._earlier: dict[str, ReadKind | None] = {}

    def read(self, row: Row) -> tuple[Question, dict[str, str]]:
        """Return the question, and the place of each of its fields."""
        id = question_id(row.cells.get("name", ""))
        self._earlier.setdefault(id, None)
        found, lists = self._kind(row)
        question: Question = {"id": id, "kind": found.kind, "prompt": self.texts.read(row, "label")}
        question |= found.fields
        for column in _own_columns():
            is_translatable = column in translatable_columns("survey")
            cell = row.cells.get(column, "").strip()
            question[column] = self.texts.read(row, column) if is_translatable else cell
        question["show_if"] = self._show_if(row) or ""
        if row.cells.get("required", "").strip().lower() in _NOT_REQUIRED:
            self.note(row, Refusal("no_effect.required", "required"))
        self._earlier[id] = replace(found, options={**found.options, **self._silence(question)})
        written = {name: value for name, value in question.items() if value != ""}
        return written, self._places(row, found, lists)

    def _kind(self, row: Row) -> tuple[ReadKind, list[list[Choice]]]:
        """Return the kind that the type describes, and the lists that it names."""
        type, *words = words_of(row.cells.get("type", ""))
        if type == "select_one" and CROSS_WITH in row.cells:
            type, words = Cross.name, [*words, row.cells[CROSS_WITH].strip()]
        if type in REFUSED:
            raise row.placed(REFUSED[type](type))
        if type not in SHEET_TYPES:
            raise row.placed(Refusal("unknown_type", "type", type=type, known=list(SHEET_TYPES)))
        if OR_OTHER in words:
            raise row.placed(Refusal("cannot_be_randomized.or_other", "type"))
        known = SHEET_TYPES[type]
        if len(words) != known.lists:
            wanted, got = known.lists, len(words)
            refusal = Refusal("bad_workbook.lists", "type", type=type, lists=wanted, got=got)
            raise row.placed(refusal)
        lists = [self.lists.get(name, row) for name in words]
        return known.read(row, lists), lists

    def _places(self, row: Row, found: ReadKind, lists: list[list[Choice]]) -> dict[str, str]:
        # Columns of other kinds have a place as well.
        places, waiting = {name: row.place(name) for name in _own_columns()}, list(lists)
        for name, field in KIND_DECLARATIONS[found.kind].fields.items():
            if field.form.name == "labels":
                places[name] = waiting.pop(0)[0].row.place("label")
            else:
                places[name] = row.place(found.columns.get(name, field.column or name))
        return places

    def _show_if(self, row: Row) -> Question | None:
        text = row.cells.get("relevant", "")
        if not text.strip():
            return None
        rule = read_relevant(text)
        if rule is None:
            raise row.placed(Refusal("bad_workbook.relevant", "relevant"))
        parts = [self._condition(row, term) for term in rule.terms]
        if None in parts:
            # That question's own fault has been reported.
            return None
        return parts[0] if len(parts) == 1 else {rule.joined: parts}

    def _condition(self, row: Row, term: Term) -> Question | None:
        name = question_id(term.question)
        if name not in self._earlier or name == question_id(row.cells.get("name", "")):
            raise row.placed(Refusal("bad_workbook.no_earlier", "relevant", name=term.question))
        earlier = self._earlier[name]
        if earlier is None:
            return None
        if "step" in earlier.fields or (term.bounds and "lo" in earlier.fields):
            try:
                return {"question": name, **_span(term, earlier)}
            except InvalidOperation:
                raise row.placed(Refusal("bad_workbook.relevant", "relevant")) from None
        for value in term.values:
            if value not in earlier.options:
                refusal = Refusal(
                    "bad_workbook.no_choice", "relevant", name=term.question, choice=value
                )
                raise row.placed(refusal)
        if term.bounds:
            raise row.placed(Refusal("bad_workbook.relevant", "relevant"))
        return {"question": name, "is": [earlier.options[value] for value in term.values]}

    def _silence(self, question: Question) -> dict[str, str]:
        """Return the labels of the options for silence in the workbook's own language."""
        usual = Fields({}, SURVEY, language=self.texts.own)
        found = {}
        for name in SILENCE:
            text = self.texts.own_text(question.get(name, ""))
            if is_switch(text) and text:
                on = is_switched_on(text) and usual.knows_usual_labels
                text = usual.usual_label(name, name) if on else ""
            if text:
                found[name] = text
        return found


def _span(term: Term, earlier: ReadKind) -> dict[str, str]:
    """Return the numbers between which a term holds, as a survey file has them."""
    lo, step = (Decimal(str(earlier.fields.get(name, "1"))) for name in ("lo", "step"))
    found: dict[str, str] = {}
    for sign, number in term.bounds or (("=", value) for value in term.values):
        level = (Decimal(number) - lo) / step
        if sign == ">":
            level = Decimal(floor(level) + 1)
        elif sign == "<":
            level = Decimal(ceil(level) - 1)
        wanted = decimal_text(lo + level * step)
        found |= {bound: wanted for bound, signs in _SIGNS.items() if sign in signs}
    return found
