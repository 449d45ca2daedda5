"""The languages of a workbook: one heading per language, and a text in each of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from client.authoring.draft.fields import is_switch
from client.authoring.imports.losses import Losses
from client.authoring.xlsform.columns import base_of, translatable_columns
from client.authoring.xlsform.names import SILENCE
from client.authoring.xlsform.sheets import Row, Sheet
from client.authoring.xlsform.texts import language_code, language_name
from client.core.primitives.refusal import Refusal
from client.core.translation import DEFAULT

Sheets = dict[str, Sheet]
_SETTING = "default_language"


@dataclass(frozen=True)
class Languages:
    """The codes of all languages, that of the survey's own texts first."""

    codes: Sequence[str]

    @property
    def own(self) -> str:
        return self.codes[0]

    def heading(self, base: str, code: str | None = None) -> str:
        """Return the heading of a text: plain if there is one language, or else with its name."""
        alone = len(self.codes) == 1
        return base if alone else f"{base}::{language_name(code or self.own)}"

    def texts(self, row: Row, base: str) -> dict[str, str]:
        """Return what a row says, by language; empty cells are left out."""
        found = {code: row.cells.get(self.heading(base, code), "").strip() for code in self.codes}
        return {code: text for code, text in found.items() if text}

    def with_texts(self, row: Row, base: str, texts: dict[str, str]) -> Row:
        given = {self.heading(base, code): text for code, text in texts.items()}
        return replace(row, cells={**row.cells, **given})


def settle_languages(sheets: Sheets, losses: Losses) -> tuple[Languages, Sheets]:
    """Find the languages that the questions are in; drop and name columns in any other."""
    labels = [
        heading
        for heading in _headings(sheets, ["survey"])
        if base_of(heading) == "label" and _is_used(sheets["survey"], heading)
    ]
    named = [heading.partition("::")[2] for heading in labels if "::" in heading]
    known = [code for name in named if (code := language_code(name))]
    wanted = _wanted(sheets)
    plain = "label" in labels or not labels
    own = wanted if plain or wanted in known else None
    own = own or (DEFAULT if plain or not known else known[0])
    # A form whose languages are all unknown has one: that of its first texts.
    stands_for_own = named[0] if named and not known and not plain else ""
    languages = Languages(tuple(dict.fromkeys([own, *known])))
    settled = {
        name: _settled(sheet, languages, stands_for_own, losses) for name, sheet in sheets.items()
    }
    return languages, settled


def _wanted(sheets: Sheets) -> str | None:
    rows = sheets["settings"].rows if "settings" in sheets else ()
    return language_code(rows[0].cells.get(_SETTING, "")) if rows else None


def _settled(sheet: Sheet, languages: Languages, alias: str, losses: Losses) -> Sheet:
    rows = tuple(_settled_row(row, languages, alias, losses) for row in sheet.rows)
    headings = tuple(dict.fromkeys(heading for row in rows for heading in row.cells))
    return Sheet(sheet.name, headings, rows)


def _settled_row(row: Row, languages: Languages, alias: str, losses: Losses) -> Row:
    cells: dict[str, str] = {}
    # Named languages come first: beside them, a text in no language is one too many.
    for heading, text in sorted(row.cells.items(), key=lambda item: "::" not in item[0]):
        base, _, name = heading.partition("::")
        if base not in translatable_columns(row.sheet):
            cells[heading] = text
            continue
        code = languages.own if name in ("", alias) else language_code(name)
        if code not in languages.codes:
            losses.change(row, Refusal("changed.language", heading, language=name))
        elif languages.heading(base, code) in cells:
            if cells[languages.heading(base, code)] != text:
                losses.change(row, Refusal("changed.text_twice", heading))
        else:
            cells[languages.heading(base, code)] = text
    return replace(row, cells=cells)


def fill_languages(row: Row, languages: Languages, losses: Losses) -> Row:
    """Give a row's texts in every language: where one is missing, the survey's own is used."""
    for base in sorted(translatable_columns(row.sheet)):
        texts = languages.texts(row, base)
        # `decline: true` is the same in every language; a choice called No is a text.
        is_set = base in SILENCE and all(is_switch(text) for text in texts.values())
        if not texts or is_set:
            continue
        usual = texts.get(languages.own) or next(iter(texts.values()))
        missing = [code for code in languages.codes if code not in texts]
        for code in missing:
            heading = languages.heading(base, code)
            losses.change(row, Refusal("changed.missing_text", heading))
        if missing:
            row = languages.with_texts(
                row, base, {code: texts.get(code, usual) for code in languages.codes}
            )
    return row


def _headings(sheets: Sheets, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if name in sheets:
            yield from sheets[name].headings


def _is_used(sheet: Sheet, heading: str) -> bool:
    return any(row.cells.get(heading, "").strip() for row in sheet.rows)
