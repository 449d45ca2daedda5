"""How far forged reports can move an estimate: the lever that local protection leaves (math 11)."""

from client.core.question import Question
from estimators.mechanisms import analysis_of
from estimators.shares.intervals import Interval


def forging_lever(question: Question, drawn_by: str) -> Interval:
    """Return how far one forged report can move an option's total, or the sum of numbers."""
    lever = analysis_of(question.mechanism).lever(drawn_by)
    grid = question.kind.grid
    return lever if grid is None else lever.scaled(float(grid.step))
