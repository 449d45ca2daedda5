"""Thousands of mutated reports, and servers that lack a rule: the row finds them out."""

import json
from base64 import b64decode
from typing import Any

import pytest

from client.core.groups import Groups
from client.core.primitives.refusal import Refusal
from tests.torture.bad_input import reports
from tests.torture.bad_input.attempts import attempt
from tests.torture.bad_input.oracles.report import check_report
from tests.torture.bad_input.verdicts import ACCEPTED
from tests.torture.row import Silent
from tests.vectors.generate import read


def test_thousands_of_mutated_reports_are_refused_or_sound() -> None:
    tally = attempt(reports.reports, 2500, 1, Silent())
    assert tally.findings == []
    # The changes reach many rules, not only the first.
    assert len(tally.verdicts) > 20
    assert tally.verdicts[ACCEPTED] > 200


def test_the_row_tells_what_came_of_it() -> None:
    outcome = reports.run(250, 2, Silent())
    assert outcome.met
    assert outcome.figure.startswith("250 reports: ")


def vectors() -> dict[str, dict[str, Any]]:
    return {vector["name"]: vector for vector in read("reports.jsonl")}


def judged(vector: dict[str, Any]) -> None:
    document = json.loads(vectors()[vector["document"]]["text"])
    fingerprint = vectors()[vector["document"]]["fingerprint"]
    data = vector["text"].encode() if "text" in vector else b64decode(vector["base64"])
    check_report(document, fingerprint, data)


def test_the_oracle_agrees_with_every_vector() -> None:
    wrong = (AssertionError, ValueError, TypeError, AttributeError, RecursionError)
    for name, vector in vectors().items():
        if name.startswith("report_good"):
            judged(vector)
        elif name.startswith("report_bad"):
            with pytest.raises(wrong):
                judged(vector)


def in_a_set(groups: Groups, code: Any, field: str) -> None:
    """Like `Groups.check`, but it fails with an error of Python for a list."""
    if code not in set(groups.codes):
        raise Refusal("bad_group.unknown", field, group=code, example=groups.codes[0])


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("client.core.mechanisms.sliding_window.check_integer", lambda *_: None),
        ("client.core.mechanisms.subset_selection.check_set", lambda *_: None),
        ("server.lifecycle.hand_in.check_assignment", lambda *_: None),
        ("client.core.primitives.canonical._no_duplicates", dict),
        ("client.core.groups.Groups.check", in_a_set),
    ],
)
def test_a_server_without_one_of_its_rules_is_found_out(
    rule: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule, other)
    outcome = reports.run(1500, 3, Silent())
    assert not outcome.met
    assert outcome.reason


def test_reports_that_are_acknowledged_and_not_stored_are_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.store.ballot_box._insert", lambda *_: None)
    outcome = reports.run(250, 4, Silent())
    assert not outcome.met
