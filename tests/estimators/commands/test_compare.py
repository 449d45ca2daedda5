"""`candor compare`: tables that fit, sentences that say what was tested, and one line otherwise."""

import json
import re
from pathlib import Path

import pytest

from tests.support.exported import exported, reports_of, survey_to_export
from tests.support.figures import complaint, figures, run

GROUPS = ("north", "south", "", "east")
# What two groups of a survey say: everybody's reports, by group and answer.
SURVEY = """
slug: habits
title: Habits
groups:
  by: link
  factors:
    - {id: arm, prompt: Which arm, levels: [a, b]}
questions:
  - id: smokes
    prompt: Do you smoke?
    epsilon: 1
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = survey_to_export(False)
    path = tmp_path_factory.mktemp("data") / "export.zip"
    path.write_bytes(exported(survey, reports_of(survey, 800, GROUPS)))
    return path


@pytest.fixture
def habits(tmp_path: Path) -> tuple[Path, str, Path]:
    """180 of 400 reports against 110 of 300 say yes."""
    survey, reports = tmp_path / "survey.yaml", tmp_path / "reports.csv"
    survey.write_text(SURVEY)
    rows = [f"{int(row < 180)},a" for row in range(400)]
    rows += [f"{int(row < 110)},b" for row in range(300)]
    reports.write_text("\n".join(["smokes,arm", *rows]) + "\n")
    return reports, "--survey", survey


def test_the_published_example_is_printed(habits: tuple[Path, str, Path]) -> None:
    answer = figures("compare", habits[0], "smokes", *habits[1:])
    (row,) = answer["differences"]
    assert (row["group"], row["reference"], row["option"]) == ("a", "b", "Yes")
    assert row["statistic"] == pytest.approx(2.214968, abs=5e-7)
    assert (row["low"], row["high"]) == pytest.approx((0.020854, 0.336658), abs=5e-7)
    assert (row["test"], row["p_holm"]) == ("score", row["p_value"])
    assert (answer["comparisons"], answer["tests"]) == (1, [])
    shown = run("compare", habits[0], "smokes", *habits[1:]).stdout
    assert re.search(r"a +b +\+18\.0 +2\.1 to 33\.7 +1\.85 +1\.07 to 4\.32 +0\.0268 *\n", shown)
    assert "p: score test" in shown
    assert "Holm" not in shown


def test_of_several_options_the_only_two_groups_are_named_once(tmp_path: Path) -> None:
    survey, path = survey_to_export(False), tmp_path / "export.zip"
    path.write_bytes(
        exported(survey, reports_of(survey, 400, ("psychiatric-ward", "surgical-ward")))
    )
    shown = run("compare", path, "any").stdout
    assert "Differences: psychiatric-ward minus surgical-ward\n" in shown
    assert "minus  " not in shown


@pytest.mark.parametrize("name", ["smokes", "colour", "illness", "any", "trust", "drinks", "mood"])
@pytest.mark.parametrize("more", [(), ("--reference", "north")], ids=["pairs", "reference"])
def test_no_line_is_wider_than_100_columns(data: Path, name: str, more: tuple[str, ...]) -> None:
    result = run("compare", data, name, *more)
    assert result.exit_code == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 100
    for group in ("north", "south", "east"):
        assert group in result.stdout


def test_the_sentences_say_what_was_done(data: Path) -> None:
    shown = " ".join(run("compare", data, "colour", "--reference", "east").stdout.split())
    assert "The intervals of the 18 differences hold together with 95 % confidence" in shown
    assert "All options, all groups at once: chi-square" in shown
    assert "with 16 degrees of freedom" in shown
    assert "Reports left out, because they belong to no group: 200." in shown
    assert "No limit: no upper limit, because the second share may be 0." in shown
    boxes = " ".join(run("compare", data, "any").stdout.split())
    assert re.search(r"all groups at once test p p \(Holm\) ─+ x chi-square", boxes)


def test_a_small_table_is_tested_exactly_and_says_so(habits: tuple[Path, str, Path]) -> None:
    rows = [f"{int(row < 3)},{'ab'[row % 2]}" for row in range(20)]
    habits[0].write_text("\n".join(["smokes,arm", *rows]) + "\n")
    shown = run("compare", habits[0], "smokes", *habits[1:]).stdout
    assert "f: Fisher's exact test, because an expected count of reports is below 5" in shown
    answer = figures("compare", habits[0], "smokes", *habits[1:])
    assert answer["differences"][0]["test"] == "fisher_exact"
    assert answer["differences"][0]["statistic"] is None


def test_a_share_and_a_ratio_that_cannot_be_are_marked(habits: tuple[Path, str, Path]) -> None:
    rows = [f"{int(row < 20)},a" for row in range(400)]
    rows += [f"{int(row < 290)},b" for row in range(400)]
    habits[0].write_text("\n".join(["smokes,arm", *rows]) + "\n")
    shown = run("compare", habits[0], "smokes", *habits[1:]).stdout
    assert "! No possible share lies in the interval: chance, or forged reports." in shown
    assert "! No possible ratio fits the reports: chance, or forged reports." in shown


@pytest.fixture
def known(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "groups": "group,region,age\nnorth,up,old\nsouth,down,old\neast,up,young\n",
        "parts": "region,part\nup,0.3\ndown,0.6\nfar,0.1\n",
        "margins": "attribute,level,part\nregion,up,0.4\nregion,down,0.6\nage,old,0.7\n"
        "age,young,0.3\n",
    }
    found = {name: tmp_path / f"{name}.csv" for name in texts}
    for name, text in texts.items():
        found[name].write_text(text)
    return found


def test_weighted_figures_follow_with_what_they_assume(data: Path, known: dict[str, Path]) -> None:
    where = ("compare", data, "smokes", "--by", "region", "--attributes", known["groups"])
    words = (*where, "--poststratify", known["parts"], "--rake", known["margins"])
    answer = figures(*words)
    assert [row["method"] for row in answer["weighted"]] == ["poststratified", "raked"]
    assert [row["n"] for row in answer["weighted"]] == [600, 600]
    assert answer["not_weighted"] == ["far"]
    shown = " ".join(run(*words).stdout.split())
    assert "without weight: far; the rest is scaled up" in shown
    assert "Raking assumes no interaction" in shown
    assert "Effective: so many equally weighted reports would do" in shown


def test_a_forest_plot_is_drawn_into_a_new_file(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "forest.svg"
    words = ("compare", data, "any", "--plot", path, "--size", "5x6")
    assert run(*words).exit_code == 0
    text = path.read_text()
    for words_in_it in ("Any?", "north: x", "east − south: z", "Difference (points)"):
        assert words_in_it in text
    assert "exists and is not overwritten" in complaint(*words)
    assert re.search(r'width="360pt" height="432pt"', text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing",), "nothing"),
        (("smokes", "--by", "region"), "region"),
        (("smokes", "--option", "Maybe"), "option must be one of the options No, Yes"),
        (("smokes", "--reference", "west"), "reference must be one of the groups"),
        (("drinks", "--option", "3"), "compared by its mean"),
        (("smokes", "--confidence", "1"), "confidence must be between 0 and 1"),
        (("smokes", "--grey"), "need --plot FILE"),
        (("smokes", "--poststratify", "{parts}"), "group is not a column of"),
    ],
)
def test_input_that_makes_no_sense_is_refused(
    data: Path, known: dict[str, Path], words: tuple[str, ...], reason: str
) -> None:
    given = [word.format(**known) for word in words]
    assert reason in complaint("compare", data, *given)


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("parts", "region,part\nup,0.3\ndown,0.6\n", "the parts of region must sum to 1, got 0.9"),
        ("parts", "region,part\nup,1\n", "'down' is missing; give it 0 to leave it out"),
        ("parts", "region,part\nup,half\n", "the part of 'up' must be a number"),
        ("parts", "region,part\nup,0.5\nup,0.5\n", "must name each group or level once"),
        ("parts", "region,part\nup,-0.5\ndown,1.5\n", "must be from 0 to 1, got -0.5"),
        ("margins", "attribute,level,part\nage,old,1\n", "'young' has none"),
        (
            "margins",
            "attribute,level,part\nage,old,0.5\nage,young,0.3\nage,new,0.2\n",
            "to 'new', which no respondent has",
        ),
        ("margins", "attribute,level,part\nheight,tall,1\n", "height"),
        ("margins", "attribute,level\nage,old\n", "part"),
    ],
)
def test_known_parts_that_do_not_fit_are_refused(
    data: Path, known: dict[str, Path], file: str, text: str, reason: str
) -> None:
    known[file].write_text(text)
    option = {"parts": "--poststratify", "margins": "--rake"}[file]
    words = ("--by", "region", "--attributes", known["groups"], option, known[file])
    assert reason in complaint("compare", data, "smokes", *words)


def test_one_group_alone_is_refused(habits: tuple[Path, str, Path]) -> None:
    habits[0].write_text("smokes,arm\n" + "1,a\n0,a\n" * 9)
    assert "at least 2 groups" in complaint("compare", habits[0], "smokes", *habits[1:])


def test_json_has_no_number_that_json_does_not_have(data: Path) -> None:
    for name in ("smokes", "trust", "any"):
        text = run("compare", data, name, "--json").stdout
        assert json.loads(text, parse_constant=lambda name: pytest.fail(name))["question"] == name
