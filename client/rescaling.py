"""The same survey at another total epsilon, as if its author had published it so."""

from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal

from client import channel
from client.choosing import candidates
from client.decimals import decimal_text
from client.question import Question
from client.survey import Survey

# Epsilons have at most six decimals.
FINEST_STEP = Decimal("0.000001")


def at_total_epsilon(survey: Survey, total: Decimal) -> Survey:
    """Every question keeps its part of the total, and each gets a mechanism made for its epsilon.

    Parts are rounded down, so that together they never spend more than the total.
    """
    # Multiplied before divided: half of 2 is 1, not 0.999999.
    epsilons = [
        (question.epsilon * total / survey.total_epsilon).quantize(FINEST_STEP, ROUND_FLOOR)
        for question in survey.questions
    ]
    questions = tuple(map(at_epsilon, survey.questions, epsilons))
    return replace(survey, questions=questions)


def at_epsilon(question: Question, epsilon: Decimal) -> Question:
    """The rule's choice if the rule chose before; an author's own choice is kept."""
    channel.parse_epsilon(decimal_text(epsilon), f"{question.id}.epsilon")
    was_first, *_ = candidates(question.domain, question.kind.goal, question.epsilon)
    found = candidates(question.domain, question.kind.goal, epsilon)
    by_rule = question.mechanism.name == was_first.name
    mechanism = next(
        (item for item in found if by_rule or item.name == question.mechanism.name), found[0]
    )
    return replace(question, epsilon=epsilon, mechanism=mechanism)
