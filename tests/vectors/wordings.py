"""Vectors of the wording: the sentences that a threshold and a total epsilon deserve."""

from collections.abc import Iterator
from decimal import Decimal

from client import wording
from client.decimals import decimal_text
from client.mechanisms import RandomizedResponse
from client.survey import Question
from tests.vectors.channels import Vector

# Rounded to people, 62.5 of 100 and 37.5 of 100 are ties: both languages round them to even.
TIE = 5 * 2**29
EPSILONS = [
    *(decimal_text(Decimal(i) / 100) for i in range(1, 60, 3)),
    *(decimal_text(Decimal(i) / 10) for i in range(6, 101)),
    *("0.010001", "0.693147", "1.000001", "2.000001", "4.000001", "4.41481", "9.999999"),
]


def wording_vectors() -> Iterator[Vector]:
    for eps in EPSILONS:
        mechanism = RandomizedResponse.for_epsilon(Decimal(eps))
        yield _odds(f"odds_{eps}", eps, mechanism.threshold, ("No", "Yes"))
        yield _total(eps, questions=1)
        yield _total(eps, questions=6)
    yield _odds("odds_tie_to_even", "0.510826", TIE, ("No", "Yes"))
    # What an author writes is data: braces and dollar signs mean nothing in it.
    yield _odds("odds_of_odd_labels", "1", 3139872686, ("{many}", "$& $1 {option}"))


def _odds(name: str, eps: str, threshold: int, options: tuple[str, str]) -> Vector:
    mechanism = RandomizedResponse(threshold)
    question = Question("q1", "yes_no", "Have you ever?", options, Decimal(eps), mechanism)
    return {
        "name": name,
        "mech": mechanism.name,
        "T": threshold,
        "options": list(options),
        "says": wording.odds_sentences(question),
    }


def _total(eps: str, questions: int) -> Vector:
    total = Decimal(eps)
    says = [wording.whole_survey(questions, total), wording.level_sentence(total)]
    return {"name": f"total_{eps}_{questions}", "total": eps, "questions": questions, "says": says}
