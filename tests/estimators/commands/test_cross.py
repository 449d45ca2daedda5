"""`candor cross`: the table in 100 columns, as JSON, as a figure, and its refusals."""

import json
from pathlib import Path

import pytest

from tests.support.exported import exported, reports_of, survey_to_export
from tests.support.figures import complaint, figures, run

COUNTS = {("no", "no"): 68, ("no", "yes"): 52, ("yes", "no"): 103, ("yes", "yes"): 189}
MATRIX = {"reports": ["no", "yes"], "truths": ["No", "Yes"], "matrix": [[0.8, 0.2], [0.2, 0.8]]}


@pytest.fixture
def data(tmp_path: Path) -> tuple[Path, str, Path]:
    """Return published counts of two yes/no answers, each kept with the chance 0.8."""
    rows = [f"{one},{other}\n" for (one, other), count in COUNTS.items() for _ in range(count)]
    table, design = tmp_path / "answers.csv", tmp_path / "design.json"
    table.write_text("one,other\n" + "".join(rows), "utf-8")
    design.write_text(json.dumps({"format": 1, "questions": {"one": MATRIX, "other": MATRIX}}))
    return table, "--design", design


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    survey, path = survey_to_export(sampled=False), tmp_path / "export.zip"
    path.write_bytes(exported(survey, reports_of(survey, 200)))
    return path


def test_published_counts_give_the_published_figures(data: tuple[Path, str, Path]) -> None:
    found = figures("cross", *data, "one", "other")
    assert found["n"] == 412
    assert [round(cell["share"]["value"], 8) for cell in found["cells"]] == [
        *(0.17718447, -0.02508091, 0.18122977, 0.66666667)
    ]
    assert [round(cell["share"]["standard_error"], 7) for cell in found["cells"]] == [
        *(0.0372477, 0.0357258, 0.0463262, 0.0513029)
    ]
    assert round(found["phi"]["value"], 4) == 0.7123
    assert round(found["phi"]["standard_error"], 4) == 0.1827
    assert found["log_odds_ratio"] is found["odds_ratio"] is found["advice"] is None
    assert (round(found["test"]["statistic"], 6), found["test"]["df"]) == (16.031683, 1)
    assert found["cells"][2]["row"] == "Yes"


def test_people_read_a_table_and_sentences(data: tuple[Path, str, Path]) -> None:
    told = run("cross", *data, "one", "other").output
    assert "one by other: 412 reports answer both" in told
    assert "17.7 ± 3.7   -2.5 ± 3.6   15.2 ± 3.7" in told
    assert "Shares of each row, in per cent with 95 % interval" in told
    assert "21 (11 to 32)" in told
    assert "Phi is 0.71 (standard error 0.18, 95 % interval 0.35 to 1.00)." in told
    assert "The odds ratio is not estimable: not all four cells are above 0." in told
    assert "chi-square 16.03 with 1 degree of freedom, p below 0.0001: the answers are" in told


def test_shares_of_columns_and_another_confidence_can_be_chosen(
    data: tuple[Path, str, Path],
) -> None:
    told = run("cross", *data, "one", "other", "--shares", "columns", "--confidence", "0.9").output
    assert "Shares of each column, in per cent with 90 % interval" in told
    assert "Phi is 0.71 (standard error 0.18, 90 % interval 0.41 to 1.00)." in told


@pytest.mark.parametrize(
    "names",
    [
        ("smokes", "colour"),
        ("name:n1", "many"),
        ("illness", "any"),
        ("smokes", "drinks"),
        ("both",),
        ("illness:a", "illness:b"),
    ],
    ids="-".join,
)
def test_every_line_fits_into_100_columns(zipped: Path, names: tuple[str, ...]) -> None:
    told = run("cross", zipped, *names)
    assert told.exit_code == 0
    assert max(map(len, told.output.splitlines())) <= 100


def test_a_row_that_may_be_empty_has_no_number(zipped: Path) -> None:
    assert "? No number can be given: the row may be empty" in (
        run("cross", zipped, "colour", "smokes").output
    )


def test_advice_names_gain_and_price(zipped: Path) -> None:
    told = " ".join(run("cross", zipped, "smokes", "colour").output.split())
    assert "One question of the kind cross with the same total epsilon, 0.8, would have" in told
    assert "Its price is more variance for the shares of smokes" in told


def test_a_figure_is_written_in_its_size_and_without_colours(zipped: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.svg"
    run("cross", zipped, "smokes", "colour", "--plot", path, "--size", "5x3", "--grey")
    drawn = path.read_text("utf-8")
    assert 'width="360pt" height="216pt"' in drawn
    assert "smokes by colour" in drawn
    means = tmp_path / "means.svg"
    run("cross", zipped, "smokes", "drinks", "--plot", means)
    assert "Mean of drinks by smokes" in means.read_text("utf-8")


def test_bad_input_is_one_sentence(zipped: Path) -> None:
    assert complaint("cross", zipped, "smokes", "nope").startswith(
        "nope is not a randomized question of these data; they have smokes"
    )
    assert "between 0 and 1" in complaint("cross", zipped, "smokes", "fruit", "--confidence", "2")


def test_estimate_shows_a_cross_question_as_a_table(zipped: Path) -> None:
    told = run("estimate", zipped).output
    assert "both:\nA? by B?: 200 reports answer both" in told
    assert "No / Yes" not in told.partition("both:")[0]
    found = figures("estimate", zipped)["cross_tables"]["both"]
    assert found == figures("cross", zipped, "both")
