"""Factors of the groups in the analysis: columns of the export, in the order of the survey."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.analysis.data import Data, read_data
from estimators.counting.reports_file import tally_file
from tests.support.exported import exported, output_of, rows_of, unpack
from tests.support.figures import figures
from tests.support.r_language import RSCRIPT

# Not in the order of the alphabet; one label would run in a spreadsheet.
AGE = {"id": "age", "prompt": "Age?", "levels": ["Under 30", "30 to 59", "=60+"]}
ARM = {"id": "arm", "prompt": "Arm?", "levels": ["control", "coaching"]}
DRAFT: dict[str, Any] = {
    "slug": "s",
    "title": "S",
    "groups": {"by": "link", "factors": [AGE, ARM]},
    "questions": [{"id": "q", "prompt": "Ill?", "epsilon": "2"}],
}
# Of 60 reports in each group so many say yes; "" are groups that are too small.
YES = {"": 30, "0-0": 20, "0-1": 30, "1-0": 24, "2-1": 45}


@pytest.fixture(scope="module")
def survey() -> Survey:
    return build_survey(DRAFT)


@pytest.fixture(scope="module")
def zipped(survey: Survey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    reports = [
        (code, canonical.canonical({"q": int(row < yes)}).decode())
        for code, yes in YES.items()
        for row in range(60)
    ]
    path = tmp_path_factory.mktemp("factors") / "export.zip"
    path.write_bytes(exported(survey, sorted(reports)))
    return path


@pytest.fixture(scope="module")
def data(zipped: Path) -> Data:
    return read_data(zipped)


def test_the_export_has_a_column_per_factor_and_the_whole_group(zipped: Path) -> None:
    with ZipFile(zipped) as archive:
        reports, scores, codebook, estimates = (
            rows_of(archive.read(f"{name}.csv").decode())
            for name in ("reports", "scores", "codebook", "estimates")
        )
    told = [(row["age"], row["arm"], row["group"]) for row in reports]
    assert told == [(row["age"], row["arm"], row["group"]) for row in scores]
    assert set(told) == {
        ("", "", ""),
        ("Under 30", "control", "Under 30, control"),
        ("Under 30", "coaching", "Under 30, coaching"),
        ("30 to 59", "control", "30 to 59, control"),
        ("'=60+", "coaching", "'=60+, coaching"),
    }
    listed = [(row["question"], row["label"]) for row in codebook if row["kind"] == "factor"]
    assert listed[-2:] == [("arm", "control"), ("arm", "coaching")]
    assert {row["group"] for row in estimates} == {group for *_, group in told}


def test_factors_are_covariates_with_their_levels_in_order(data: Data) -> None:
    assert data.covariates == ["age", "arm", "group"]
    found = data.compare("q", by="age")
    assert [row.group for row in found.groups] == ["Under 30", "30 to 59", "=60+"]
    assert [row.n for row in found.groups] == [120, 60, 60]
    assert found.without_group == 60
    groups = [row.group for row in data.compare("q").groups]
    assert groups == [
        "Under 30, control",
        "Under 30, coaching",
        "30 to 59, control",
        "=60+, coaching",
    ]


def test_the_first_level_of_a_factor_is_the_reference_of_a_regression(data: Data) -> None:
    fit = data.regress("q ~ age + arm", model="linear")
    assert list(fit.params.index) == [
        *("Intercept", "age[T.30 to 59]", "age[T.=60+]", "arm[T.coaching]"),
    ]


def test_the_command_compares_by_a_factor_without_further_files(zipped: Path) -> None:
    answer = figures("compare", zipped, "q", "--by", "arm")
    assert [row["group"] for row in answer["groups"]] == ["control", "coaching"]
    assert [row["n"] for row in answer["groups"]] == [120, 120]


def test_attributes_may_be_of_the_levels_of_a_factor(zipped: Path, tmp_path: Path) -> None:
    file = tmp_path / "arms.csv"
    file.write_text("arm,hours\ncontrol,0\ncoaching,12\n")
    found = read_data(zipped, attributes=file).compare("q", by="hours")
    assert [(row.group, row.n) for row in found.groups] == [("0", 120), ("12", 120)]


def test_a_row_that_names_no_group_is_refused_with_its_line(survey: Survey, tmp_path: Path) -> None:
    file = tmp_path / "reports.csv"
    file.write_text("q,age,arm\n1,Under 30,control\n0,Under 30,placebo\n")
    with pytest.raises(Refusal, match="line 3: the columns age, arm name no group"):
        tally_file(file, survey)
    file.write_text("q,age\n1,Under 30\n")
    with pytest.raises(Refusal, match="and arm is missing"):
        tally_file(file, survey)


def test_r_compares_and_regresses_by_factors(zipped: Path, tmp_path: Path) -> None:
    folder = unpack(zipped.read_bytes(), tmp_path / "unpacked")
    lines = [
        'source("analyse.R")',
        'cat("groups", compare("q", by = reports[["arm"]])$shares$group, "\\n")',
        'cat("terms", regress(q ~ age + arm, model = "linear")$coefficients$term, "\\n")',
    ]
    (folder / "ask.R").write_text("\n".join(lines))
    printed = output_of(folder, (*RSCRIPT, "ask.R"))
    assert "groups (none) coaching control" in printed
    assert "age30 to 59" in printed
    assert "armcoaching" in printed
