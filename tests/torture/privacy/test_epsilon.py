"""The epsilon of real browsers at a small scale; a script with a fault would be noticed."""

from collections import Counter

import pytest

from client.core.mechanisms import MECHANISMS
from tests.browser.one_script import without_start
from tests.torture.privacy import epsilon
from tests.torture.privacy.browsers import CHROMIUM
from tests.torture.privacy.every_input import ASKED, SURVEY
from tests.torture.row import Silent

# Their intervals are wide: this much is proven at the small scale.
PEOPLE = 20_000
LEAST_HERE = 0.6


def planted(old: str, new: str) -> str:
    script = without_start()
    assert old in script
    return script.replace(old, new)


def test_the_survey_has_every_mechanism() -> None:
    assert {question.mechanism.name for question in SURVEY.questions} == set(MECHANISMS)


@pytest.fixture(scope="module")
def counts() -> list[Counter[str]]:
    return CHROMIUM.count(without_start(), PEOPLE)


def test_a_browser_delivers_epsilon_and_no_more(counts: list[Counter[str]]) -> None:
    assert epsilon.faults(counts, LEAST_HERE) == []


def test_every_draw_is_counted(counts: list[Counter[str]]) -> None:
    for asked in ASKED:
        tallies = asked.tally(counts)
        assert sum(tally.total() for tally in tallies.values()) == 3 * PEOPLE


def test_so_few_draws_do_not_prove_the_goal(counts: list[Counter[str]]) -> None:
    found = epsilon.faults(counts)
    assert found
    assert all("is proven" in fault for fault in found)


def test_the_row_measures_every_browser_that_is_here() -> None:
    outcome = epsilon.run(2_000, 0, Silent())
    for browser in epsilon.BROWSERS:
        assert (browser.name in outcome.figure) == (browser.find() is not None)


def test_the_row_names_a_browser_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDOR_FIREFOX", "no-such-browser")
    outcome = epsilon.run(200, 0, Silent())
    assert (outcome.met, outcome.reason) == (False, "there is no Firefox here")


def test_a_browser_that_keeps_the_truth_a_little_too_often_is_accused() -> None:
    """Of eight flips, the script forgets one: epsilon 1 becomes 1.18."""
    forgetful = planted(
        "return bern(words, this.threshold) ? bit",
        "return words.word() < this.threshold || words.word() < 2 ** 29 ? bit",
    )
    found = epsilon.faults(CHROMIUM.count(forgetful, PEOPLE), LEAST_HERE)
    assert any(fault.startswith("rr: ") for fault in found)


def test_a_failure_in_the_browser_is_told() -> None:
    with pytest.raises(RuntimeError, match="Chromium: Error: no words"):
        CHROMIUM.count(planted("return words.word() < threshold;", 'throw Error("no words");'), 10)
