"""The planned study: respondents, and a difference between two groups to be found (math 12, 14)."""

from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import require
from client.core.survey import Survey
from estimators.planning.group_plan import Groups, plan_groups
from estimators.planning.survey_plan import Target, plan_survey, range_of
from estimators.shares.intervals import check_n

# The figures are for so many respondents if no number is planned.
EXAMPLE = 1000
DIFFERENCE = 0.1
POWER = 0.8


@dataclass(frozen=True)
class StudyPlan:
    """A number of respondents, and the difference that two halves of them should show.

    The two shares lie evenly around one half.
    """

    respondents: int | None = None
    difference: float = DIFFERENCE
    power: float = POWER

    def __post_init__(self) -> None:
        if self.respondents is not None:
            check_n(self.respondents)
            require(self.respondents >= 2, "bad_n.halves", "respondents", n=self.respondents)
        require(0 < self.difference < 1, "bad_difference", "difference", difference=self.difference)
        require(0 < self.power < 1, "bad_power", "power", power=self.power)

    @property
    def n(self) -> int:
        """The planned number of respondents, or the example."""
        return self.respondents or EXAMPLE

    @property
    def per_group(self) -> int:
        return self.n // 2

    @property
    def shares(self) -> tuple[float, float]:
        """The shares in the two groups, rounded so that they print as they are computed with."""
        half = self.difference / 2
        return round(0.5 - half, 6), round(0.5 + half, 6)

    def question_rows(self, survey: Survey) -> list[dict[str, Any]]:
        """Return the margin of every question, and its power if it estimates shares."""
        part = survey.asked / len(survey.questions)
        margins = plan_survey(survey, Target(respondents=self.n))
        rows = []
        for question, row in zip(survey.questions, margins, strict=True):
            figures = {name: row[name] for name in ("question", "epsilon", "margin", "effective_n")}
            if range_of(question.mechanism) is None:
                reached, needed = (
                    plan_groups(question.mechanism, groups, part)
                    for groups in (
                        Groups(*self.shares, respondents=self.per_group),
                        Groups(*self.shares, power=self.power),
                    )
                )
                figures["power"] = reached["power"]
                figures["respondents_per_group"] = needed["respondents_per_group"]
            rows.append(figures)
        return rows
