"""The headings of a workbook under their usual names; what other columns hold is named."""

from collections.abc import Mapping
from dataclasses import replace

from client.authoring.imports.losses import Losses
from client.authoring.xlsform.columns import (
    IGNORED,
    REFUSED,
    base_of,
    known_as,
    known_columns,
    translatable_columns,
)
from client.authoring.xlsform.sheets import Row, Sheet
from client.authoring.xlsform.texts import language_code, language_name
from client.core.primitives.refusal import Refusal

# Columns that say what to do with a row, which rows.py reads.
_READ_WITH_ROWS = frozenset(["disabled", "read_only", "readonly", "calculation", "calculate"])
# Columns of the standard that neither ask nor tell people anything.
_WITHOUT_MEANING = ("sms_", "compact_", "$", "save_to", "entity_", "auto_", "autoplay")


def usual_headings(sheet: Sheet, losses: Losses) -> Sheet:
    """Return the sheet with each column under its usual name, without columns of no meaning."""
    names: dict[str, str] = {}
    for heading in sheet.headings:
        wanted = known_as(heading)
        names[heading] = heading if wanted in sheet.headings else wanted
    if len(set(names.values())) < len(names):
        # Two aliases of one column: both keep their own name, and are named as unknown.
        names = {heading: heading for heading in names}
    names = _usual_languages(sheet.name, names)
    rows = [
        replace(row, cells={names[heading]: text for heading, text in row.cells.items()})
        for row in sheet.rows
    ]
    kept = [heading for heading in names.values() if _is_read(sheet.name, heading)]
    for row in rows:
        for heading in row.cells:
            if heading not in kept:
                _name_column(row, heading, losses)
    return Sheet(sheet.name, tuple(kept), tuple(_only(row, kept) for row in rows))


def _usual_languages(sheet: str, names: Mapping[str, str]) -> dict[str, str]:
    """Write known languages with their codes, so that `label::German` and `label::de` meet."""
    usual = {}
    for heading, name in names.items():
        base, _, language = name.partition("::")
        code = language_code(language) if language else None
        named = f"{base}::{language_name(code)}" if code else name
        usual[heading] = named if base in translatable_columns(sheet) else name
    return usual if len(set(usual.values())) == len(usual) else dict(names)


def _is_read(sheet: str, heading: str) -> bool:
    base, _, language = heading.partition("::")
    if sheet == "survey" and base in _READ_WITH_ROWS:
        return True
    return base in known_columns(sheet) and (not language or base in translatable_columns(sheet))


def _name_column(row: Row, heading: str, losses: Losses) -> None:
    base = base_of(heading)
    if base in IGNORED:
        losses.note(row, IGNORED[base](heading))
    elif base in REFUSED:
        losses.change(row, REFUSED[base](heading))
    elif base.startswith(_WITHOUT_MEANING):
        losses.note(row, Refusal("no_effect.column", heading))
    else:
        losses.change(row, Refusal("changed.unknown_column", heading))


def _only(row: Row, headings: list[str]) -> Row:
    return replace(row, cells={name: text for name, text in row.cells.items() if name in headings})
