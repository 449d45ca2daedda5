"""What an import leaves out or changes, each with its place in the workbook and the reason."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field

from client.authoring.xlsform.sheets import Row
from client.core.primitives.refusal import Refusal

# A place names no more rows than this; the others are counted.
MOST_ROWS = 12
_ORDER = ("settings", "survey", "choices", "groups")


@dataclass
class Losses:
    """Rows that are left out, cells that are changed, and what has no effect anyway."""

    rows: dict[tuple[str, int], Refusal] = field(default_factory=dict)
    _changed: list[tuple[Row, Refusal]] = field(default_factory=list)
    _notes: list[tuple[Row, Refusal]] = field(default_factory=list)

    def leave_out(self, row: Row, refusal: Refusal) -> None:
        """Name a row that is not asked; the first reason counts."""
        self.rows.setdefault((row.sheet, row.number), row.placed(copy(refusal)))

    def change(self, row: Row, refusal: Refusal) -> None:
        """Name a cell that is read in another way than it was meant, or not at all."""
        self._changed.append((row, refusal))

    def note(self, row: Row, refusal: Refusal) -> None:
        """Name what is passed over because it neither asks nor tells people anything."""
        self._notes.append((row, refusal))

    @property
    def left_out(self) -> tuple[Refusal, ...]:
        return tuple(_sorted(self.rows.values()))

    @property
    def changed(self) -> tuple[Refusal, ...]:
        """Return the changes to rows that are still asked."""
        return tuple(_grouped(item for item in self._changed if not self._is_gone(item[0])))

    @property
    def notes(self) -> tuple[Refusal, ...]:
        return tuple(_grouped(item for item in self._notes if not self._is_gone(item[0])))

    def _is_gone(self, row: Row) -> bool:
        return (row.sheet, row.number) in self.rows


def _grouped(items: Iterable[tuple[Row, Refusal]]) -> list[Refusal]:
    """Return each reason once, with all the rows that it is true of."""
    found: dict[tuple[str, str], tuple[Refusal, list[Row]]] = {}
    for row, refusal in items:
        column = str(refusal.path[0]) if refusal.path else ""
        key = (row.sheet, f"{column}\n{refusal.sentence()}")
        rows = found.setdefault(key, (copy(refusal), []))[1]
        if row.number not in [known.number for known in rows[-1:]]:
            rows.append(row)
    for refusal, rows in found.values():
        column = str(refusal.path[0]) if refusal.path else ""
        rows[0].placed(refusal)
        refusal.names = (_place(rows, column),)
    return _sorted(refusal for refusal, _ in found.values())


def _place(rows: list[Row], column: str) -> str:
    numbers = sorted({row.number for row in rows})
    shown = [str(number) for number in numbers[:MOST_ROWS]]
    more = len(numbers) - len(shown)
    listed = ", ".join(shown) + (f" and {more} more" if more else "")
    where = f"{rows[0].sheet}, row{'s' if len(numbers) > 1 else ''} {listed}"
    return f"{where}, column {column}" if column else where


def _sorted(refusals: Iterable[Refusal]) -> list[Refusal]:
    """Sort by sheet and row."""
    return sorted(refusals, key=lambda one: (_ORDER.index(str(one.path[0])), int(one.path[1])))
