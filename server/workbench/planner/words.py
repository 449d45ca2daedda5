"""A plan in one sentence: what it needs, and what a direct question would need."""

import math
from typing import Any

from estimators.planning.group_plan import Groups
from estimators.planning.survey_plan import Target
from estimators.planning.target import power_of_groups
from estimators.planning.wording import margin_words

Row = dict[str, Any]

# p and q of a direct question, which is not randomized.
DIRECT = (1.0, 0.0)


def plan_sentence(row: Row, target: Target | Groups, unit: str | None) -> str:
    """Put a planner's row into a sentence. The unit is that of a mean, None for shares."""
    match target:
        case Groups(respondents=None):
            return _of_groups(row)
        case Groups():
            return _of_power(row, target)
        case Target(margin=None):
            return _of_respondents(row, unit)
    return _of_margin(row, unit)


def _of_margin(row: Row, unit: str | None) -> str:
    needed = f"you need {_people(row['respondents'])}"
    return _sentence(
        f"For a margin of {margin_words(row['margin'], unit)} {needed}",
        f"a direct question would need {_direct(row)}",
        row,
    )


def _of_respondents(row: Row, unit: str | None) -> str:
    effect = row["design_effect"]
    direct = row["margin"] / math.sqrt(effect) if effect else 0.0
    return _sentence(
        f"With {_people(row['respondents'])} the margin is {margin_words(row['margin'], unit)}",
        f"for a direct question it would be {margin_words(direct, unit)}",
        row,
    )


def _of_groups(row: Row) -> str:
    return _sentence(
        f"To tell {_shares(row)} with a power of {_percent(row['power'])} you need "
        f"{_people(row['respondents_per_group'])} in each group",
        f"with direct questions {_direct(row)} would do",
        row,
    )


def _of_power(row: Row, target: Groups) -> str:
    n, direct = row["respondents_per_group"], 1.0
    if row["design_effect"]:
        direct = power_of_groups(n, target.first, target.second, *DIRECT, target.confidence)
    return _sentence(
        f"{_people(n)} in each group tell {_shares(row)} with a power of {_percent(row['power'])}",
        f"with direct questions it would be {_percent(direct)}",
        row,
    )


def _shares(row: Row) -> str:
    return " from ".join(map(_percent, row["groups"]))


def _percent(part: float) -> str:
    return f"{100 * part:.3g} %"


def _sentence(needed: str, direct: str, row: Row) -> str:
    """Join both halves; a direct question at a share of 0 or 1 has no error to compare with."""
    return f"{needed}; {direct}." if row["design_effect"] else f"{needed}."


def _people(count: int) -> str:
    return f"{count:,} respondent{'' if count == 1 else 's'}"


def _direct(row: Row) -> str:
    return f"{row['effective_n'] or 0:,.0f}"
