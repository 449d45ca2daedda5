"""What a survey will be able to say: per question its mechanism, its margin, its alternatives."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from client.choosing import candidates
from client.decimals import decimal_text
from client.kinds import Number, Scale
from client.mechanisms import RandomThreshold, SampledChecks, SlidingWindow, Supporting, TwoLevel
from client.noise import noise_per_respondent, option_noise, sampled_noise
from client.question import Question
from client.survey import Survey
from estimators import planning
from estimators.planning import UNKNOWN_SHARE
from estimators.spread import sampling_per_respondent


@dataclass(frozen=True)
class Spread:
    """Both variances that one respondent adds, of a share or of a mean in levels."""

    noise: float
    sampling: float

    @property
    def both(self) -> float:
        return self.noise + self.sampling

    @property
    def design_effect(self) -> float:
        """How many times more respondents the protection costs (math 12)."""
        return self.both / self.sampling if self.sampling else math.inf


@dataclass(frozen=True)
class Wish:
    """Either a margin or a number of respondents, and what is assumed about both.

    For a mean the margin is a part of the range, 0.03 for 3 hundredths of it, and the levels are
    assumed to be answered evenly.
    """

    margin: float | None = None
    respondents: int | None = None
    share: float = UNKNOWN_SHARE
    confidence: float = 0.95


def spread_of(mechanism: TwoLevel, share: float = UNKNOWN_SHARE) -> Spread:
    """Per respondent, for a share as given or for levels that are answered evenly."""
    match mechanism:
        case RandomThreshold(top=top) | SlidingWindow(top=top):
            return Spread(noise_per_respondent(mechanism), top * (top + 2) / 12)
        case SampledChecks():
            return Spread(sampled_noise(mechanism, share), sampling_per_respondent(share))
        case Supporting(p=p, q=q):
            noise = option_noise(share, float(p), float(q))
            return Spread(noise, sampling_per_respondent(share))
    raise TypeError(f"no plan is known for {mechanism}")


def plan_survey(survey: Survey, wish: Wish) -> list[dict[str, Any]]:
    """One row per question; where each person is asked some of them, others answer too."""
    part = survey.asked / len(survey.questions)
    return [plan_question(question, wish, part) for question in survey.questions]


def plan_question(question: Question, wish: Wish, part: float = 1.0) -> dict[str, Any]:
    """`part` is the part of the respondents who are asked this question."""
    row = plan_mechanism(question.mechanism, wish, part, unit_of(question))
    others = (
        plan_mechanism(mechanism, wish, part, unit_of(question))
        for mechanism in alternatives(question)
    )
    return {
        "question": question.id,
        "kind": question.kind.name,
        "epsilon": decimal_text(question.epsilon),
        **row,
        "alternatives": list(others),
    }


def unit_of(question: Question) -> float:
    """How much one level is in the question's own unit."""
    return float(question.kind.step) if isinstance(question.kind, Scale | Number) else 1.0


def alternatives(question: Question) -> Iterable[TwoLevel]:
    """What the rule would have considered, without the mechanism that was taken."""
    found = candidates(question.domain, question.kind.goal, question.epsilon)
    return (mechanism for mechanism in found if mechanism != question.mechanism)


def plan_mechanism(
    mechanism: TwoLevel, wish: Wish, part: float = 1.0, unit: float = 1.0
) -> dict[str, Any]:
    """Shape, bits and noise, with the margin for the respondents or the other way round."""
    spread = spread_of(mechanism, planning.check_share(wish.share))
    effect = spread.design_effect
    return {
        "mechanism": mechanism.name,
        "shape": mechanism.shape,
        "bits": mechanism.bits,
        "noise_per_respondent": spread.noise,
        **_figures(spread, wish, part, _range_of(mechanism), unit),
        "share": wish.share,
        "confidence": wish.confidence,
        # At a share of 0 or 1 no finite design effect exists; JSON has no infinity.
        "design_effect": effect if math.isfinite(effect) else None,
    }


def _range_of(mechanism: TwoLevel) -> int:
    """What a margin is a part of: the levels of a mean; a share is a part already."""
    match mechanism:
        case RandomThreshold(top=top) | SlidingWindow(top=top):
            return top
    return 1


def _figures(
    spread: Spread, wish: Wish, part: float, reach: int, unit: float
) -> dict[str, float | int]:
    if wish.margin is not None:
        margin = planning.check_margin(wish.margin) * reach
        needed = [
            planning.respondents_for(variance / part, margin, wish.confidence)
            for variance in (spread.both, spread.noise)
        ]
        return {
            "respondents": needed[0],
            "margin": margin * unit,
            "noise_only_respondents": needed[1],
        }
    n = planning.check_n(wish.respondents or 0)
    margins = [
        planning.margin_for(variance, n * part, wish.confidence) * unit
        for variance in (spread.both, spread.noise)
    ]
    return {"respondents": n, "margin": margins[0], "noise_only_margin": margins[1]}
