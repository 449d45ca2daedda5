"""Reports: all questions, valid for their mechanisms, the same bytes on every retry."""

import json

import pytest

from client.core.assignment import Assignment
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import WORD_RANGE
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import MAX_REPORT_BYTES
from tests.client.core.test_document import SURVEY
from tests.support.surveys import one_of, sampled_boxes, survey_of, yes_no
from tests.vectors.tapes import Tape

EVERYTHING = Assignment(("q1", "q2"), {})


def test_a_report_says_what_the_tape_decides() -> None:
    threshold = SURVEY.questions[0].mechanism.threshold
    kept = respond(SURVEY, EVERYTHING, {"q1": 1, "q2": 0}, Tape([threshold - 1, 0]))
    assert kept.randomized == {"q1": 1, "q2": 0}
    flipped = respond(SURVEY, EVERYTHING, {"q1": 1, "q2": 0}, Tape([threshold, WORD_RANGE - 1]))
    assert flipped.randomized == {"q1": 0, "q2": 1}


def test_a_report_draws_one_word_per_question_in_their_order() -> None:
    tape = Tape([0, WORD_RANGE - 1])
    assert respond(SURVEY, EVERYTHING, {"q2": 1, "q1": 1}, tape).randomized == {"q1": 1, "q2": 0}
    assert tape.used == 2


def test_secure_words_are_used_when_no_tape_is_given() -> None:
    """200 equal reports to the same answers happen by chance once in 2^80."""
    drawn = {respond(SURVEY, EVERYTHING, {"q1": 1, "q2": 0}).body for _ in range(200)}
    assert len(drawn) > 1


def test_the_body_is_canonical_and_quotes_the_fingerprint() -> None:
    body = Report(SURVEY.fingerprint, {"q2": 0, "q1": 1}).body
    assert body == (
        b'{"fingerprint":"' + SURVEY.fingerprint.encode() + b'","randomized":{"q1":1,"q2":0}}'
    )


def test_every_report_to_a_survey_has_the_same_length() -> None:
    lengths = {
        len(Report(SURVEY.fingerprint, {"q1": first, "q2": second}).body)
        for first in (0, 1)
        for second in (0, 1)
    }
    assert len(lengths) == 1


def test_a_report_is_read_back_from_its_body() -> None:
    report = Report(SURVEY.fingerprint, {"q1": 1, "q2": 0})
    assert Report.parse(report.body, SURVEY) == report


def test_spaces_and_order_do_not_matter_to_the_reader() -> None:
    loose = json.dumps({"randomized": {"q2": 0, "q1": 1}, "fingerprint": SURVEY.fingerprint})
    assert Report.parse(loose.encode(), SURVEY).body == (
        Report(SURVEY.fingerprint, {"q1": 1, "q2": 0}).body
    )


def test_a_report_above_the_limit_is_refused_for_its_size() -> None:
    with pytest.raises(Refusal) as caught:
        Report.parse(b" " * (MAX_REPORT_BYTES + 1), SURVEY)
    assert caught.value.code == "too_large"


def test_an_answer_that_is_missing_makes_no_report() -> None:
    with pytest.raises(KeyError):
        respond(SURVEY, EVERYTHING, {"q1": 1}, Tape([0, 0]))


@pytest.mark.parametrize("answer", [2, -1, True, "1", 1.0, None, [1]])
def test_an_answer_that_is_no_option_makes_no_report_and_draws_nothing(answer: object) -> None:
    tape = Tape([0, 0])
    with pytest.raises(Refusal, match="q1 must be an integer from 0 to 1"):
        respond(SURVEY, EVERYTHING, {"q1": answer, "q2": 0}, tape)
    assert tape.used == 0


SAMPLED = survey_of(
    yes_no("a", "1"),
    one_of("b", 20, "1", size=3),
    sampled_boxes("c", 12, 2, "1"),
    ask_each_person=2,
)


@pytest.mark.parametrize(
    "randomized",
    [
        {"a": 1, "b": [0, 1, 2], "c": None},
        {"a": None, "b": [17, 18, 19], "c": [[10, 0], [11, 1]]},
        {"a": 0, "b": None, "c": [[0, 0], [1, 1]]},
    ],
)
def test_the_wire_has_one_length_whichever_questions_were_drawn(
    randomized: dict[str, object],
) -> None:
    report = Report(SAMPLED.fingerprint, randomized)
    wire = report.wire(SAMPLED)
    assert len(wire) == SAMPLED.report_bytes
    assert wire.rstrip(b" ") == report.body
    assert Report.parse(wire, SAMPLED) == report


def test_a_question_that_was_not_asked_is_null_and_draws_no_words() -> None:
    tape = Tape([0, 0, WORD_RANGE - 1])
    report = respond(SAMPLED, Assignment(("a", "c"), {"c": [3, 5]}), {"a": 1, "c": [5]}, tape)
    assert report.randomized == {"a": 1, "b": None, "c": [[3, 0], [5, 0]]}
    assert tape.used == 3


def test_nothing_may_be_null_where_everybody_is_asked_everything() -> None:
    body = Report(SURVEY.fingerprint, {"q1": None, "q2": 0}).body
    with pytest.raises(Refusal, match="q1 must be an integer from 0 to 1, got None"):
        Report.parse(body, SURVEY)
