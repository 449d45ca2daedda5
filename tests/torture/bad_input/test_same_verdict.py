"""Both languages agree on thousands of inputs, and a rule that one of them lacks is noticed."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.browser.node import SCRIPTS
from tests.torture.bad_input import same_verdict
from tests.torture.bad_input.attempts import attempt
from tests.torture.bad_input.verdicts import ACCEPTED
from tests.torture.row import Silent


def test_both_languages_give_the_same_verdict_on_thousands_of_inputs() -> None:
    tally = attempt(same_verdict.same_verdict, 4000, 1, Silent())
    assert tally.findings == []
    # The changes reach many rules, not only the first.
    assert len(tally.verdicts) > 40
    assert tally.verdicts[ACCEPTED] > 500


def test_the_row_tells_what_came_of_it() -> None:
    outcome = same_verdict.run(250, 2, Silent())
    assert outcome.met
    assert outcome.figure.startswith("250 documents, reports and answers: ")


@pytest.mark.parametrize(
    ("script", "rule", "other"),
    [
        ("core/primitives/values.js", "!CONTROL.test(value)", "true"),
        ("core/document.js", 'require(total === sum, "wrong_total"', 'require(true, "wrong_total"'),
        ("core/primitives/canonical.js", "digits.length <= MAX_DIGITS", "digits.length <= 16"),
        ("core/primitives/domain.js", "value <= high", "value <= high + 1"),
        ("core/mechanisms/subset_selection.js", "bern(words", "!bern(words"),
    ],
)
def test_another_rule_in_one_language_is_noticed(
    tmp_path: Path, script: str, rule: str, other: str
) -> None:
    scripts = tmp_path / "browser"
    shutil.copytree(SCRIPTS, scripts)
    text = (scripts / script).read_text()
    assert rule in text
    (scripts / script).write_text(text.replace(rule, other))
    assert attempt(partial(same_verdict.same_verdict, scripts), 2000, 3, Silent()).findings
