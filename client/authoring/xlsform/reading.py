"""Turn the sheets of an XLSForm into a draft, with a place for each part of it.

Every fault is collected with its sheet, row and column, so that all can be shown at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from client.authoring.draft.faults import Path
from client.authoring.draft.fields import SURVEY
from client.authoring.xlsform.columns import (
    base_of,
    fields_by_column,
    translatable_columns,
)
from client.authoring.xlsform.completion import COLUMNS, read_completion_cells
from client.authoring.xlsform.groups import BY, places_of_factor, read_factor
from client.authoring.xlsform.question import Lists, Questions
from client.authoring.xlsform.sheets import Row, Sheet
from client.authoring.xlsform.texts import Texts, language_code
from client.core.primitives.refusal import Refusal
from client.core.translation import DEFAULT


def read_sheets_as_draft(sheets: dict[str, Sheet]) -> "Reading":
    """Read sheets whose columns have their usual names: a draft, and everything that is wrong."""
    reading = Reading(sheets)
    reading.read()
    return reading


class Reading:
    """The draft that sheets describe, with the place of each part."""

    def __init__(self, sheets: dict[str, Sheet]) -> None:
        self.sheets = sheets
        self.draft: dict[str, Any] = {}
        # The row of each question of the draft.
        self.rows: list[Row] = []
        self.places: dict[Path, str] = {(): "settings"}
        self.faults: list[Refusal] = []
        self.notes: list[tuple[Row, Refusal]] = []

    def read(self) -> None:
        settings = self._settings_row()
        texts = self._texts(settings)
        self._read_settings(settings, texts)
        lists = Lists()
        for row in self._rows("choices"):
            with self._noting():
                lists.add(row, texts)
        self._read_groups(settings, lists, texts)
        questions = Questions(lists, texts, lambda *note: self.notes.append(note))
        self.draft["questions"] = []
        for row in self._rows("survey"):
            with self._noting():
                self._add(row, *questions.read(row))

    def _read_groups(self, settings: Row, lists: Lists, texts: Texts) -> None:
        rows, by = self._rows("groups"), settings.cells.get(BY, "").strip()
        if not rows and not by:
            return
        factors = []
        for index, row in enumerate(rows):
            with self._noting():
                factors.append(read_factor(row, lists, texts))
                self.places |= places_of_factor(row, index)
        self.places[("groups",)] = self.places[("groups", "factors")] = "groups"
        self.places[("groups", "by")] = settings.place(BY)
        # With fewer factors than rows, more would seem to be wrong than is.
        if len(factors) == len(rows):
            self.draft["groups"] = {**({"by": by} if by else {}), "factors": factors}

    def _add(self, row: Row, question: dict[str, Any], columns: dict[str, str]) -> None:
        path: Path = ("questions", len(self.draft["questions"]))
        self.draft["questions"].append(question)
        self.rows.append(row)
        self.places[path] = row.place()
        for field, place in columns.items():
            self.places[(*path, field)] = place

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except Refusal as refusal:
            self.faults.append(refusal)

    def _rows(self, sheet: str) -> tuple[Row, ...]:
        return self.sheets[sheet].rows if sheet in self.sheets else ()

    def _settings_row(self) -> Row:
        rows = self._rows("settings")
        return rows[0] if rows else Row("settings", 2, {})

    def _texts(self, settings: Row) -> Texts:
        """Find the languages, and which of them columns without a language are in."""
        named = [
            code
            for sheet in self.sheets.values()
            for heading in sheet.headings
            if base_of(heading) in translatable_columns(sheet.name)
            and "::" in heading
            and (code := language_code(heading.partition("::")[2])) is not None
        ]
        headings = {heading for sheet in self.sheets.values() for heading in sheet.headings}
        plain = "label" in headings or not named
        wanted = settings.cells.get("default_language", "")
        own = language_code(wanted) if wanted and wanted.lower() != "default" else None
        own = own or (DEFAULT if plain else named[0])
        return Texts(own, tuple(dict.fromkeys([own, *named])))

    def _read_settings(self, row: Row, texts: Texts) -> None:
        for column, name, field in fields_by_column(SURVEY):
            with self._noting():
                is_translatable = field.form.is_translatable
                cell = row.cells.get(column, "").strip()
                value = texts.read(row, column) if is_translatable else cell
                if value:
                    self.draft[name] = value
                self.places[(name,)] = row.place(column)
        completion = read_completion_cells(row)
        if completion:
            self.draft["completion"] = completion
        self.places |= {("completion", name): row.place(COLUMNS[name]) for name in COLUMNS}
        if texts.own != DEFAULT or "language" in self.draft:
            self.draft["language"] = texts.own
        if "slug" in self.draft:
            # Form ids often have underscores; links have hyphens.
            self.draft["slug"] = self.draft["slug"].lower().replace("_", "-").replace(" ", "-")
