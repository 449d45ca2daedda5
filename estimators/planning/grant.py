"""One paragraph about a plan, to paste into a grant proposal or a protocol."""

import math
from typing import Any

from client.core.survey import Survey
from client.wording.levels import level_name
from estimators.planning.survey_plan import range_of
from estimators.planning.target import UNKNOWN_SHARE
from estimators.planning.wording import margin_text

Row = dict[str, Any]


def grant_paragraph(survey: Survey, rows: list[Row], invite: int | None = None) -> str:
    """Say in words what a plan of respondents or of a margin promises, and at what cost."""
    respondents = max(row["respondents"] for row in rows)
    total, level = survey.total_epsilon.normalize(), level_name(survey.total_epsilon)
    several = len(survey.questions) > 1
    margins = list(
        dict.fromkeys(
            margin_text(question, row["margin"])
            for question, row in zip(survey.questions, rows, strict=True)
        )
    )
    sentences = [
        "Answers are randomized on each respondent's device before they are sent (local "
        f"differential privacy); together, a person's answers have an epsilon of {total:f}, which "
        f"is {level} protection.",
        f"With {respondents:,} respondents{f' ({invite:,} people invited)' if invite else ''}, the "
        f"half-width of a {100 * rows[0]['confidence']:g} % confidence interval is expected to be "
        f"{_listed(margins, several)}.",
        _cost(rows, several),
    ]
    return " ".join(filter(None, [*sentences, _assumed(survey, rows)]))


def _listed(margins: list[str], several: bool) -> str:
    if len(margins) == 1:
        return f"{margins[0]}{' for every question' if several else ''}"
    return f"{', '.join(margins[:-1])} and {margins[-1]}, depending on the question"


def _cost(rows: list[Row], several: bool) -> str:
    effects = [row["design_effect"] for row in rows]
    if any(effect is None or math.isinf(effect) for effect in effects):
        return ""
    low, high = (f"{effect:,.1f}" for effect in (min(effects), max(effects)))
    times = low if low == high else f"{low} to {high}"
    which = ", depending on the question" if low != high and several else ""
    return (
        f"Compared with direct questions, the protection takes {times} times as many "
        f"respondents for the same precision{which}."
    )


def _assumed(survey: Survey, rows: list[Row]) -> str:
    """Say what the figures assume about the answers."""
    means = [range_of(question.mechanism) is not None for question in survey.questions]
    share = rows[0]["share"]
    hardest = ", where the interval is widest" if share == UNKNOWN_SHARE else ""
    parts = [] if all(means) else [f"a true share of {100 * share:g} %{hardest}"]
    parts += ["evenly spread answers where a mean is estimated"] if any(means) else []
    return f"These figures assume {(', and ' if hardest else ' and ').join(parts)}."
