"""Synthetic respondents choose a group where a survey asks for one, evenly at random."""

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.authoring.files import write_survey_file
from client.core.primitives.refusal import Refusal
from client.core.report import Report
from client.core.survey import Survey
from client.terminal.simulate import simulate
from estimators.columns.reading import read_frame
from estimators.counting.reports_file import tally_file
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.group_shares import group_shares
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.reports import simulate_columns, simulate_reports, write_reports
from tests.client.authoring.test_groups import DRAFT
from tests.support.surveys import EVERY_KIND

# The chance that a test which samples fails although the simulator is correct.
FALSE_ALARM = 1e-6


@pytest.fixture
def survey() -> Survey:
    levels = {"id": "arm", "prompt": "Arm?", "levels": ["A", "B", "C"]}
    more = {"id": "age_band", "prompt": "Age?", "levels": ["Young", "Old"]}
    groups = {"by": "choice", "factors": [levels, more]}
    return build_survey({**EVERY_KIND, "groups": groups})


def people(survey: Survey) -> Population:
    return Population(survey, shares_by_question(survey, []))


def test_every_report_names_a_group_and_all_groups_are_equally_likely(survey: Survey) -> None:
    reports = list(simulate_reports(people(survey), 2400, stream(1)))
    assert all(Report.parse(report.wire(survey), survey) == report for report in reports[:200])
    assert survey.groups
    counts = Counter(report.group for report in reports)
    assert sorted(counts) == sorted(survey.groups.codes)
    assert stats.chisquare(list(counts.values())).pvalue > FALSE_ALARM


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_files_of_such_reports_are_read_back(survey: Survey, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"reports{suffix}"
    write_reports(simulate_columns(people(survey), 50, stream(1)), path, survey)
    assert tally_file(path, survey)["a"].n == 50
    if suffix == ".jsonl":
        drawn = simulate_reports(people(survey), 50, stream(1))
        assert path.read_bytes() == b"".join(report.body + b"\n" for report in drawn)


def test_a_device_that_makes_up_its_answers_chooses_a_group_too(tmp_path: Path) -> None:
    path = tmp_path / "survey.json"
    path.write_bytes(write_survey_file(DRAFT, path.name))
    result = CliRunner().invoke(simulate, [str(path), "--respondents", "60"])
    survey = build_survey(DRAFT)
    groups = {Report.parse(line.encode(), survey).group for line in result.output.splitlines()}
    # All 60 leave out one of three groups once in 10^10 runs.
    assert groups == {"0", "1", "2"}


@pytest.mark.parametrize("by", ["choice", "link"])
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_have_the_labels_of_the_groups_in_the_shares_that_were_given(
    tmp_path: Path, by: str, suffix: str
) -> None:
    factor = {"id": "arm", "prompt": "Arm?", "levels": ["A, first", "=B"]}
    survey = build_survey({**EVERY_KIND, "groups": {"by": by, "factors": [factor]}})
    given = "arm=0.75,0.25" + (",0" if by == "choice" else "")
    path = tmp_path / f"reports{suffix}"
    columns = simulate_columns(people(survey), 400, stream(1), group_shares(survey, [given]))
    write_reports(columns, path, survey)
    assert tally_file(path, survey)["a"].n == 400
    (tmp_path / "survey.json").write_bytes(survey.document)
    frame = read_frame(path, tmp_path / "survey.json")
    counts = Counter(map(str, frame.plain["arm"]))
    assert sorted(counts) == ["=B", "A, first"]
    assert stats.binomtest(counts["A, first"], 400, 0.75).pvalue > FALSE_ALARM


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arm=0.5,0.5", "must have one share for each of the 4 levels"),
        ("arm=0.5,0.5,0.5,0", "must sum to 1"),
        ("arm=2,-1,0,0", "must be between 0 and 1"),
        ("arm=a,b,c,d", "must be numbers such as 0.7,0.3"),
        ("leg=1", "leg"),
    ],
)
def test_shares_of_groups_that_make_no_sense_are_refused(
    survey: Survey, text: str, message: str
) -> None:
    with pytest.raises(Refusal, match=message):
        group_shares(survey, [text])


def test_a_survey_without_groups_has_nothing_to_share() -> None:
    assert group_shares(build_survey(EVERY_KIND)) is None
    with pytest.raises(Refusal, match="has no groups"):
        group_shares(build_survey(EVERY_KIND), ["arm=1"])
