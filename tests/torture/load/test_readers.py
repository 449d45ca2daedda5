"""Crowds of readers, at a small scale: how long people wait is for the full scale."""

from collections import Counter

from client.authoring.draft.survey import build_survey
from tests.torture.load import readers
from tests.torture.load.readers import Answers, Respondents
from tests.torture.row import Silent


def test_people_answer_while_crowds_read_and_export() -> None:
    respondents, answers, wrong = readers.answer_beside_readers(10, 20261118, Silent())
    assert wrong == []
    assert list(readers.judge(respondents, answers)) == []
    assert len(respondents.tickets) == len(respondents.reports) == 10


def test_a_refused_respondent_a_failure_and_idle_readers_are_noticed() -> None:
    survey = build_survey(readers.heavy_draft("heavy"))
    fine: Answers = Counter({("results", 200): 4, ("results", 503): 9, ("export", 200): 1})
    assert list(readers.judge(Respondents("", survey), fine)) == []
    refused = Respondents("", survey, refused=[503])
    assert list(readers.judge(refused, fine)) == ["1 respondents were refused"]
    failed: Answers = Counter({**fine, ("export", 500): 1})
    assert len(list(readers.judge(Respondents("", survey), failed))) == 1
    idle: Answers = Counter({("results", 503): 9, ("export", 200): 1})
    assert len(list(readers.judge(Respondents("", survey), idle))) == 1
