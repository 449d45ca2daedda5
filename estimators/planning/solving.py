"""Solve a plan for what is not given: the least epsilon, and how many questions fit (math 12)."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal

from client.authoring.draft.from_survey import FINEST_STEP, at_total_epsilon
from client.core.primitives.channel import MAX_EPSILON, MIN_EPSILON
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.levels import level_name
from estimators.planning.survey_plan import Target, plan_survey

# Totals are tried in steps of this size.
STEP = Decimal("0.01")


@dataclass(frozen=True)
class Solution:
    """A survey at the least total epsilon that keeps a margin with so many respondents."""

    survey: Survey
    target: Target
    respondents: int
    # How many of the questions would keep the margin at the present total, if the others were
    # left out; None if that cannot be said.
    questions_that_fit: int | None
    # The total that the survey had.
    present: Decimal

    @property
    def total(self) -> Decimal:
        return self.survey.total_epsilon

    @property
    def level(self) -> str:
        return level_name(self.total)

    @property
    def sentence(self) -> str:
        """Say such as: 2,000 respondents and 5 points: epsilon 1.2, that is good protection."""
        margin = f"{100 * (self.target.margin or 0):.4g} percentage points"
        spent = "epsilon" if len(self.survey.questions) == 1 else "a total epsilon of"
        told = [
            f"{self.respondents:,} respondents and {margin}: {spent} {decimal_text(self.total)}, "
            f"that is {self.level} protection."
        ]
        if self.questions_that_fit is not None and self.questions_that_fit < len(self.asked):
            told.append(
                f"With the present total of {decimal_text(self.present)}, "
                f"{self.questions_that_fit} of the {len(self.asked)} questions would keep this "
                "margin, if the others were left out."
            )
        return " ".join(told)

    @property
    def asked(self) -> tuple[Question, ...]:
        return self.survey.questions


def solve_epsilon(survey: Survey, respondents: int, target: Target) -> Solution:
    """Return the survey at the least total epsilon with which every question keeps the margin."""
    total = least_total(survey, respondents, target)
    several = len(survey.questions) > 1
    fitting = most_questions(survey, respondents, target) if several else None
    return Solution(
        at_total_epsilon(survey, total), target, respondents, fitting, survey.total_epsilon
    )


def least_total(survey: Survey, respondents: int, target: Target) -> Decimal:
    """Return the least total epsilon, in steps, with which all questions keep the margin."""
    low, high = (int(total / STEP) for total in _range_of_totals(survey))

    def is_enough(steps: int) -> bool:
        return needed(at_total_epsilon(survey, steps * STEP), target) <= respondents

    if not is_enough(high):
        most = needed(at_total_epsilon(survey, high * STEP), target)
        raise Refusal(
            "unreachable_margin", "margin", respondents=respondents, total=high * STEP, needed=most
        )
    return _first(low, high, is_enough) * STEP


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the least number from which on this holds, as it does at the highest."""
    if holds(low):
        return low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _range_of_totals(survey: Survey) -> tuple[Decimal, Decimal]:
    """Return the least total at which no question's part is too small, and the largest total."""
    parts = [question.epsilon / survey.total_epsilon for question in survey.questions]
    # Parts are rounded down, by less than the finest step.
    low = ((MIN_EPSILON + FINEST_STEP) / min(parts)).quantize(STEP, ROUND_CEILING)
    return min(low, MAX_EPSILON), MAX_EPSILON


def most_questions(survey: Survey, respondents: int, target: Target) -> int | None:
    """Return how many questions fit into the survey's total, if the hardest are left out first.

    None if skip logic needs them all, or each person is asked only some.
    """
    if survey.ask_each_person or any(question.show_if for question in survey.questions):
        return None
    needs = [row["respondents"] for row in plan_survey(survey, target)]
    order = sorted(range(len(needs)), key=lambda index: needs[index])
    for count in range(len(order), 0, -1):
        kept = tuple(survey.questions[index] for index in sorted(order[:count]))
        alone = replace(survey, questions=kept, translations=())
        fewer = at_total_epsilon(alone, survey.total_epsilon)
        if needed(fewer, target) <= respondents:
            return count
    return 0


def needed(survey: Survey, target: Target) -> int:
    """Return how many respondents the hardest question needs for the margin."""
    return max(int(row["respondents"]) for row in plan_survey(survey, target))


def invited(respondents: int, response: float) -> int:
    """Return how many people to invite if this part of them responds."""
    require(isinstance(response, float) and 0 < response <= 1, "bad_response", "response")
    # A part such as 0.1 is not exact: 300 / 0.1 must not become 3001.
    return math.ceil(round(respondents / response, 6))
