"""How far forged reports can move an estimate: the lever that local protection leaves (math 11)."""

from client.kinds import Number, Scale
from client.mechanisms import RandomThreshold, SampledChecks, SlidingWindow, Supporting, TwoLevel
from client.question import Question
from client.survey import BY_DEVICE
from estimators.intervals import Interval


def forging_lever(question: Question, drawn_by: str) -> Interval:
    """How far one forged report moves an option's total, or the sum of a number, at the most."""
    mechanism = question.mechanism
    if isinstance(mechanism, RandomThreshold | SlidingWindow):
        kind = question.kind
        assert isinstance(kind, Scale | Number)
        levels = (
            _threshold_lever(mechanism)
            if isinstance(mechanism, RandomThreshold)
            else (_window_lever(mechanism))
        )
        return levels.scaled(float(kind.step))
    lever = option_lever(mechanism)
    if isinstance(mechanism, SampledChecks) and drawn_by == BY_DEVICE:
        # Whoever may choose the box speaks for all who were asked about another one.
        return lever.scaled(mechanism.options / mechanism.asked)
    return lever


def option_lever(mechanism: TwoLevel) -> Interval:
    """A report that supports an option adds (1 - q)/(p - q), any other one -q/(p - q)."""
    assert isinstance(mechanism, Supporting)
    alpha, q = float(mechanism.alpha), float(mechanism.q)
    return Interval(-q / alpha, (1 - q) / alpha)


def _threshold_lever(mechanism: RandomThreshold) -> Interval:
    """The largest centred scores, whoever picks the limit."""
    alpha, p, q = float(mechanism.alpha), float(mechanism.p), float(mechanism.q)
    return Interval(
        -mechanism.top * (q / alpha + 0.5) + mechanism.top / 2,
        mechanism.top * (p / alpha + 0.5),
    )


def _window_lever(mechanism: SlidingWindow) -> Interval:
    """The scores of the first and of the last number that can be sent (math 5.2)."""
    keep, width, top = float(mechanism.keep), mechanism.width, mechanism.top
    last = top + width
    slope = keep - (1 - keep) * (width + 1) / top
    intercept = (1 - keep) * last * (last + 1) / 2 / top
    return Interval(-intercept / slope - width / 2, (last - intercept) / slope - width / 2)
