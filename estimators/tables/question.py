"""From a question and its tally to estimates, whatever the kind and the mechanism."""

from client.core.kinds import Number, Scale
from client.core.mechanisms import RandomThreshold, SlidingWindow, Supporting, TwoLevel
from client.core.primitives.domain import Checks
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.ordinal.levels import LevelEstimates
from estimators.ordinal.thresholds import ThresholdEstimates
from estimators.ordinal.windows import WindowEstimates
from estimators.shares.checks import CheckEstimates
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.shares import ShareEstimates


def estimate_question(question: Question, tally: Tally) -> ShareEstimates | LevelEstimates:
    """Shares of options, or mean and distribution in the question's own unit."""
    match question.kind:
        case Scale(lo=lo, step=step) | Number(lo=lo, step=step):
            return estimate_mechanism(question.mechanism, tally, float(lo), float(step))
    return estimate_mechanism(question.mechanism, tally)


def estimate_mechanism(
    mechanism: TwoLevel, tally: Tally, lo: float = 0.0, step: float = 1.0
) -> ShareEstimates | LevelEstimates:
    """The same from the bare mechanism; lo and step are for levels."""
    match mechanism:
        case RandomThreshold():
            return ThresholdEstimates(mechanism, tally, lo, step)
        case SlidingWindow():
            return WindowEstimates(mechanism, tally, lo, step)
        case Supporting(domain=Checks()):
            return CheckEstimates(mechanism, tally)
        case Supporting():
            return ChoiceEstimates(mechanism, tally)
    raise TypeError(f"no estimator is known for {mechanism}")
