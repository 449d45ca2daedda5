"""Groups, repeats and notes around the questions: their texts become headings and hints."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from client.authoring.imports.languages import Languages
from client.authoring.imports.losses import Losses
from client.authoring.xlsform.sheets import Row
from client.authoring.xlsform.types import REFUSED, words_of
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import MAX_TEXT

# Types that ask nothing and tell nothing: the device or a formula fills them in.
PASSED_OVER = frozenset(
    """start end today deviceid phonenumber phone_number username email subscriberid simserial
    audit imei calculate calculate_here hidden start-geopoint background-audio background-geopoint
    xml-external csv-external uri:deviceid""".split()
)
_ABOUT_ROWS = frozenset(["disabled", "read_only", "readonly", "calculation", "calculate"])
_YES = ("yes", "true", "true()", "1")
_BREAK = {"heading": " – ", "hint": "\n", "intro": "\n\n", "closing": "\n\n"}


@dataclass
class _Block:
    """A group or a repeat that is open."""

    row: Row
    is_repeat: bool
    # Whether a question stands under its heading.
    is_used: bool = False


@dataclass
class Walk:
    """One pass over the rows of the sheet `survey`."""

    languages: Languages
    losses: Losses
    # The rows that turned out not to be askable.
    gone: Mapping[int, Refusal]
    questions: list[Row] = field(default_factory=list)
    # Notes before the first question, and after the last.
    intro: list[Row] = field(default_factory=list)
    closing: list[Row] = field(default_factory=list)
    _open: list[_Block] = field(default_factory=list)
    _waiting: list[Row] = field(default_factory=list)

    def read(self, rows: tuple[Row, ...]) -> None:
        for row in rows:
            self._read(row)
        self.closing, self._waiting = self._waiting, []
        while self._open:
            self._close()

    def _read(self, row: Row) -> None:
        type = words_of(row.cells.get("type", ""))[0]
        if _is_yes(row, "disabled"):
            self.losses.note(row, Refusal("no_effect.disabled", "disabled"))
        elif not type and not {"name", "label"} & {cell.partition("::")[0] for cell in row.cells}:
            self.losses.note(row, Refusal("no_effect.comment"))
        elif not type:
            self.losses.leave_out(row, Refusal("left_out.no_type", "type"))
        elif type in ("begin_group", "begin_repeat"):
            self._open.append(_Block(row, type == "begin_repeat"))
        elif type in ("end_group", "end_repeat"):
            self._close()
        elif type == "note":
            self._note(row)
        elif type in PASSED_OVER:
            self.losses.note(row, Refusal("no_effect.type", "type", type=type))
        elif row.number in self.gone:
            self.losses.leave_out(row, self.gone[row.number])
        elif any(_is_yes(row, column) for column in ("read_only", "readonly")):
            self.losses.leave_out(row, Refusal("refused_column.read_only", "read_only"))
        elif type in REFUSED:
            self.losses.leave_out(row, REFUSED[type](type))
        else:
            self._ask(row)

    def _close(self) -> None:
        if not self._open:
            return
        block = self._open.pop()
        # The notes of a group belong to its questions.
        for note in self._waiting if self._is_conditional(block) else ():
            self.losses.leave_out(note, Refusal("left_out.note_alone"))
        self._waiting = [] if self._is_conditional(block) else self._waiting
        if not block.is_used and self.languages.texts(block.row, "label"):
            self.losses.leave_out(block.row, Refusal("left_out.group"))

    def _is_conditional(self, block: _Block) -> bool:
        return bool(block.row.cells.get("relevant", "").strip())

    def _note(self, row: Row) -> None:
        texts = self.languages.texts(row, "label")
        if not texts:
            self.losses.note(row, Refusal("no_effect.comment"))
        elif row.cells.get("relevant", "").strip():
            self.losses.leave_out(row, Refusal("left_out.note_if"))
        elif any("${" in text for text in texts.values()):
            self.losses.leave_out(row, Refusal("left_out.note_answer"))
        elif self.questions or any(map(self._is_conditional, self._open)):
            self._waiting.append(row)
        else:
            self.intro.append(row)

    def _ask(self, row: Row) -> None:
        for block in self._open:
            if block.is_repeat:
                self.losses.change(block.row, Refusal("changed.repeat"))
            if not block.is_used and self.languages.texts(block.row, "label"):
                row = self._with(row, "heading", [block.row])
            block.is_used = True
        rules = [block.row.cells.get("relevant", "").strip() for block in self._open]
        rules = [rule for rule in (*rules, row.cells.get("relevant", "").strip()) if rule]
        if len(rules) > 1:
            row = replace(row, cells={**row.cells, "relevant": _joined(rules)})
        elif rules:
            row = replace(row, cells={**row.cells, "relevant": rules[0]})
        row = self._with(row, "hint", self._waiting)
        self._waiting = []
        self.questions.append(self._bare(row))

    def _bare(self, row: Row) -> Row:
        """Return the row without the columns that say what to do with it."""
        for column in ("calculation", "calculate"):
            if column in row.cells:
                self.losses.change(row, Refusal("refused_column.calculation", column))
        cells = {name: text for name, text in row.cells.items() if name not in _ABOUT_ROWS}
        return replace(row, cells=cells)

    def _with(self, row: Row, base: str, others: list[Row]) -> Row:
        """Write the labels of other rows before a text of this row, if there is room."""
        return add_texts(row, base, others, self.languages, self.losses)


def add_texts(
    row: Row, base: str, others: list[Row], languages: Languages, losses: Losses, first: bool = True
) -> Row:
    """Join the labels of other rows to a text of this row; name those that do not fit."""
    for other in reversed(others) if first else others:
        texts, own = languages.texts(other, "label"), languages.texts(row, base)
        joined = {}
        for code in languages.codes if own else texts:
            parts = [_text(texts, code, languages), _text(own, code, languages)]
            joined[code] = _BREAK[base].join(filter(None, parts if first else parts[::-1]))
        if all(len(text) <= MAX_TEXT for text in joined.values()):
            row = languages.with_texts(row, base, joined)
        else:
            losses.leave_out(other, Refusal("left_out.too_long", most=MAX_TEXT))
    return row


def _text(texts: Mapping[str, str], code: str, languages: Languages) -> str:
    return texts.get(code) or texts.get(languages.own) or next(iter(texts.values()), "")


def _is_yes(row: Row, column: str) -> bool:
    return row.cells.get(column, "").strip().lower() in _YES


def _joined(rules: list[str]) -> str:
    return " and ".join(f"({rule})" for rule in rules)
