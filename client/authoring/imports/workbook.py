"""Read a workbook: ask what can be asked, and name every row and column that is left out.

Some reasons show only when the rest is read, so it is read again until nothing more has to go.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from client.authoring.draft.faults import question_of
from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import ReadDraft, read_draft
from client.authoring.imports.blocks import Walk, add_texts
from client.authoring.imports.headings import usual_headings
from client.authoring.imports.languages import Languages, fill_languages, settle_languages
from client.authoring.imports.losses import Losses
from client.authoring.imports.questions import (
    complete_question,
    list_with_other,
    with_other,
    with_silence,
)
from client.authoring.imports.settings import complete_settings
from client.authoring.xlsform.kinds import CROSS_WITH
from client.authoring.xlsform.reading import Reading, read_sheets_as_draft
from client.authoring.xlsform.sheets import Row, Sheet, Sheets, read_sheets
from client.authoring.xlsform.types import words_of
from client.core.primitives.refusal import Refusal
from client.core.survey import MAX_QUESTIONS

# In practice three; a chain of conditions on conditions takes one each.
MOST_PASSES = 12
# Cells without which a question can still be asked, with what is said about it.
_CLEARED: Mapping[str, Callable[[str], Refusal]] = {
    "relevant": lambda why: Refusal("changed.relevant", "relevant", why=why),
    "constraint": lambda why: Refusal("changed.constraint", "constraint", why=why),
    "parameters": lambda why: Refusal("changed.parameters", "parameters", why=why),
    "hint": lambda why: Refusal("changed.hint", "hint", why=why),
    "heading": lambda why: Refusal("changed.heading", "heading", why=why),
}
# The columns of fields that a form made elsewhere may have got wrong; all others are our own, and
# a fault there is for the author to correct.
_COLUMN = {
    "show_if": "relevant",
    "at_most": "constraint",
    "shuffle": "parameters",
    "anchored": "parameters",
    "hint": "hint",
    "heading": "heading",
}
_LEAVES_OUT = frozenset(["id", "prompt", "kind", "options", "rows", "columns", "lo", "hi", "step"])
_LEFT_OUT_COLUMNS = frozenset(["type", "name", "label", "list_name", ""])


def read_workbook(data: bytes, name: str) -> SurveyFile:
    """Read a workbook: its draft, what is left out, and everything that is wrong with it."""
    return _Import(read_sheets(data, name), name).read()


@dataclass
class _Import:
    sheets: Sheets
    name: str
    # What turned out not to be askable: rows by sheet and number, and cells.
    gone: dict[tuple[str, int], Refusal] = field(default_factory=dict)
    cleared: dict[tuple[str, int, str], Refusal] = field(default_factory=dict)

    def read(self) -> SurveyFile:
        for _ in range(MOST_PASSES):
            losses = Losses()
            sheets = self._usual(losses)
            reading = read_sheets_as_draft(sheets)
            faults = [fault for fault in reading.faults if not self._take_out(fault)]
            if len(faults) == len(reading.faults):
                read = read_draft(reading.draft)
                rest = [fault for fault in read.faults if not self._take_out_of(reading, fault)]
                if len(rest) == len(read.faults):
                    return self._file(reading, losses, faults, read)
        return self._file(reading, losses, faults)

    def _file(
        self,
        reading: Reading,
        losses: Losses,
        faults: list[Refusal],
        read: ReadDraft | None = None,
    ) -> SurveyFile:
        for row, refusal in [*self.sheets.unread]:
            losses.change(row, refusal)
        for row, refusal in reading.notes:
            losses.note(row, refusal)
        notes = []
        for other in self.sheets.others:
            note = Refusal("no_effect.sheet", other[:40])
            note.names = (f"sheet {other[:40]}",)
            notes.append(note)
        if "survey" not in self.sheets.found:
            faults = [Refusal("bad_workbook.no_survey", self.name), *faults]
        elif not reading.draft["questions"] and not faults:
            count = len(losses.left_out)
            faults = [Refusal("nothing_to_ask", self.name, rows=count)]
        return SurveyFile(
            reading.draft,
            reading.places,
            tuple(faults),
            (*notes, *losses.notes),
            losses.left_out,
            losses.changed,
            read,
        )

    def _usual(self, losses: Losses) -> dict[str, Sheet]:
        """Return the sheets as the reader wants them, without all that has been taken out."""
        found = {name: usual_headings(one, losses) for name, one in self.sheets.found.items()}
        found = {name: self._without(sheet, losses) for name, sheet in found.items()}
        languages, found = settle_languages(found, losses)
        gone = {number: why for (sheet, number), why in self.gone.items() if sheet == "survey"}
        walk = Walk(languages, losses, gone)
        walk.read(found["survey"].rows if "survey" in found else ())
        for row in walk.questions[MAX_QUESTIONS:]:
            losses.leave_out(row, Refusal("left_out.too_many", most=MAX_QUESTIONS))
        asked = [
            complete_question(row, languages, losses) for row in walk.questions[:MAX_QUESTIONS]
        ]
        asked = [self._conditional(row, languages, losses) for row in asked]
        groups = list(found["groups"].rows) if "groups" in found else []
        choices = _choices(found.get("choices"), asked, groups, languages, losses)
        settings = complete_settings(found.get("settings"), asked, self.name, languages, losses)
        settings = add_texts(settings, "intro", walk.intro, languages, losses, first=False)
        settings = add_texts(settings, "closing", walk.closing, languages, losses, first=False)
        sheets = {
            "survey": asked,
            "choices": choices,
            "settings": [settings],
            **({"groups": groups} if "groups" in found else {}),
        }
        return {name: _sheet(name, rows, languages, losses) for name, rows in sheets.items()}

    def _without(self, sheet: Sheet, losses: Losses) -> Sheet:
        """Return the sheet without cleared cells and, except for questions, without gone rows."""
        rows = []
        for row in sheet.rows:
            why = self.gone.get((row.sheet, row.number))
            if why is not None and row.sheet != "survey":
                losses.leave_out(row, why)
                continue
            for (name, number, column), refusal in self.cleared.items():
                if (name, number) == (row.sheet, row.number):
                    losses.change(row, refusal)
                    cells = {
                        heading: text
                        for heading, text in row.cells.items()
                        if heading.partition("::")[0] != column
                    }
                    row = replace(row, cells=cells)
            rows.append(row)
        return replace(sheet, rows=tuple(rows))

    def _conditional(self, row: Row, languages: Languages, losses: Losses) -> Row:
        """Let people say that a question does not apply, if it has a condition or has lost one."""
        if (row.sheet, row.number, "relevant") in self.cleared:
            # The condition of a group around the question is left out as well.
            cells = {name: text for name, text in row.cells.items() if name != "relevant"}
            return with_silence(replace(row, cells=cells), languages, losses)
        if row.cells.get("relevant", "").strip():
            return with_silence(row, languages, losses)
        return row

    def _take_out(self, fault: Refusal) -> bool:
        """Take out the row or the cell that a fault is in; return whether that is possible."""
        sheet, number, *rest = (*fault.path, "")
        column = str(rest[0]).partition("::")[0] if rest else ""
        if sheet not in ("survey", "choices") or not isinstance(number, int):
            return False
        if column in _CLEARED and sheet == "survey":
            return self._clear(number, column, fault)
        if column not in _LEFT_OUT_COLUMNS:
            return False
        return self._leave_out(str(sheet), number, column, fault)

    def _take_out_of(self, reading: Reading, fault: Refusal) -> bool:
        """Do the same with a fault of the draft."""
        index = question_of(fault.path)
        if index < 0 or index >= len(reading.rows):
            return False
        name = str(fault.path[2]) if len(fault.path) > 2 else ""
        row = reading.rows[index]
        if name in _COLUMN:
            return self._clear(row.number, _COLUMN[name], fault)
        if name not in _LEAVES_OUT:
            return False
        return self._leave_out(row.sheet, row.number, "", fault)

    def _clear(self, number: int, column: str, fault: Refusal) -> bool:
        key = ("survey", number, column)
        if key in self.cleared:
            return False
        self.cleared[key] = _CLEARED[column](fault.sentence())
        return True

    def _leave_out(self, sheet: str, number: int, column: str, fault: Refusal) -> bool:
        if (sheet, number) in self.gone:
            return False
        why = copy(fault)
        why.path, why.names = (column,) if column else (), ()
        self.gone[sheet, number] = why
        return True


def _choices(
    sheet: Sheet | None, asked: list[Row], groups: list[Row], languages: Languages, losses: Losses
) -> list[Row]:
    """Return the choices of the lists that are used, each with a label; name all other lists."""
    named = [word for row in asked for word in words_of(row.cells["type"])[1:]]
    named += [row.cells.get(CROSS_WITH, "").strip() for row in asked]
    named += [row.cells.get("list_name", "").strip() for row in groups]
    lists: dict[str, list[Row]] = {}
    for row in sheet.rows if sheet else ():
        name = row.cells.get("list_name", "").strip()
        if name and name not in named and list_with_other(name) not in named:
            losses.note(row, Refusal("no_effect.list"))
            continue
        own = row.cells.get("name", "").strip()
        if own and not languages.texts(row, "label"):
            losses.change(row, Refusal("changed.choice_label", "label"))
            row = languages.with_texts(row, "label", {languages.own: own})
        lists.setdefault(name, []).append(row)
    wider = [
        row
        for name, rows in lists.items()
        if list_with_other(name) in named
        for row in with_other(rows, languages)
    ]
    return [
        *(row for name, rows in lists.items() if name in named or not name for row in rows),
        *wider,
    ]


def _sheet(name: str, rows: list[Row], languages: Languages, losses: Losses) -> Sheet:
    filled = [fill_languages(row, languages, losses) for row in rows]
    headings = dict.fromkeys(heading for row in filled for heading in row.cells)
    return Sheet(name, tuple(headings), tuple(filled))
