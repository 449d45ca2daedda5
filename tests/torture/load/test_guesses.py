"""Guesses at a small scale."""

import pytest

from server.web.guesses import Guesses
from tests.torture.load import guesses
from tests.torture.row import Silent


def test_wrong_passwords_keep_nobody_out() -> None:
    outcome = guesses.run(400, 20261118, Silent())
    assert outcome.met, outcome


def test_one_budget_for_all_names_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Guesses.begin
    monkeypatch.setattr(Guesses, "begin", lambda self, guesser: begin(self, "anybody"))
    monkeypatch.setattr(Guesses, "take_back", lambda self, guesser: None)
    outcome = guesses.run(100, 20261118, Silent())
    assert not outcome.met
    assert "a new browser heard 429 after the guesses" in outcome.reason
