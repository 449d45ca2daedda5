"""Vectors of the wording: the sentences for a mechanism, an answer and a total."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from client.core.document import read_document
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.wording.catalogue import ENGLISH, Wording
from client.wording.languages import INTERFACE
from client.wording.odds import describe_answer, describe_mark, describe_report, odds_sentences
from tests.vectors.document_kinds import (
    DECLINED,
    DECLINED_SCALE,
    HIDDEN_BOXES,
    HIDDEN_NUMBER,
    SHOWN_IF_YES,
)
from tests.vectors.document_parts import (
    BY_MECHANISM,
    QUESTION,
    Tree,
    any_of,
    asked,
    canonical,
    cross,
    labels,
    mechanism,
    number,
    one_of,
    scale,
)
from tests.vectors.tapes import Vector

# 687.5 and 312.5 of 1,000 people are ties: Python and JavaScript both round them to even.
TIE = 11 * 2**28
EPSILONS = [
    *(decimal_text(Decimal(i) / 100) for i in range(1, 60, 3)),
    *(decimal_text(Decimal(i) / 10) for i in range(6, 101)),
    *("0.010001", "0.693147", "1.000001", "2.000001", "4.000001", "4.41481", "9.999999"),
]
# ln 3 and ln 9 are between the last ones: 75:25 and 90:10.
TOTALS = [*EPSILONS[::5], "1.098612", "1.098613", "2.197224", "2.197225"]
FEW = ["0.01", "0.1", "0.5", "1", "2", "4", "4.41481", "10"]


def wording_vectors() -> Iterator[Vector]:
    for eps in EPSILONS:
        yield _odds(f"odds_rr_{eps}", QUESTION | _protection("rr", eps))
    for eps in TOTALS:
        yield _total(eps, questions=6)
    tie = {"epsilon": "0.788458", "mechanism": {"name": "rr", "threshold": TIE}}
    yield _odds("odds_tie_to_even", QUESTION | tie)
    # An author's text is data: braces and dollar signs have no meaning in it.
    yield _odds("odds_of_odd_labels", QUESTION | {"options": ["{many}", "$& $1 {option}"]})
    # Text in the other direction must not reorder the rest of the sentence.
    yield _odds("odds_of_arabic_labels", QUESTION | {"options": ["لا", "نعم (ربما)"]})
    for name, item in BY_MECHANISM.items():
        shape = {k: v for k, v in item["mechanism"].items() if k not in ("name", "threshold")}
        for eps in FEW if name != "rr" else []:
            yield _odds(f"odds_{name}_{eps}", item | _protection(name, eps, **shape))
    for wording in map(Wording, INTERFACE):
        for name, item in (*BY_MECHANISM.items(), *_other_questions()):
            yield _odds(f"odds_of_{name}", item, wording)
        for questions in (1, 2, 3, 11, 100):
            yield _total("1.25", questions, wording)
        for eps in ("1", "2.5", "4.5"):
            yield _total(eps, 7, wording)
        yield from _answers(wording)
        yield from _reports(wording)
        yield from _marks(wording)


def _protection(name: str, epsilon: str, **shape: int) -> Tree:
    return {"epsilon": epsilon, "mechanism": mechanism(name, epsilon, **shape)}


def _other_questions() -> Iterator[tuple[str, Tree]]:
    """Return shapes with other sentences: one option, long lists, several boxes, narrow windows."""
    yield "one_option", one_of("a", labels(5), "1", mechanism("ss", "1", options=5, size=1))
    long = mechanism("ss", "0.1", options=1000, size=475)
    yield "long_list_of_many", one_of("a", labels(1000), "0.1", long)
    yield "two_boxes", any_of("a", 5, 0, "4", mechanism("smp", "4", options=5, asked=2))
    yield "narrow_window", scale("a", "mean", "0.1", mechanism("isw", "0.1", top=10, width=0))
    wide = mechanism("isw", "1", top=10000, width=7750)
    yield "thousands", number("a", "mean", "1", wide, hi="10000")
    yield "number_or_silence", DECLINED
    yield "level_or_silence", DECLINED_SCALE
    yield "cross", cross("a", "1", mechanism("ss", "1", options=6, size=2))


def _answers(wording: Wording) -> Iterator[Vector]:
    names = ["{option}", "$&", "A"]
    odd = one_of("a", names, "1", mechanism("ss", "1", options=3, size=1))
    money = number("a", "mean", "1", mechanism("rt", "1", top=5), lo="-0.5", hi="2", step="0.5")
    below_zero = scale("a", "mean", "1", mechanism("rt", "1", top=6), lo=-3, hi=3)
    shares = scale("a", "shares", "1", mechanism("ss", "1", options=12, size=3), decline="Pass")
    table = cross("a", "1", mechanism("ss", "1", options=7, size=2), decline="Pass")
    given: list[tuple[str, Tree, list[Any]]] = [
        ("yes_no", QUESTION, [0, 1]),
        ("one_of", odd, [0, 1, 2]),
        ("any_of", BY_MECHANISM["privset"], [[], [3], [0, 5, 11]]),
        ("any_of_hidden", HIDDEN_BOXES, [[4]]),
        ("scale_shares", shares, [0, 10, 11]),
        ("scale_mean", below_zero, [0, 3, 6]),
        ("number", money, [0, 1, 2, 5]),
        ("number_with_unit", money | {"unit": "hours"}, [0, 1, 5]),
        ("cross", table, [0, 4, 5, 6]),
        ("number_or_silence", DECLINED, [60, 61]),
        ("level_or_silence", DECLINED_SCALE, [10, 11]),
        ("hidden_number", HIDDEN_NUMBER, [42]),
    ]
    for name, item, answers in given:
        question = _question(item)
        for position, answer in enumerate(answers):
            says = [describe_answer(question, answer, wording)]
            yield _said(f"answer_{name}_{position}", item, says, wording, answer=answer)


def _reports(wording: Wording) -> Iterator[Vector]:
    rt, isw = BY_MECHANISM["rt"], BY_MECHANISM["isw"]
    grid: Tree = {"hi": "2", "step": "0.5", "unit": "hours"}
    hours = number("a", "mean", "1", mechanism("rt", "1", top=4), **grid)
    ranges = number("a", "mean", "1", mechanism("isw", "1", top=4, width=2), **grid)
    single = number("a", "mean", "1", mechanism("isw", "1", top=4, width=0), **grid)
    sent: list[tuple[str, Tree, list[Any]]] = [
        ("rr", QUESTION, [0, 1]),
        ("ss", BY_MECHANISM["ss"], [[0, 1], [3, 4]]),
        ("hr", BY_MECHANISM["hr"], [0, 127]),
        (
            "hr_thousands",
            one_of("a", labels(1000), "1", mechanism("hr", "1", options=1000)),
            [1023],
        ),
        ("smp", BY_MECHANISM["smp"], [[[0, 0]], [[7, 1]]]),
        ("smp_two", HIDDEN_BOXES, [[[0, 1], [4, 0]]]),
        ("privset", BY_MECHANISM["privset"], [[0, 11], [0, 12], [13, 14]]),
        ("rt", rt, [[1, 0], [10, 1]]),
        ("rt_number", hours, [[1, 0], [4, 1]]),
        ("isw", isw, [0, 5, 30, 31, 60, 89, 90]),
        ("isw_number", ranges, [0, 1, 3, 6]),
        ("isw_single", single, [0, 4]),
        ("isw_or_silence", HIDDEN_NUMBER, [51, 52, 75]),
        ("isw_single_or_silence", DECLINED_SCALE, [10, 11]),
        ("cross", cross("a", "1", mechanism("ss", "1", options=6, size=2)), [[0, 5], [1, 2]]),
    ]
    for name, item, reports in sent:
        question = _question(item)
        for position, report in enumerate(reports):
            says = [describe_report(question, report, wording)]
            yield _said(f"report_{name}_{position}", item, says, wording, report=report)


def _marks(wording: Wording) -> Iterator[Vector]:
    """Return pairs of an answer and what is sent: kept, swapped, and in part."""
    sets, narrow = BY_MECHANISM["privset"], mechanism("isw", "1", top=10, width=0)
    given: list[tuple[str, Tree, list[tuple[Any, Any]]]] = [
        ("rr", QUESTION, [(0, 0), (1, 0)]),
        ("ss", BY_MECHANISM["ss"], [(3, [3, 4]), (0, [3, 4])]),
        ("hr", BY_MECHANISM["hr"], [(4, 0), (4, 7), (4, 4)]),
        ("smp", BY_MECHANISM["smp"], [([3], [[3, 1]]), ([], [[3, 1]]), ([3], [[0, 0]])]),
        ("smp_two", HIDDEN_BOXES, [([0], [[0, 1], [2, 1]]), ([0], [[0, 0], [2, 1]])]),
        ("privset", sets, [([3], [3, 12]), ([3], [4, 12]), ([3, 5], [0, 5]), ([], [12, 13])]),
        ("privset_none", sets, [([], [0, 12])]),
        ("rt", BY_MECHANISM["rt"], [(5, [5, 1]), (4, [5, 1]), (4, [5, 0])]),
        ("isw", BY_MECHANISM["isw"], [(10, 10), (10, 40), (10, 9), (10, 41)]),
        ("isw_single", scale("a", "mean", "1", narrow), [(10, 10), (10, 9)]),
        ("isw_or_silence", HIDDEN_NUMBER, [(41, 63), (41, 64), (40, 52)]),
    ]
    for name, item, pairs in given:
        question = _question(item)
        for position, (answer, report) in enumerate(pairs):
            says = [describe_mark(question, answer, report, wording)]
            both = {"answer": answer, "report": report}
            yield _said(f"mark_{name}_{position}", item, says, wording, **both)


def _question(item: Tree) -> Question:
    """Read a question as a client does; skip logic needs the question that it refers to."""
    before = [QUESTION] if item["show_if"] == SHOWN_IF_YES else []
    return read_document(canonical(asked(*before, item))).questions[-1]


def _odds(name: str, item: Tree, wording: Wording = ENGLISH) -> Vector:
    return _said(name, item, odds_sentences(_question(item), wording), wording)


def _said(name: str, item: Tree, says: list[str], wording: Wording, **about: Any) -> Vector:
    spoken = {"name": f"{name}_{wording.language}", "language": wording.language}
    return {**spoken, "question": item, **about, "says": says}


def _total(eps: str, questions: int, wording: Wording = ENGLISH) -> Vector:
    return {
        "name": f"total_{eps}_{questions}_{wording.language}",
        "language": wording.language,
        "total": eps,
        "questions": questions,
        "says": total_sentences(questions, Decimal(eps), wording),
    }


def total_sentences(questions: int, total: Decimal, wording: Wording) -> list[str]:
    """Return all that is said about a total, in the order of the page."""
    return [
        *(f"{who}: {seen}" for who, seen in wording.consequences(total)),
        wording.whole_survey(questions, total),
        wording.process(total),
        wording.level_sentence(total),
        wording.best_guess(total),
    ]
