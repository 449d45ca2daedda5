"""What a panel asks for, as cells of the settings sheet."""

from typing import Any

from client.authoring.draft.completion import completion_draft, group_lines, read_group_lines
from client.authoring.draft.fields import COMPLETION_FIELDS
from client.authoring.xlsform.kinds import Cells
from client.authoring.xlsform.sheets import Row
from client.core.survey import Survey

_FIELD = "completion"
COLUMNS = {name: f"{_FIELD}_{name}" for name in COMPLETION_FIELDS}


def read_completion_cells(row: Row) -> dict[str, Any]:
    """Return what the cells say, as in a survey file; empty cells are left out."""
    cells = {name: row.cells.get(column, "").strip() for name, column in COLUMNS.items()}
    given: dict[str, Any] = {name: text for name, text in cells.items() if text}
    if "pass_on" in given:
        given["pass_on"] = given["pass_on"].replace(",", " ").split()
    if "by_group" in given:
        given["by_group"] = read_group_lines(given["by_group"])
    return given


def completion_cells(survey: Survey) -> Cells:
    """Return the cells of a survey's code and link; those of groups are lines in one cell."""
    draft = completion_draft(survey.completion, survey.groups)
    lines = group_lines(draft.get("by_group", {}))
    parts = {**draft, "pass_on": " ".join(survey.completion.pass_on), "by_group": lines}
    return {COLUMNS[name]: text for name, text in parts.items() if text}
