"""How each kind is written in a workbook and read from it: type, lists of choices, bounds.

`SHEET_KINDS` has the writer of each kind, `SHEET_TYPES` the reader of each type; one kind may be
written as several types. Fields with their own column need nothing here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from client.authoring.draft.fields import is_switch, is_switched_on
from client.authoring.draft.reader import INTEGER
from client.authoring.xlsform.expressions import (
    read_bounds,
    read_count,
    read_parameters,
    write_bounds,
    write_count,
)
from client.authoring.xlsform.names import YES_NO, choice_names, is_yes_no, pair_names
from client.authoring.xlsform.sheets import Row
from client.core.kinds import DISTRIBUTION, AnyOf, Cross, Number, OneOf, Scale, YesNo
from client.core.kinds.ordinal import MAX_SCALE
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import PLAIN, decimal_text

Cells = dict[str, str]
# XLSForm's own way to say that the choices are shown in random order.
RANDOMIZE = "randomize=true"
# Our own column: the list of the second of two questions that are asked as one.
CROSS_WITH = "cross_with"
# Writes the choices in a field of the kind as a list, and returns the list's name.
WriteList = Callable[[str], str]


@dataclass(frozen=True)
class SheetKind:
    """How a kind is written: the cells outside its own columns, and names for its options."""

    write: Callable[[Any, WriteList], Cells]
    option_names: Callable[[Any], Sequence[str]] = lambda kind: choice_names(kind.own_labels)
    # Yes/no questions share one list, which has fixed names.
    is_yes_no: bool = False


def _write_choice(kind: OneOf, write_list: WriteList) -> Cells:
    return {"type": f"select_one {write_list('options')}"}


def _write_boxes(kind: AnyOf, write_list: WriteList) -> Cells:
    limit = write_count(str(kind.at_most)) if kind.at_most else ""
    return {"type": f"select_multiple {write_list('options')}", "constraint": limit}


def _write_scale(kind: Scale, write_list: WriteList) -> Cells:
    return {"type": "range", "parameters": f"start={kind.lo} end={kind.hi} step=1"}


def _write_number(kind: Number, write_list: WriteList) -> Cells:
    lo, hi, step = (decimal_text(value) for value in (kind.lo, kind.hi, kind.step))
    whole = "." not in lo + hi + step
    return {
        "type": "integer" if whole else "decimal",
        "constraint": write_bounds(lo, hi),
        "parameters": "" if whole and step == "1" else f"step={step}",
    }


def _write_cross(kind: Cross, write_list: WriteList) -> Cells:
    return {"type": f"select_one {write_list('rows')}", CROSS_WITH: write_list("columns")}


def _pairs(kind: Cross) -> list[str]:
    return pair_names(choice_names(kind.rows), choice_names(kind.columns))


SHEET_KINDS: dict[str, SheetKind] = {
    YesNo.name: SheetKind(_write_choice, lambda kind: YES_NO[0], is_yes_no=True),
    OneOf.name: SheetKind(_write_choice),
    AnyOf.name: SheetKind(_write_boxes),
    Scale.name: SheetKind(_write_scale, lambda kind: kind.own_labels),
    Number.name: SheetKind(_write_number),
    Cross.name: SheetKind(_write_cross, _pairs),
}


@dataclass(frozen=True)
class Choice:
    """One row of the sheet `choices`, with its label in the workbook's own language."""

    name: str
    label: Any
    own_label: str
    row: Row
    # Whether it stays in its place where the list is shown in random order.
    is_anchored: bool = False


Lists = Sequence[Sequence[Choice]]


@dataclass(frozen=True)
class ReadKind:
    """The kind that a row describes, its fields, and the labels of its options by name."""

    kind: str
    fields: dict[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)
    # The columns of fields that are not in their usual column.
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SheetType:
    """How a row of one type is read."""

    lists: int
    read: Callable[[Row, Lists], ReadKind]


def _labels(choices: Sequence[Choice]) -> dict[str, str]:
    return {choice.name: choice.own_label for choice in choices}


def _read_choice(row: Row, lists: Lists) -> ReadKind:
    _check_empty(row, "constraint")
    (choices,) = lists
    if not is_yes_no(choice.name for choice in choices):
        fields = {"options": [item.label for item in choices], **_read_order(row, choices)}
        return ReadKind(OneOf.name, fields, _labels(choices))
    first = {pair[0] for pair in YES_NO}
    ordered = sorted(choices, key=lambda choice: choice.name.lower() not in first)
    fields = {"options": [item.label for item in ordered], **_read_order(row)}
    return ReadKind(YesNo.name, fields, _labels(ordered))


def _read_boxes(row: Row, lists: Lists) -> ReadKind:
    (choices,) = lists
    options = [choice.label for choice in choices]
    fields: dict[str, Any] = {"options": options, **_read_order(row, choices)}
    text = row.cells.get("constraint", "")
    if text.strip():
        count = read_count(text)
        if count is None:
            raise row.placed(Refusal("bad_workbook.count", "constraint"))
        fields["at_most"] = count
    return ReadKind(AnyOf.name, fields, _labels(choices))


def _read_cross(row: Row, lists: Lists) -> ReadKind:
    _check_empty(row, "constraint")
    rows, columns = (_labels(choices) for choices in lists)
    names = pair_names(list(rows), list(columns))
    labels = [f"{one} / {other}" for one in rows.values() for other in columns.values()]
    sides = ("rows", "columns")
    fields = {
        side: [choice.label for choice in choices]
        for side, choices in zip(sides, lists, strict=True)
    }
    return ReadKind(
        Cross.name, {**fields, **_read_order(row)}, dict(zip(names, labels, strict=True))
    )


def _read_order(row: Row, choices: Sequence[Choice] = ()) -> dict[str, Any]:
    """Read whether a list is shown in random order, and which of its options stay in place."""
    shape = read_parameters(row.cells.get("parameters", ""))
    value = shape.pop("randomize", "") if shape is not None else None
    if shape or not is_switch(value):
        raise row.placed(Refusal("bad_workbook.randomize", "parameters"))
    if not is_switched_on(value):
        return {}
    anchored = [choice.own_label for choice in choices if choice.is_anchored]
    return {"shuffle": "true", **({"anchored": anchored} if anchored else {})}


def _read_range(row: Row, lists: Lists) -> ReadKind:
    """Read whole levels as a scale, and anything finer or wider as a number."""
    shape = read_parameters(row.cells.get("parameters", ""))
    if shape is None or not set(shape) <= {"start", "end", "step"}:
        raise row.placed(Refusal("bad_workbook.range", "parameters"))
    _check_empty(row, "constraint")
    lo, hi, step = shape.get("start", "1"), shape.get("end", "10"), shape.get("step", "1")
    for value in (lo, hi, step):
        if not PLAIN.fullmatch(value):
            raise row.placed(Refusal("bad_workbook.decimals", "parameters", value=value))
    whole = all(INTEGER.fullmatch(value) for value in (lo, hi)) and step == "1"
    is_scale = (
        whole
        and 0 < int(hi) - int(lo) < MAX_SCALE
        and row.cells.get("goal", "").strip() != DISTRIBUTION
        and "unit" not in row.cells
    )
    if not is_scale:
        at = {"lo": "parameters", "hi": "parameters"}
        return ReadKind(Number.name, {"lo": lo, "hi": hi, "step": step}, columns=at)
    levels = [str(level) for level in range(int(lo), int(hi) + 1)]
    return ReadKind(Scale.name, {"lo": lo, "hi": hi}, dict(zip(levels, levels, strict=True)))


def _read_whole(row: Row, lists: Lists) -> ReadKind:
    return _read_number(row, "integer")


def _read_decimal(row: Row, lists: Lists) -> ReadKind:
    return _read_number(row, "decimal")


def _read_number(row: Row, type: str) -> ReadKind:
    shape = read_parameters(row.cells.get("parameters", ""))
    if shape is None or not set(shape) <= {"step"}:
        raise row.placed(Refusal("bad_workbook.step", "parameters", type=type))
    bounds = read_bounds(row.cells.get("constraint", ""), whole=type == "integer")
    if bounds is None:
        raise row.placed(Refusal("bad_workbook.bounds", "constraint"))
    if type == "decimal" and "step" not in shape:
        raise row.placed(Refusal("bad_workbook.no_step", "parameters"))
    return ReadKind(Number.name, {"lo": bounds[0], "hi": bounds[1], **shape})


def _check_empty(row: Row, *columns: str) -> None:
    for column in columns:
        if column in row.cells:
            raise row.placed(Refusal("bad_workbook.not_empty", column))


SHEET_TYPES: dict[str, SheetType] = {
    "select_one": SheetType(1, _read_choice),
    "select_multiple": SheetType(1, _read_boxes),
    "range": SheetType(0, _read_range),
    "integer": SheetType(0, _read_whole),
    "decimal": SheetType(0, _read_decimal),
    "cross": SheetType(2, _read_cross),
}
