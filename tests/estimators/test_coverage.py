"""Intervals hold the truth, and tests keep their level, as often as estimators/README.md says.

Every case of the long measurements is taken again here, with few samples.
"""

from collections.abc import Sequence

import pytest

from tests.benchmarks.coverage import (
    cross,
    designs,
    groups,
    leaders,
    regression,
    shares,
    two_shares,
)
from tests.benchmarks.coverage.measuring import COVER, Case, rows_of, slack, stated
from tests.support.methods_page import TEXT
from tests.support.process import ROOT

PARTS: dict[str, Sequence[Case]] = {
    "shares": shares.CASES,
    "leaders": leaders.CASES,
    "compare": (*two_shares.CASES, *groups.CASES),
    "cross": cross.CASES,
    "regression": regression.CASES,
    "designs": designs.CASES,
}
CASES = {case.name: case for cases in PARTS.values() for case in cases}
README = (ROOT / "estimators" / "README.md").read_text()
STATED = stated(README)
# What falls short of its goal, and is said to do so below its table.
SHORT = {name for name in CASES if name.startswith("difference, ")}


def test_the_readme_has_every_case_with_its_goal_and_samples() -> None:
    assert len(CASES) == sum(map(len, PARTS.values()))
    wanted = {case.name: (case.goal, case.samples) for case in CASES.values()}
    assert {name: row[:2] for name, row in STATED.items()} == wanted


def test_the_page_about_methods_has_rows_of_the_readme_for_every_estimator() -> None:
    ours, theirs = set(rows_of(README)), set(rows_of(TEXT))
    assert theirs <= ours
    for part, cases in PARTS.items():
        assert any(case.name in stated(TEXT) for case in cases), part


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.few])
def test_a_small_measurement_does_not_contradict_the_readme(name: str) -> None:
    """An exact one is the same; a drawn one is within four standard errors."""
    case, (_, samples, figures) = CASES[name], STATED[name]
    found = case.measure(case.few).parts
    assert found.keys() == figures.keys()
    for figure, part in found.items():
        room = slack(figures[figure], samples, case.few) if samples else 6e-4
        assert part == pytest.approx(figures[figure], abs=room), figure


@pytest.mark.parametrize("name", CASES)
def test_what_the_readme_states_is_near_the_goal(name: str) -> None:
    """No interval covers 92 % or less of what it should, and no test rejects 6.5 % or more."""
    goal, _, figures = STATED[name]
    if goal == COVER:
        assert min(figures.values()) > (0.90 if name in SHORT else 0.925)
    else:
        assert max(figures.values()) < 0.065
