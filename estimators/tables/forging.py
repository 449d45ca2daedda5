"""How far forged reports can move an estimate: the lever that local protection leaves (math 11)."""

from client.core.kinds import Number, Scale
from client.core.mechanisms import (
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    Supporting,
    TwoLevel,
)
from client.core.question import Question
from client.core.survey import BY_DEVICE
from estimators.ordinal.windows import mean_scores
from estimators.shares.intervals import Interval


def forging_lever(question: Question, drawn_by: str) -> Interval:
    """How far one forged report moves an option's total, or the sum of a number, at the most."""
    mechanism = question.mechanism
    if isinstance(mechanism, RandomThreshold):
        return _threshold_lever(mechanism).scaled(_unit(question))
    if isinstance(mechanism, SlidingWindow):
        return _window_lever(mechanism).scaled(_unit(question))
    lever = option_lever(mechanism)
    if isinstance(mechanism, SampledChecks) and drawn_by == BY_DEVICE:
        # Whoever may choose the box speaks for all who were asked about another one.
        return lever.scaled(mechanism.options / mechanism.asked)
    return lever


def _unit(question: Question) -> float:
    """What one level is worth in the question's own unit."""
    assert isinstance(question.kind, Scale | Number)
    return float(question.kind.step)


def option_lever(mechanism: TwoLevel) -> Interval:
    """A report that supports an option adds (1 - q)/(p - q), any other one -q/(p - q)."""
    assert isinstance(mechanism, Supporting)
    alpha, q = float(mechanism.alpha), float(mechanism.q)
    return Interval(-q / alpha, (1 - q) / alpha)


def _threshold_lever(mechanism: RandomThreshold) -> Interval:
    """No centred score lies outside, whoever picks the limit (math 5.3)."""
    alpha, p, q = float(mechanism.alpha), float(mechanism.p), float(mechanism.q)
    return Interval(-(q / alpha + 0.5), p / alpha + 0.5).scaled(mechanism.top)


def _window_lever(mechanism: SlidingWindow) -> Interval:
    """The scores of the first and of the last number that can be sent (math 5.2)."""
    scores = mean_scores(mechanism)
    return Interval(float(scores[0]), float(scores[-1]))
