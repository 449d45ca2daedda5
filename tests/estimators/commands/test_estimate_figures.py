"""`candor estimate --plot`: one question's figure for a paper, and what is refused."""

import json
from pathlib import Path

import pytest

from tests.support.exported import exported, reports_of, survey_to_export
from tests.support.figures import complaint, figures, run

SURVEY = survey_to_export(sampled=False)
IDS = [question.id for question in SURVEY.questions]


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "export.zip"
    path.write_bytes(exported(SURVEY, reports_of(SURVEY, 200)))
    return path


def drawn(zipped: Path, folder: Path, question: str, *options: str) -> str:
    path = folder / "figure.svg"
    result = run("estimate", zipped, "--question", question, "--plot", path, *options)
    assert result.exit_code == 0, result.stderr
    return path.read_text()


@pytest.mark.parametrize("question", IDS)
def test_every_kind_of_question_has_a_figure(zipped: Path, tmp_path: Path, question: str) -> None:
    drawing = drawn(zipped, tmp_path, question)
    assert "95 % interval" in drawing
    assert "200" in drawing


def test_a_number_is_drawn_with_its_box_plot(zipped: Path, tmp_path: Path) -> None:
    drawing = drawn(zipped, tmp_path, "hours")
    assert "Hours?" in drawing
    assert "@h" in drawing
    assert "75 % quantile" in drawing
    assert "Reported" not in drawing


def test_without_intervals_of_its_quantiles_a_number_is_drawn_as_a_mean(
    zipped: Path, tmp_path: Path
) -> None:
    drawing = drawn(zipped, tmp_path, "hours", "--confidence", "0.9")
    assert "90 % interval" in drawing
    assert "mean" in drawing
    assert "quantile" not in drawing


def test_reported_shares_and_colours_can_be_left_out(zipped: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    both = drawn(zipped, tmp_path, "fruit")
    plain = drawn(zipped, tmp_path / "plain", "fruit", "--no-reported", "--grey", "--size", "3x2")
    assert "Reported" in both
    assert "#0072b2" in both
    assert "Reported" not in plain
    assert "#0072b2" not in plain
    assert 'width="216pt" height="144pt"' in plain


def test_a_column_that_somebody_else_randomized_has_a_figure(tmp_path: Path) -> None:
    (tmp_path / "dice.csv").write_text("cheated\n" + "1\n0\n0\n" * 40)
    design = {"format": 1, "questions": {"cheated": {"kind": "warner", "p": 0.8}}}
    (tmp_path / "design.json").write_text(json.dumps(design))
    plot = tmp_path / "cheated.svg"
    files = (tmp_path / "dice.csv", "--design", tmp_path / "design.json")
    assert run("estimate", *files, "--plot", plot).exit_code == 0
    assert "cheated" in plot.read_text()


def test_one_question_is_printed_without_the_others(zipped: Path) -> None:
    found = figures("estimate", zipped, "--question", "fruit")
    assert {row["question"] for row in found["estimates"]} == {"fruit"}
    assert {row["question"] for row in found["forging"] + found["draws"]} <= {"fruit"}
    assert found["n"] == 200


def test_a_figure_without_its_question_is_refused(zipped: Path, tmp_path: Path) -> None:
    plot = tmp_path / "figure.png"
    assert "--question ID" in run("estimate", zipped, "--plot", plot).stderr
    assert "fruit" in complaint("estimate", zipped, "--question", "cake", "--plot", plot)
    assert "need --plot" in run("estimate", zipped, "--no-reported").stderr
    assert "6.3x4" in complaint("estimate", zipped, "--plot", plot, "--size", "2")
    assert not plot.exists()


def test_counts_have_a_size_of_reports_and_no_figure(tmp_path: Path) -> None:
    subset = ("--mechanism", "ss", "--options", 5, "--epsilon", 0.5, "--counts", "9,8,8,7,8")
    assert figures("estimate", *subset, "--size", 2)["shape"] == {"options": 5, "size": 2}
    assert run("estimate", *subset, "--size", "6.3x4").exit_code == 2
    told = run("estimate", *subset, "--size", 2, "--plot", tmp_path / "figure.png")
    assert "need DATA" in told.stderr
