"""The group of a report in a table: a column per factor with the level's label, and the whole.

Labels are those of the survey's own language. In a row of a survey without groups there is nothing
of this, and the cells are empty if a group is not told apart.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from client.console.files import escape_formula
from client.core.groups import RESERVED_ID, Groups
from client.core.primitives.refusal import require
from client.core.survey import Survey

# The column with the labels of all factors, joined.
GROUP = RESERVED_ID


def group_columns(survey: Survey) -> list[str]:
    """Return the columns that tell the group; none if the survey declares no groups."""
    groups = survey.groups
    return [*(factor.id for factor in groups.factors), GROUP] if groups else []


def declared_labels(groups: Groups) -> dict[str, list[str]]:
    """Return the labels of each factor, and those of the groups, in their order."""
    factors = {factor.id: list(factor.labels) for factor in groups.factors}
    return {**factors, GROUP: [groups.label(code) for code in groups.codes]}


@lru_cache(256)
def group_cells(groups: Groups | None, code: str) -> tuple[str, ...]:
    """Return the labels of a group, as they stand in these columns; empty ones for no group."""
    if groups is None or not code:
        return ("",) * (len(groups.factors) + 1 if groups else 0)
    levels = zip(groups.factors, groups.levels_of(code), strict=True)
    return (*(factor.labels[level] for factor, level in levels), groups.label(code))


def escaped_cells(groups: Groups | None, code: str) -> list[str]:
    """Return these labels so that no spreadsheet runs one of them."""
    return [escape_formula(cell) for cell in group_cells(groups, code)]


def code_reader(survey: Survey, heading: Sequence[str]) -> Callable[[Sequence[str]], str | None]:
    """Return a function that reads the code of a row's group: "" for none, None for a wrong one."""
    groups = survey.groups
    factors = [factor.id for factor in groups.factors] if groups else []
    if groups is None or not set(factors) & set(heading):
        return lambda row: ""
    for id in factors:
        require(id in heading, "wrong_heading.factor", "heading", factor=id)
    places = [heading.index(id) for id in factors]
    # With and without the mark of a text that a spreadsheet would run.
    codes = {group_cells(groups, code)[:-1]: code for code in groups.codes}
    codes |= {tuple(escaped_cells(groups, code)[:-1]): code for code in groups.codes}
    codes[("",) * len(factors)] = ""

    return lambda row: codes.get(tuple(row[place] for place in places))
