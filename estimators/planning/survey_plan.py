"""What a survey will be able to say: per question its mechanism, its margin, its alternatives."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.mechanism_choice import candidates, noise_per_respondent
from client.core.mechanisms import TwoLevel
from client.core.primitives.domain import Domain, Levels
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.curator.distrust import Price, curator_for
from estimators.curator.noise import Laplace
from estimators.planning import target
from estimators.planning.target import UNKNOWN_SHARE
from estimators.shares.intervals import check_n
from estimators.shares.spread import sampling_per_respondent


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

    def cost(self, n: float) -> dict[str, float | None]:
        """Beside a direct question: how many times more respondents, and as many as how many."""
        effect = self.design_effect
        if math.isinf(effect):
            # At a share of 0 or 1 no finite design effect exists; JSON has no infinity.
            return {"design_effect": None, "effective_n": None}
        return {"design_effect": effect, "effective_n": n / effect}


@dataclass(frozen=True)
class Target:
    """Either a margin or a number of respondents, and what is assumed about both.

    For a mean the margin is a part of the range, 0.03 for 3 hundredths of it, and the levels are
    assumed to be answered evenly.
    """

    margin: float | None = None
    respondents: int | None = None
    share: float = UNKNOWN_SHARE
    confidence: float = CONFIDENCE

    def __post_init__(self) -> None:
        target.check_share(self.share)
        if self.margin is not None:
            target.check_margin(self.margin)
        else:
            check_n(self.respondents or 0)


def spread_of(mechanism: TwoLevel, share: float = UNKNOWN_SHARE) -> Spread:
    """Per respondent, for a share as given or for levels that are answered evenly."""
    top = range_of(mechanism)
    if top is not None:
        return Spread(noise_per_respondent(mechanism), top * (top + 2) / 12)
    return Spread(mechanism.noise(share), sampling_per_respondent(share))


def plan_survey(survey: Survey, wish: Target) -> list[dict[str, Any]]:
    """One row per question; where each person is asked some of them, others answer too."""
    part = survey.asked / len(survey.questions)
    return [plan_question(question, wish, part) for question in survey.questions]


def plan_question(question: Question, wish: Target, part: float = 1.0) -> dict[str, Any]:
    """`part` is the part of the respondents who are asked this question."""
    mechanisms = (question.mechanism, *alternatives(question))
    row, *others = (
        plan_mechanism(mechanism, wish, part, unit_of(question), question.domain)
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
    """How much one level is in the question's own unit."""
    return float(question.kind.grid.step) if question.kind.grid else 1.0


def alternatives(question: Question) -> Iterable[TwoLevel]:
    """What the rule would have considered, without the mechanism that was taken."""
    found = candidates(question.domain, question.kind.goal, question.epsilon)
    return (mechanism for mechanism in found if mechanism != question.mechanism)


def plan_mechanism(
    mechanism: TwoLevel,
    wish: Target,
    part: float = 1.0,
    unit: float = 1.0,
    domain: Domain | None = None,
) -> dict[str, Any]:
    """Shape, bits and noise, with the margin for the respondents or the other way round."""
    spread = spread_of(mechanism, wish.share)
    # A margin is a part of the range; a share is a part already.
    figures = _figures(spread, wish, part, range_of(mechanism) or 1, unit)
    answering = figures["respondents"] * part
    curator = curator_for(domain or mechanism.domain, mechanism.delivered_epsilon)
    return {
        "mechanism": mechanism.name,
        "shape": mechanism.shape,
        "bits": mechanism.bits,
        "noise_per_respondent": spread.noise,
        **figures,
        "share": wish.share,
        "confidence": wish.confidence,
        **spread.cost(answering),
        **_beside_a_curator(mechanism.name, spread, curator, answering),
    }


def _beside_a_curator(name: str, spread: Spread, curator: Laplace, n: float) -> dict[str, float]:
    """How many respondents a trusted curator would need for the same error (math 10)."""
    central = curator.noise_variance / n**2
    price = Price(name, n, spread.noise / n, central, spread.sampling / n)
    return {"curator_cost": price.ratio, "curator_respondents": price.curator_respondents}


def range_of(mechanism: TwoLevel) -> int | None:
    """How many levels apart the answers to a mean can be; None where shares are estimated."""
    domain = mechanism.domain
    return domain.top if isinstance(domain, Levels) else None


def _figures(
    spread: Spread, wish: Target, part: float, reach: int, unit: float
) -> dict[str, float | int]:
    if wish.margin is not None:
        margin = wish.margin * reach
        needed = [
            target.respondents_for(variance / part, margin, wish.confidence)
            for variance in (spread.both, spread.noise)
        ]
        return {
            "respondents": needed[0],
            "margin": margin * unit,
            "noise_only_respondents": needed[1],
        }
    n = wish.respondents or 0
    margins = [
        target.margin_for(variance, n * part, wish.confidence) * unit
        for variance in (spread.both, spread.noise)
    ]
    return {"respondents": n, "margin": margins[0], "noise_only_margin": margins[1]}
