"""What helps a survey that is too imprecise for its respondents, each remedy with its number."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal

from client.decimals import decimal_text
from client.rescaling import at_total_epsilon
from client.survey import Survey
from client.wording import is_weak, level_name
from estimators.budget_advice import best_asking
from estimators.survey_plan import Wish, plan_survey

# Totals are tried in such steps.
STEP = Decimal("0.1")


@dataclass(frozen=True)
class Shortage:
    """So many respondents are asked, but some questions need more for a margin."""

    survey: Survey
    respondents: int
    margin: float

    @property
    def needs(self) -> list[int]:
        """How many respondents each question needs."""
        return _needs(self.survey, self.margin)

    def remedies(self) -> Iterator[str]:
        """In words; nobody is led to weak protection."""
        yield f"{max(self.needs):,} respondents"
        total = self._larger_total()
        if total is not None:
            text = f"a total epsilon of {decimal_text(total)} ({level_name(total)} protection)"
            yield text + self._and(self._needed_at(total))
        asking = self._fewer_questions()
        if asking is not None:
            asked, needed = asking
            yield f"ask_each_person: {asked}" + self._and(needed)

    def _and(self, needed: int) -> str:
        return f" and {needed:,} respondents" if needed > self.respondents else ""

    def _larger_total(self) -> Decimal | None:
        """The smallest one that is enough, or else the largest that is not weak."""
        low = high = int((self.survey.total_epsilon / STEP).to_integral_value(ROUND_CEILING))
        while not is_weak((high + 1) * STEP):
            high += 1
        if high == low:
            return None
        while high - low > 1:
            middle = (low + high) // 2
            is_enough = self._needed_at(middle * STEP) <= self.respondents
            low, high = (low, middle) if is_enough else (middle, high)
        return high * STEP

    def _needed_at(self, total: Decimal) -> int:
        return max(_needs(at_total_epsilon(self.survey, total), self.margin))

    def _fewer_questions(self) -> tuple[int, int] | None:
        """How many questions each person is best asked with the same total, and what that needs."""
        survey = self.survey
        if survey.ask_each_person or any(question.show_if for question in survey.questions):
            return None
        asked = best_asking(survey).ask_each_person
        if asked == len(survey.questions):
            return None
        fewer = at_total_epsilon(replace(survey, ask_each_person=asked), survey.total_epsilon)
        needed = max(_needs(fewer, self.margin))
        return (asked, needed) if needed < max(self.needs) else None


def _needs(survey: Survey, margin: float) -> list[int]:
    return [row["respondents"] for row in plan_survey(survey, Wish(margin=margin))]
