"""Reports: all questions, within their mechanisms, the same bytes on every retry."""

import json

import pytest

from client.refusal import Refusal
from client.report import MAX_REPORT_BYTES, Report, check_report_id
from client.respond import respond
from client.words import WORD_RANGE, Tape
from tests.test_document import SURVEY


def test_a_report_says_what_the_tape_decides() -> None:
    threshold = SURVEY.questions[0].mechanism.threshold
    kept = respond(SURVEY, {"q1": 1, "q2": 0}, Tape([threshold - 1, 0]))
    assert kept.randomized == {"q1": 1, "q2": 0}
    flipped = respond(SURVEY, {"q1": 1, "q2": 0}, Tape([threshold, WORD_RANGE - 1]))
    assert flipped.randomized == {"q1": 0, "q2": 1}


def test_a_report_draws_one_word_per_question_in_their_order() -> None:
    tape = Tape([0, WORD_RANGE - 1])
    assert respond(SURVEY, {"q2": 1, "q1": 1}, tape).randomized == {"q1": 1, "q2": 0}
    assert tape.used == 2


def test_secure_words_are_used_when_no_tape_is_given() -> None:
    """200 reports to the same answers that are all equal would come up once in 2^80."""
    drawn = {respond(SURVEY, {"q1": 1, "q2": 0}).body for _ in range(200)}
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
    assert caught.value.code == "body_too_large"


def test_an_answer_that_is_missing_makes_no_report() -> None:
    with pytest.raises(KeyError):
        respond(SURVEY, {"q1": 1}, Tape([0, 0]))


@pytest.mark.parametrize("id", ["", "0" * 31, "0" * 33, "G" * 32, "A" * 32, "0" * 31 + "\n"])
def test_a_report_id_that_is_not_32_hexadecimal_digits_is_refused(id: str) -> None:
    with pytest.raises(Refusal, match="a report id is 32 hexadecimal digits"):
        check_report_id(id)


def test_a_report_id_of_32_hexadecimal_digits_is_accepted() -> None:
    assert check_report_id("0123456789abcdef" * 2) == "0123456789abcdef" * 2
