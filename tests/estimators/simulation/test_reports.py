"""Whole reports of synthetic respondents are reproducible, and the server accepts them."""

import pytest
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.core.report import Report
from client.core.survey import Survey
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.reports import MOST_IN_BLOCK, simulate_columns, simulate_reports
from tests.support.surveys import EVERY_KIND, survey_of, yes_no

# The chance that a test which samples fails although the simulator is correct.
FALSE_ALARM = 1e-6


@pytest.fixture
def survey() -> Survey:
    return build_survey(EVERY_KIND)


def people(survey: Survey, *shares: str) -> Population:
    return Population(survey, shares_by_question(survey, shares))


def test_the_same_seed_gives_the_same_reports_and_another_seed_others(survey: Survey) -> None:
    def draw(seed: int) -> list[bytes]:
        return [report.body for report in simulate_reports(people(survey), 20, stream(seed))]

    assert draw(1) == draw(1) != draw(2)


@pytest.mark.parametrize("ask", ["0", "3"])
def test_whole_reports_are_ones_that_the_server_would_accept(ask: str) -> None:
    draft = {**EVERY_KIND, "ask_each_person": ask}
    if ask != "0":
        draft["questions"] = EVERY_KIND["questions"][:-1]
    survey = build_survey(draft)
    reports = list(simulate_reports(people(survey), 300, stream(1)))
    assert len(reports) == 300
    for report in reports:
        assert Report.parse(report.wire(survey), survey) == report
    asked = [sum(value is not None for value in report.randomized.values()) for report in reports]
    assert set(asked) == {survey.asked}


def test_whole_reports_carry_the_truth_through_the_channel(survey: Survey) -> None:
    reports = simulate_reports(people(survey, "a=0,1"), 2000, stream(1))
    yes = sum(report.randomized["a"] for report in reports)
    chance = float(survey.questions[0].mechanism.keep)
    assert stats.binomtest(yes, 2000, chance).pvalue > FALSE_ALARM


def test_reports_have_no_order() -> None:
    """People who say no do not come first: half of them are in the first half."""
    survey = survey_of(yes_no("a", "8"))
    (columns,) = simulate_columns(people(survey), 8_000, stream(5))
    reports = columns.randomized["a"]
    first, second = int(reports[:4000].sum()), int(reports[4000:].sum())
    assert stats.binomtest(first, first + second).pvalue > FALSE_ALARM


def test_blocks_of_reports_differ_and_make_up_the_whole() -> None:
    survey = survey_of(yes_no("a", "1"))
    n = 2 * MOST_IN_BLOCK + 5
    first, second, rest = (
        block.randomized["a"].tolist() for block in simulate_columns(people(survey), n, stream(5))
    )
    assert [len(first), len(second), len(rest)] == [MOST_IN_BLOCK, MOST_IN_BLOCK, 5]
    assert first != second
