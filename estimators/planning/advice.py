"""Advice for a survey that is too imprecise: each remedy with its number of respondents."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from client.authoring.draft.budget import SPLIT_STEP
from client.authoring.draft.from_survey import at_total_epsilon
from client.authoring.draft.mechanism_choice import candidates
from client.core.primitives.channel import MAX_EPSILON, MIN_EPSILON
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.levels import is_weak, level_name
from estimators.planning.survey_plan import Spread, Target, plan_survey, spread_of


@dataclass(frozen=True)
class Advice:
    """How many questions to ask each person, and what that costs.

    `cost` is the average variance of single questions, relative to asking everybody every question.
    """

    ask_each_person: int
    cost: float


def asking_spread(spread: Spread, questions: int, asked: int) -> float:
    """Return one question's noise variance per respondent if each person answers `asked` of them.

    Only a part of the respondents answers it, and their selection adds sampling variance (math 6,
    table 6b): (q/s) v(eps/s) + (q/s - 1) share(1 - share), with `spread` at eps/s.
    """
    ratio = questions / asked
    return ratio * spread.noise + (ratio - 1) * spread.sampling


def best_asking(survey: Survey) -> Advice:
    """Return how many questions to ask each person, with the total epsilon split evenly."""
    questions = survey.questions
    total = survey.total_epsilon
    everybody = _noises(questions, total, len(questions))
    found = [Advice(len(questions), 1.0)]
    for asked in range(1, min(len(questions), math.ceil(total) + 2)):
        if MIN_EPSILON <= total / asked <= MAX_EPSILON:
            ratios = [
                a / b for a, b in zip(_noises(questions, total, asked), everybody, strict=True)
            ]
            found.append(Advice(asked, math.fsum(ratios) / len(ratios)))
    return min(found, key=lambda advice: advice.cost)


def _noises(questions: Sequence[Question], total: Decimal, asked: int) -> list[float]:
    part = (total / asked).quantize(SPLIT_STEP, rounding=ROUND_FLOOR)
    return [
        asking_spread(
            spread_of(candidates(question.domain, question.kind.goal, part)[0]),
            len(questions),
            asked,
        )
        for question in questions
    ]


@dataclass(frozen=True)
class Remedy:
    """Something that would help, in plain words and with the names of a file's fields."""

    in_words: str
    in_file: str


# Totals are tried in steps of this size.
STEP = Decimal("0.1")


@dataclass(frozen=True)
class Shortage:
    """A survey of which some questions need more than `respondents` for a margin."""

    survey: Survey
    respondents: int
    margin: float

    @property
    def needs(self) -> list[int]:
        """How many respondents each question needs."""
        return _needs(self.survey, self.margin)

    def remedies(self) -> Iterator["Remedy"]:
        """Yield everything that would help, but never weak protection."""
        enough = f"{max(self.needs):,} respondents"
        yield Remedy(enough, enough)
        total = self._larger_total()
        if total is not None:
            text = f"a total epsilon of {decimal_text(total)} ({level_name(total)} protection)"
            text += self._and(self._needed_at(total))
            yield Remedy(text, text)
        fewer = self._fewer_questions()
        if fewer is not None:
            asked, needed = fewer
            more, s = self._and(needed), "" if asked == 1 else "s"
            yield Remedy(f"{asked} question{s} per person{more}", f"ask_each_person: {asked}{more}")

    def _and(self, needed: int) -> str:
        return f" and {needed:,} respondents" if needed > self.respondents else ""

    def _larger_total(self) -> Decimal | None:
        """Return the smallest total epsilon that is enough, or the largest that is not weak."""
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
        """Return the best number of questions per person, and the respondents that it needs."""
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
    return [row["respondents"] for row in plan_survey(survey, Target(margin=margin))]
