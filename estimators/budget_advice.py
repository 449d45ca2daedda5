"""Split the epsilon among all questions, or ask each person only some of them (math 6)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from client.budget import SPLIT_STEP
from client.channel import MAX_EPSILON, MIN_EPSILON
from client.choosing import candidates
from client.question import Question
from client.survey import Survey
from estimators.survey_plan import Spread, spread_of


@dataclass(frozen=True)
class Advice:
    """`cost` is the average variance of single questions, relative to asking everybody all."""

    ask_each_person: int
    cost: float


def asking_spread(spread: Spread, questions: int, asked: int) -> float:
    """Noise variance per respondent of one question, if each person is asked `asked` of them.

    Only a part answers it, and who they are adds what a sample adds (math 6, table 6b):
    (q/s) v(eps/s) + (q/s - 1) share(1 - share), with `spread` at eps/s.
    """
    ratio = questions / asked
    return ratio * spread.noise + (ratio - 1) * spread.sampling


def best_asking(survey: Survey) -> Advice:
    """How many questions each person is best asked, at the survey's total epsilon split evenly."""
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
