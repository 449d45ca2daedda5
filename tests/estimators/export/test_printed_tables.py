"""analyse.py prints the tables of the estimates, and still says if a figure differs."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from tests.support.exported import (
    GROUPS,
    by_key,
    exported,
    output_of,
    reports_of,
    run_in,
    survey_to_export,
    table,
    unpack,
)

SCRIPT = (sys.executable, "analyse.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = survey_to_export(sampled=False)
    content = exported(survey, reports_of(survey, 300, GROUPS))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


@pytest.fixture(scope="module")
def printed(folder: Path) -> str:
    return output_of(folder, SCRIPT)


def section(printed: str, question: str) -> list[str]:
    """Return the lines about a question, without its text and the heading."""
    (found,) = [part for part in printed.split("\n\n") if part.startswith(f"{question}: ")]
    return found.splitlines()[2:]


def test_every_question_has_a_table_of_at_most_100_columns(folder: Path, printed: str) -> None:
    for row in table(folder / "codebook.csv"):
        assert row["kind"] == "factor" or section(printed, row["question"])
    assert max(map(len, printed.splitlines())) <= 100


def test_a_line_has_the_share_its_interval_and_the_total_of_everybody_and_of_each_group(
    folder: Path, printed: str
) -> None:
    key = ("question", "group", "quantity", "option")
    found = by_key(table(folder / "estimates.csv"), key)
    lines = section(printed, "smokes")
    names = [("No", "", "0"), ("", "north", "0"), ("Yes", "", "1"), ("", "north", "1")]
    assert len(lines) == len(names)
    for line, (label, group, option) in zip(lines, names, strict=True):
        row = found["smokes", group, "share", option]
        value, low, high = (100 * float(row[part]) for part in ("value", "low", "high"))
        n, total = int(row["n"]), round(float(row["total"]))
        ends = [round(n * end / 100) for end in (low, high)]
        words = [label, group or "everybody", f"{n}", f"{value:.1f} %", f"{low:.1f}", "to"]
        words += [f"{high:.1f} %", f"{total}", f"({ends[0]}", "to", f"{ends[1]})"]
        assert line.split() == " ".join(words).split()


def test_a_number_has_its_mean_in_its_unit(folder: Path, printed: str) -> None:
    (row,) = [
        row
        for row in table(folder / "estimates.csv")
        if (row["question"], row["group"], row["quantity"]) == ("drinks", "", "mean")
    ]
    wanted = ["mean", "everybody", row["n"], f"{float(row['value']):.4g}"]
    assert section(printed, "drinks")[0].split()[:4] == wanted


def test_a_long_list_shows_the_largest_shares_and_says_how_many_are_left(printed: str) -> None:
    lines = [line for line in section(printed, "name") if "everybody" in line]
    shares = [float(line.split()[3]) for line in lines]
    assert len(shares) == 20
    assert shares == sorted(shares, reverse=True)
    assert "and 60 options with smaller shares, see estimates.csv" in section(printed, "name")


def test_an_impossible_share_is_marked_and_explained(tmp_path: Path) -> None:
    draft: dict[str, Any] = {"id": "q", "prompt": "Q?", "epsilon": "1"}
    survey = build_survey({"slug": "s", "title": "S", "questions": [draft]})
    folder = unpack(exported(survey, [("", '{"q":1}')] * 60), tmp_path / "all_yes")
    lines = section(output_of(folder, SCRIPT), "q")
    assert [" ! " in f"{line} " for line in lines] == [True, True, False]
    assert lines[2] == "! No possible share lies in this interval: chance, or forged reports."


def test_a_line_about_a_million_reports_fits_too(folder: Path) -> None:
    program = (
        "from analysis.printing import line\n"
        "row = dict(quantity='share', option=0, group='a long name of a group', n=1000000,\n"
        "           value=.987654, low=-1.234567, high=1.234567, total=987654, flag=True)\n"
        "print(line(row, 'a label of more than twenty letters'))\n"
    )
    line = output_of(folder, (sys.executable, "-c", program)).rstrip("\n")
    assert len(line) <= 100
    assert "1,000,000" in line
    assert "-1.23m to 1.23m" in line


def test_a_figure_that_was_changed_is_still_found(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    text = (copy / "estimates.csv").read_text()
    rows = text.splitlines()
    share = table(copy / "estimates.csv")[0]["share"]
    rows[1] = rows[1].replace(share, "0.123")
    (copy / "estimates.csv").write_text("\n".join(rows))
    (line,) = [line for line in output_of(copy, SCRIPT).splitlines() if line.startswith("estim")]
    assert float(line.split()[-1]) > 1e-3


def test_a_question_without_reports_is_said_to_have_none(tmp_path: Path) -> None:
    survey = survey_to_export(sampled=False)
    folder = unpack(exported(survey, []), tmp_path / "empty")
    run = run_in(folder, SCRIPT)
    assert run.returncode == 0
    assert run.stdout.count("No reports.") == len(survey.questions)
