"""Assignments: the ticket decides what a report is about, and reports must agree."""

import hashlib
from collections import Counter
from functools import cache

import pytest
from scipy import stats

from client.core.assignment import TicketWords, check_assignment, draw_assignment
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from tests.support.surveys import one_of, sampled_boxes, survey_of, yes_no

# A fair draw fails this once in so many runs.
FALSE_ALARM = 1e-6


@cache
def sampled() -> Survey:
    return survey_of(
        *(yes_no("a", "1"), sampled_boxes("b", 5, 2, "1"), one_of("c", 3, "1")),
        ask_each_person=2,
    )


@cache
def boxes() -> Survey:
    return survey_of(sampled_boxes("b", 10, 1, "1"), yes_no("a", "1"))


def test_the_words_of_a_ticket_are_those_of_its_hash() -> None:
    digest = hashlib.sha256(b"abc|q1|0").digest() + hashlib.sha256(b"abc|q1|1").digest()
    words = TicketWords("abc", "q1")
    drawn = b"".join(words.word().to_bytes(4) for _ in range(16))
    assert drawn == digest


def test_the_example_of_the_mathematics() -> None:
    """Ticket abc, question q1, ten options: box 0."""
    survey = survey_of(sampled_boxes("q1", 10, 1, "1"))
    assert draw_assignment(survey, "abc").boxes == {"q1": [0]}


def test_the_whole_ticket_decides_and_always_the_same() -> None:
    ticket = f"{'0' * 64}.0-1.{'1' * 512}"
    first = draw_assignment(sampled(), ticket)
    assert first == draw_assignment(sampled(), ticket)
    assert len(first.questions) == 2
    changed = [f"{ticket[:at]}f{ticket[at + 1 :]}" for at in range(0, len(ticket), 9)]
    assert len({str(draw_assignment(sampled(), each)) for each in changed}) > 10


def test_everybody_is_asked_everything_unless_the_survey_says_otherwise() -> None:
    assert draw_assignment(boxes(), "x").questions == ("b", "a")


def test_questions_stand_in_the_order_of_the_survey() -> None:
    order = {"a": 0, "b": 1, "c": 2}
    for number in range(30):
        asked = draw_assignment(sampled(), f"t{number}").questions
        assert sorted(asked, key=order.__getitem__) == list(asked)


def test_tickets_ask_every_pair_of_questions_as_often() -> None:
    """Chi-square over 6,000 tickets, which are the same in every run."""
    counts = Counter(draw_assignment(sampled(), f"t{i}").questions for i in range(6_000))
    assert len(counts) == 3
    assert stats.chisquare(list(counts.values())).pvalue > FALSE_ALARM


def test_tickets_ask_about_every_box_as_often_whatever_they_ask_elsewhere() -> None:
    survey = survey_of(sampled_boxes("b", 4, 1, "1"), sampled_boxes("c", 4, 1, "1"))
    pairs = Counter(
        (assignment.boxes["b"][0], assignment.boxes["c"][0])
        for assignment in (draw_assignment(survey, f"t{i}") for i in range(8_000))
    )
    assert len(pairs) == 16
    assert stats.chisquare(list(pairs.values())).pvalue > FALSE_ALARM


def test_a_report_about_what_its_ticket_stands_for_is_accepted() -> None:
    for number in range(20):
        assignment = draw_assignment(sampled(), f"t{number}")
        report = dict.fromkeys("abc") | {
            id: [[box, 1] for box in assignment.boxes[id]] if id == "b" else 1
            for id in assignment.questions
        }
        check_assignment(sampled(), f"t{number}", report)


def test_a_report_about_another_question_is_refused() -> None:
    ticket = next(
        f"t{i}" for i in range(99) if "b" not in draw_assignment(sampled(), f"t{i}").questions
    )
    with pytest.raises(Refusal, match="this ticket is not for the question 'b'") as caught:
        check_assignment(sampled(), ticket, {"a": 1, "b": [[0, 1], [1, 1]], "c": None})
    assert (caught.value.code, caught.value.field) == ("not_assigned", "b")
    with pytest.raises(Refusal, match="not for the question 'a'"):
        check_assignment(sampled(), ticket, {"a": None, "b": None, "c": [1]})


def test_a_report_about_another_box_is_refused() -> None:
    (own,) = draw_assignment(boxes(), "t").boxes["b"]
    check_assignment(boxes(), "t", {"b": [[own, 0]], "a": 1})
    with pytest.raises(Refusal, match="this ticket is for other options of the question 'b'"):
        check_assignment(boxes(), "t", {"b": [[(own + 1) % 10, 0]], "a": 1})
