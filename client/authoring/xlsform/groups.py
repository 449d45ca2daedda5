"""The sheet `groups`: one factor per row, whose levels are a list of choices.

Who sets the group stands in the column `groups_by` of the sheet `settings`.
"""

from collections.abc import Callable, Sequence
from typing import Any

from client.authoring.draft.faults import Path
from client.authoring.draft.fields import FACTOR
from client.authoring.xlsform.kinds import Cells
from client.authoring.xlsform.names import choice_names, question_id
from client.authoring.xlsform.question import Lists
from client.authoring.xlsform.sheets import Row
from client.authoring.xlsform.texts import Texts
from client.core.groups import Factor
from client.core.translation import LocalizedSurvey

BY = "groups_by"
LIST = "list_name"
_PATH: Path = ("groups", "factors")


def read_factor(row: Row, lists: Lists, texts: Texts) -> dict[str, Any]:
    """Return the factor in a row, as a draft has it."""
    choices = lists.get(row.cells.get(LIST, "").strip(), row, LIST)
    factor = {
        "id": question_id(row.cells.get("name", "")),
        "prompt": texts.read(row, "label"),
        "levels": [choice.label for choice in choices],
        "decline": texts.read(row, "decline"),
    }
    return {name: value for name, value in factor.items() if value != ""}


def places_of_factor(row: Row, index: int) -> dict[Path, str]:
    """Return the place of a factor, and of each of its fields."""
    columns = {name: field.column or name for name, field in FACTOR.items()} | {"levels": LIST}
    fields = {(*_PATH, index, name): row.place(column) for name, column in columns.items()}
    return {(*_PATH, index): row.place(), **fields}


# Writes a text once per language, and a list of labels under a free name.
WriteText = Callable[[str, Callable[[LocalizedSurvey], str]], Cells]
WriteList = Callable[[str, list[str], Sequence[tuple[str, ...]]], str]


def write_factors(
    localizations: Sequence[LocalizedSurvey], text: WriteText, list_of: WriteList
) -> list[Cells]:
    """Return a row for each factor; none if the survey has no groups."""
    own = localizations[0].groups
    count = len(own.factors) if own else 0
    return [_row(index, localizations, text, list_of) for index in range(count)]


def _row(
    index: int, localizations: Sequence[LocalizedSurvey], text: WriteText, list_of: WriteList
) -> Cells:
    versions = [factor_in(one, index) for one in localizations]
    levels = [factor.levels for factor in versions]
    own = versions[0]
    return {
        LIST: list_of(own.id, choice_names(own.levels), levels),
        "name": own.id,
        **text("label", lambda one: factor_in(one, index).prompt),
        **text("decline", lambda one: factor_in(one, index).decline),
    }


def factor_in(localized: LocalizedSurvey, index: int) -> Factor:
    """Return a factor in one language."""
    assert localized.groups is not None
    return localized.groups.factors[index]
