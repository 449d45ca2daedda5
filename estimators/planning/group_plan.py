"""Distinguishing two groups: the respondents that each needs, or the power (math 12, 14)."""

import math
from dataclasses import dataclass
from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.confidence import CONFIDENCE
from estimators.mechanisms import analysis_of
from estimators.planning import target
from estimators.planning.survey_plan import Spread, range_of, spread_of
from estimators.shares.intervals import check_n


@dataclass(frozen=True)
class Groups:
    """The shares in two groups to be distinguished.

    Without `respondents` the number per group is planned for this power; with it, the power is.
    """

    first: float
    second: float
    power: float = 0.8
    respondents: int | None = None
    confidence: float = CONFIDENCE
    # Used only where margins are drawn together with the comparison.
    share: float = target.UNKNOWN_SHARE
    # How many times as large the second group is.
    ratio: float = 1.0

    def __post_init__(self) -> None:
        target.check_share(self.share)
        target.difference_of(self.first, self.second)
        if self.respondents is not None:
            check_n(self.respondents)


def plan_groups_of_survey(survey: Survey, groups: Groups) -> list[dict[str, Any]]:
    """Return one row per question whose estimates are shares."""
    part = survey.asked / len(survey.questions)
    rows = [
        {
            "question": question.id,
            "kind": question.kind.name,
            "epsilon": decimal_text(question.epsilon),
            **plan_groups(question.mechanism, groups, part),
        }
        for question in survey.questions
        if range_of(question.mechanism) is None
    ]
    require(bool(rows), "bad_groups.only_shares", "groups")
    return rows


def plan_groups(mechanism: TwoLevel, groups: Groups, part: float = 1.0) -> dict[str, Any]:
    """Return the plan for one mechanism; `part` of the respondents are asked this question."""
    support = mechanism.support
    if support is None or range_of(mechanism) is not None:
        raise Refusal("bad_groups.only_shares", "groups")
    p, q = map(float, support)
    about = part * analysis_of(mechanism).asked_part
    shares = (groups.first, groups.second)
    if groups.respondents is None:
        power = groups.power
        n = target.respondents_to_tell(*shares, p, q, power, groups.confidence, about, groups.ratio)
    else:
        n = groups.respondents
        power = target.power_of_groups(n * about, *shares, p, q, groups.confidence, groups.ratio)
    one, other = (spread_of(mechanism, share) for share in shares)
    spread = Spread(
        one.noise + other.noise / groups.ratio, one.sampling + other.sampling / groups.ratio
    )
    return {
        "mechanism": mechanism.name,
        "shape": mechanism.shape,
        "groups": [groups.first, groups.second],
        "respondents_per_group": n,
        "respondents_in_second": math.ceil(n * groups.ratio),
        "power": power,
        "confidence": groups.confidence,
        **spread.cost(n * part),
    }
