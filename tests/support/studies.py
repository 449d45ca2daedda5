"""The studies of one simulated survey."""

from collections.abc import Callable

from estimators.confidence import CONFIDENCE
from estimators.simulation.running import Plan
from estimators.study.sweep import Cell, Studies, sweep


def study_survey(plan: Plan, on_respondents: Callable[[int], object] = lambda n: None) -> Studies:
    """Draw all samples of the plan; return per question a study of every figure."""
    (found,) = sweep([Cell(plan, "as asked for")], CONFIDENCE, on_respondents=on_respondents)
    return found.studies
