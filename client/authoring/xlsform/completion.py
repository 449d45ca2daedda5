"""What a panel asks for, as cells of the settings sheet."""

from typing import Any

from client.authoring.draft.fields import COMPLETION_FIELDS
from client.authoring.xlsform.kinds import Cells
from client.authoring.xlsform.sheets import Row
from client.core.completion import Completion

_FIELD = "completion"
COLUMNS = {name: f"{_FIELD}_{name}" for name in COMPLETION_FIELDS}


def read_completion_cells(row: Row) -> dict[str, Any]:
    """Return what the cells say, as in a survey file; empty cells are left out."""
    cells = {name: row.cells.get(column, "").strip() for name, column in COLUMNS.items()}
    given: dict[str, Any] = {name: text for name, text in cells.items() if text}
    if "pass_on" in given:
        given["pass_on"] = given["pass_on"].replace(",", " ").split()
    return given


def completion_cells(completion: Completion) -> Cells:
    """Return the cells of a survey's code and link."""
    parts = {**completion.as_json(), "pass_on": " ".join(completion.pass_on)}
    return {COLUMNS[name]: text for name, text in parts.items() if text}
