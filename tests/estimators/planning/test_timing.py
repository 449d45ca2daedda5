"""What the clock tells: the best match of tickets and reports by their times, and in words."""

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from client.authoring.draft.survey import build_survey
from estimators.planning import timing as timings
from estimators.planning.lint import lint
from estimators.planning.timing import DAY, WEEK, joined_part, percent, timing, timing_sentence
from tests.support.figures import figures, run
from tests.support.process import ROOT

HOUR = 60.0
# Measured by another program when blind tickets were designed, in percent: sent at once, waiting up
# to an hour, and up to a day. Twelve runs of each.
MEASURED = {
    (30, WEEK): (100, 96, 34),
    (200, WEEK): (93, 66, 5),
    (500, 2 * DAY): (57, 11, 0.6),
    (1000, DAY): (19, 3, 0.3),
    (500, HOUR): (1.5, 0.4, 0.2),
}
DRAFT: dict[str, Any] = {
    "slug": "ward",
    "title": "Ward",
    "delete_on": "2999-12-31",
    "access": "invited",
    "questions": [{"id": "a", "prompt": "A?", "epsilon": "1", "decline": True}],
}


@pytest.mark.parametrize(("people", "minutes"), MEASURED)
def test_the_parts_are_those_that_another_program_measured(people: int, minutes: float) -> None:
    for wait, measured in zip((0, HOUR, DAY), MEASURED[people, minutes], strict=True):
        assert 100 * joined_part(people, minutes, wait) == pytest.approx(measured, abs=5)


def test_no_other_match_is_more_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against every possible match of six tickets and six reports."""
    seen: list[Any] = []
    assign = optimize.linear_sum_assignment

    def watching(likely: Any, maximize: bool) -> Any:
        found = assign(likely, maximize=maximize)
        seen.append((likely, found[1]))
        return found

    monkeypatch.setattr(optimize, "linear_sum_assignment", watching)
    joined_part(6, 30.0, 0)
    for likely, matched in seen:
        best = max(permutations(range(6)), key=lambda each: likely[range(6), list(each)].sum())
        assert likely[range(6), matched].sum() == pytest.approx(likely[range(6), list(best)].sum())


def test_the_likelihoods_are_those_of_the_gaps() -> None:
    """A log-normal time, alone and with an even wait, against scipy and by integration."""
    law = stats.lognorm(0.6, scale=5.0)
    gaps = np.array([0.5, 5.0, 30.0])
    alone = timings._log_density(gaps, 0.0)
    expected = law.logpdf(gaps)
    assert alone - alone[0] == pytest.approx(expected - expected[0])
    waits = np.linspace(0, HOUR, 20_001)
    mixed = [float(np.trapezoid(law.pdf(gap - waits), waits)) for gap in gaps]
    found = timings._log_density(gaps, HOUR)
    assert np.exp(found) == pytest.approx(mixed, rel=1e-3)
    assert timings._log_density(np.array([-1.0]), 0.0)[0] < -1000
    assert timings._log_density(np.array([-1.0]), HOUR)[0] < -1000


def warnings_of(respondents: int, **fields: Any) -> list[Any]:
    data = json.dumps({**DRAFT, **fields}).encode()
    return [each for each in lint(data, "ward.json", respondents) if each.code == "clock_joins"]


def test_lint_warns_where_few_people_answer_and_tickets_are_not_collected_first() -> None:
    (found,) = warnings_of(200)
    assert found.field == "answer_from"
    assert "with 200 people in a week" in found.message
    assert "could join 93 % of the links" in found.message
    assert "5 % if everybody sends another day" in found.message
    assert "with answer_from, tickets are collected first" in found.message
    assert warnings_of(200, answer_from="2027-03-01") == warnings_of(200, access="open") == []
    assert warnings_of(1_000_000) == []


def test_the_plan_tells_it_in_words_and_figures(tmp_path: Any) -> None:
    path = tmp_path / "ward.json"
    path.write_text(json.dumps(DRAFT))
    told = " ".join(run("plan", path, "--respondents", "200").output.split())
    assert timing_sentence(build_survey(DRAFT), 200) in told
    assert figures("plan", path, "--respondents", "200")["timing"]["at_once"] == pytest.approx(
        timing(200).at_once
    )
    path.write_text(json.dumps({**DRAFT, "access": "open"}))
    assert "timing" not in figures("plan", path, "--respondents", "200")
    assert "in a week" not in run("plan", path, "--respondents", "200").output
    collecting = build_survey({**DRAFT, "answer_from": "2027-03-01"})
    assert "no more of 200 people than by guessing" in timing_sentence(collecting, 200)


def test_the_table_in_the_docs_is_computed() -> None:
    text = (ROOT / "docs/survey-files.md").read_text("utf-8")
    for (people, minutes), words in zip(
        MEASURED,
        ["in a week", "in a week", "in two days", "in a day", "in an hour"],
        strict=True,
    ):
        found = timing(people, minutes)
        row = (f"{people:,} {words}", *map(percent, (found.at_once, found.another_day)))
        chance = f"{100 / people:.1f}".removesuffix(".0")
        assert f"| {' | '.join(row)} | {chance} % |" in text
