"""What a survey will be able to say: per question its mechanism, margin and alternatives."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from client.authoring.draft.mechanism_choice import candidates, noise_per_respondent
from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Domain, Levels
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.curator.distrust import Price, curator_for
from estimators.curator.noise import DiscreteLaplace
from estimators.planning.target import (
    UNKNOWN_SHARE,
    check_margin,
    check_share,
    margin_for,
    respondents_for,
)
from estimators.shares.intervals import check_n
from estimators.shares.spread import design_effect, sampling_per_respondent

# Nobody knows beforehand how many people will prefer not to say.
SILENT_PART = 0.1


@dataclass(frozen=True)
class Spread:
    """Both variances that one respondent adds, to a share or to a mean in levels."""

    noise: float
    sampling: float

    @property
    def both(self) -> float:
        return self.noise + self.sampling

    @property
    def design_effect(self) -> float:
        """How many times as many respondents the protection costs (math 12)."""
        return float(design_effect(self.noise, self.sampling)) if self.sampling else math.inf

    def cost(self, n: float) -> dict[str, float | None]:
        """Return the design effect and the effective sample size of n respondents."""
        effect = self.design_effect
        if math.isinf(effect):
            # At a share of 0 or 1 the design effect is infinite; JSON has no infinity.
            return {"design_effect": None, "effective_n": None}
        return {"design_effect": effect, "effective_n": n / effect}


@dataclass(frozen=True)
class Target:
    """Either a margin or a number of respondents, and what is assumed about the answers.

    For a mean the margin is a part of the range, 0.03 for 3 hundredths of it, and the levels are
    assumed to be answered evenly.
    """

    margin: float | None = None
    respondents: int | None = None
    share: float = UNKNOWN_SHARE
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        check_share(self.share)
        if self.margin is not None:
            check_margin(self.margin)
        else:
            check_n(self.respondents or 0)


def assumes_silence(mechanism: TwoLevel) -> bool:
    """Whether a plan has to assume how many people decline: only where a mean is estimated."""
    domain = mechanism.domain
    return isinstance(domain, Levels) and domain.silent > 0


def spread_of(mechanism: TwoLevel, share: float = UNKNOWN_SHARE) -> Spread:
    """Return what one respondent adds, for this share or for evenly answered levels.

    If a number can be declined, SILENT_PART of the people are taken to do so: they add noise to the
    mean of the others, and nothing else (math 5.5).
    """
    domain = mechanism.domain
    if isinstance(domain, Levels):
        noise, sampling = noise_per_respondent(mechanism), domain.top * (domain.top + 2) / 12
        if not assumes_silence(mechanism):
            return Spread(noise, sampling)
        answered = 1 - SILENT_PART
        both = answered * noise + SILENT_PART * mechanism.noise(domain.top + 1)
        return Spread(both / answered**2, sampling / answered)
    return Spread(mechanism.noise(share), sampling_per_respondent(share))


def plan_survey(survey: Survey, target: Target) -> list[dict[str, Any]]:
    """Return one row per question, also if each person is asked only some of them."""
    part = survey.asked / len(survey.questions)
    return [plan_question(question, target, part) for question in survey.questions]


def plan_question(question: Question, target: Target, part: float = 1.0) -> dict[str, Any]:
    """Return the row of one question; `part` of the respondents are asked it."""
    mechanisms = (question.mechanism, *alternatives(question))
    row, *others = (
        plan_mechanism(mechanism, target, part, unit_of(question), question.domain)
        for mechanism in mechanisms
    )
    return {
        "question": question.id,
        "kind": question.kind.name,
        "epsilon": decimal_text(question.epsilon),
        **row,
        "alternatives": others,
    }


def unit_of(question: Question) -> float:
    """Return the size of one level in the question's own unit."""
    return float(question.kind.grid.step) if question.kind.grid else 1.0


def alternatives(question: Question) -> Iterable[TwoLevel]:
    """Return the other mechanisms that the rule would have considered."""
    found = candidates(question.domain, question.kind.goal, question.epsilon)
    return (mechanism for mechanism in found if mechanism != question.mechanism)


def plan_mechanism(
    mechanism: TwoLevel,
    target: Target,
    part: float = 1.0,
    unit: float = 1.0,
    domain: Domain | None = None,
) -> dict[str, Any]:
    """Return shape, bits and noise, with the margin for the respondents or the reverse."""
    spread = spread_of(mechanism, target.share)
    # A margin of a mean is a part of the range; a share has the range 1.
    figures = _figures(spread, target, part, range_of(mechanism) or 1, unit)
    answering = figures["respondents"] * part
    curator = curator_for(domain or mechanism.domain, Decimal(mechanism.delivered_epsilon))
    return {
        "mechanism": mechanism.name,
        "shape": mechanism.shape,
        "bits": mechanism.bits,
        "noise_per_respondent": spread.noise,
        **figures,
        "share": target.share,
        "confidence": target.confidence,
        **spread.cost(answering),
        **_curator_figures(mechanism.name, spread, curator, answering),
    }


def _curator_figures(
    name: str, spread: Spread, curator: DiscreteLaplace, n: float
) -> dict[str, float]:
    """Return how many respondents a trusted curator would need for the same error (math 10)."""
    central = curator.noise_variance / n**2
    price = Price(name, n, spread.noise / n, central, spread.sampling / n)
    return {"curator_cost": price.ratio, "curator_respondents": price.curator_respondents}


def range_of(mechanism: TwoLevel) -> int | None:
    """Return the distance between the lowest and highest level; None if shares are estimated."""
    domain = mechanism.domain
    return domain.top if isinstance(domain, Levels) else None


def _figures(
    spread: Spread, target: Target, part: float, reach: int, unit: float
) -> dict[str, float | int]:
    if target.margin is not None:
        margin = target.margin * reach
        needed = [
            respondents_for(variance / part, margin, target.confidence)
            for variance in (spread.both, spread.noise)
        ]
        return {
            "respondents": needed[0],
            "margin": margin * unit,
            "noise_only_respondents": needed[1],
        }
    n = target.respondents or 0
    margins = [
        margin_for(variance, n * part, target.confidence) * unit
        for variance in (spread.both, spread.noise)
    ]
    return {"respondents": n, "margin": margins[0], "noise_only_margin": margins[1]}
