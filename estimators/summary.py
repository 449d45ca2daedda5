"""What a list of options comes to: who leads, and how far off any share can be (math 3, 7)."""

from collections.abc import Mapping
from typing import Any

from client.survey import Survey
from estimators.question import estimate_question
from estimators.shares import ShareEstimates
from estimators.tally import Tally


def leader_table(
    survey: Survey, tallies: Mapping[str, Tally], confidence: float
) -> list[dict[str, Any]]:
    """One row for each question with three options or more and any reports."""
    rows = []
    for question in survey.questions:
        tally = tallies[question.id]
        if len(question.options) < 3 or tally.n == 0:
            continue
        estimates = estimate_question(question, tally)
        if isinstance(estimates, ShareEstimates):
            rows.append({"question": question.id, **_row(estimates, question.options, confidence)})
    return rows


def _row(estimates: ShareEstimates, labels: tuple[str, ...], confidence: float) -> dict[str, Any]:
    leader = estimates.leader(confidence)
    error = estimates.max_error(1 - confidence)
    return {
        "leader": labels[leader.option],
        "rivals": [labels[option] for option in leader.rivals],
        "chance": leader.chance,
        # JSON has no infinity: a box that nobody was asked about has no bound.
        "max_error": error if error < float("inf") else None,
        "confidence": confidence,
    }
