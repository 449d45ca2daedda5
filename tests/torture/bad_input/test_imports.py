"""Thousands of mutated imports, and readers that lack a rule: the row finds them out."""

import random
import re
from typing import Any

import pytest

from tests.torture.bad_input import imports
from tests.torture.bad_input.attempts import attempt
from tests.torture.bad_input.verdicts import ACCEPTED
from tests.torture.row import Silent


def test_thousands_of_mutated_imports_are_refused_or_sound() -> None:
    tally = attempt(imports.imports, 2500, 1, Silent())
    assert tally.findings == []
    # The changes reach many rules, not only the first.
    assert len(tally.verdicts) > 45
    assert tally.verdicts[ACCEPTED] > 250


def test_the_row_tells_what_came_of_it() -> None:
    outcome = imports.run(250, 2, Silent())
    assert outcome.met
    assert outcome.figure.startswith("250 imports: ")


def test_every_kind_of_file_is_both_accepted_and_refused() -> None:
    dice, found = random.Random(3), set()
    with imports.imports() as trial:
        for _ in range(2500):
            given = trial.draw(dice)
            found.add((given.name, trial.judge(given) == ACCEPTED))
    assert len(found) == 14


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        # The errors of the library reach the caller.
        ("client.authoring.yaml_file.yaml.YAMLError", ZeroDivisionError),
        # Of a key that appears twice, one value is lost.
        ("client.core.primitives.canonical._no_duplicates", dict),
        # Any sign may stand in a text, any number in a set.
        ("client.core.primitives.values.CONTROL", re.compile("(?!)")),
        ("client.core.mechanisms.subset_selection.check_set", lambda *_: None),
        # A table may have any columns.
        ("estimators.counting.reports_file.check_heading", lambda *_: None),
    ],
)
def test_a_reader_without_one_of_its_rules_is_found_out(
    rule: str, other: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule, other)
    outcome = imports.run(1500, 4, Silent())
    assert not outcome.met
    assert outcome.reason
