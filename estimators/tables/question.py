"""From a question and its tally to estimates, for every kind and mechanism."""

from client.core.mechanisms import TwoLevel
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.ordinal.levels import LevelEstimates
from estimators.shares.shares import ShareEstimates


def estimate_question(question: Question, tally: Tally) -> ShareEstimates | LevelEstimates:
    """Return shares of options, or mean and distribution in the question's own unit."""
    grid = question.kind.grid
    if grid is None:
        return estimate_mechanism(question.mechanism, tally)
    return estimate_mechanism(question.mechanism, tally, float(grid.lo), float(grid.step))


def estimate_mechanism(
    mechanism: TwoLevel, tally: Tally, lo: float = 0.0, step: float = 1.0
) -> ShareEstimates | LevelEstimates:
    """Return the estimates of a mechanism without a question; lo and step are for levels."""
    return analysis_of(mechanism).estimates(tally, lo, step)
