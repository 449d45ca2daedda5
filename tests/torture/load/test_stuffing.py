"""A survey that is stuffed, at a small scale."""

from server.commands.remote import call_operator
from tests.torture.load import stuffing
from tests.torture.row import Silent


def test_a_stranger_fills_a_survey_but_does_not_close_it() -> None:
    outcome = stuffing.run(300, 20261118, Silent())
    assert outcome.met, outcome


def test_a_survey_that_was_closed_instead_is_noticed() -> None:
    wrong = stuffing.stuff(
        60, 20261118, Silent(), lambda folder: call_operator(folder, "/surveys/habits/close")
    )
    assert "the survey is closed, not full" in wrong
    assert "its results are final" in wrong
