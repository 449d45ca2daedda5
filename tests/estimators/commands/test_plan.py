"""`candor plan`: respondents for a margin, a margin for respondents, one clear line otherwise."""

from pathlib import Path

import numpy as np
import pytest

from client.authoring.files import load_survey
from estimators.curator.distrust import price_of_distrust
from tests.estimators.planning.test_target import TABLE_12, Row
from tests.support.figures import complaint, figures, run, survey_file

MARGINS = ("0.05", "0.03", "0.01")


def test_a_margin_of_three_points_at_epsilon_1_takes_4997_respondents() -> None:
    answer = figures("plan", "--epsilon", "1", "--margin", "0.03")
    assert answer["respondents"] == 4997
    assert answer["noise_only_respondents"] == 3930
    assert answer["design_effect"] == pytest.approx(4.683, abs=5e-4)
    assert (answer["margin"], answer["confidence"], answer["share"]) == (0.03, 0.95, 0.5)


@pytest.mark.parametrize("row", TABLE_12, ids=[row[0] for row in TABLE_12])
def test_the_command_prints_table_12(row: Row) -> None:
    epsilon, half, tenth, hundredth, five, three, one, noise_only, per_group = row
    wishes = {
        margin: figures("plan", "--epsilon", epsilon, "--margin", margin) for margin in MARGINS
    }
    assert [answer["respondents"] for answer in wishes.values()] == [five, three, one]
    assert wishes["0.03"]["noise_only_respondents"] == noise_only
    wish = ("plan", "--epsilon", epsilon, "--respondents", "1000", "--share")
    effects = [figures(*wish, share)["design_effect"] for share in ("0.5", "0.1", "0.01")]
    assert effects == pytest.approx([half, tenth, hundredth], rel=5e-4)
    groups = figures("plan", "--epsilon", epsilon, "--groups", "0.30,0.25", "--power", "0.8")
    assert groups["respondents_per_group"] == per_group
    # Asked directly, 1,251 in each group are enough: the pooled error of the test is a bit larger.
    assert groups["effective_n"] == pytest.approx(1248.5, abs=3)


def test_the_respondents_in_each_group_give_back_the_power() -> None:
    wish = ("plan", "--epsilon", "1", "--groups", "0.30,0.25")
    answer = figures(*wish, "--respondents", "7032")
    assert answer["power"] == pytest.approx(0.8, abs=1e-4)
    assert figures(*wish, "--respondents", "14064")["power"] > 0.95
    assert "7,032   80.0%   5.63 x       1,249" in run(*wish).stdout


def test_the_effective_sample_is_the_direct_one_with_the_same_margin() -> None:
    answer = figures("plan", "--epsilon", "1", "--margin", "0.03")
    assert answer["effective_n"] == pytest.approx(1068, abs=1)
    assert answer["effective_n"] * answer["design_effect"] == pytest.approx(4997)


def test_the_cost_relative_to_a_trusted_curator_is_the_price_of_distrust(tmp_path: Path) -> None:
    answer = figures("plan", survey_file(tmp_path), "--respondents", "2000")
    survey = load_survey(survey_file(tmp_path))
    for question, row in zip(survey.questions, answer["questions"], strict=True):
        price, _ = price_of_distrust(question, np.full(2, 0.5), 2000)
        assert row["curator_cost"] == pytest.approx(price.ratio, rel=1e-6)
        assert row["curator_respondents"] == pytest.approx(price.curator_respondents, rel=1e-6)


def test_a_kind_of_question_gets_the_mechanism_that_a_survey_would_give_it() -> None:
    words = ("plan", "--kind", "one-of", "--options", "10", "--epsilon", "1")
    (row,) = figures(*words, "--respondents", "2000")["questions"]
    assert (row["mechanism"], row["shape"]) == ("ss", {"options": 10, "size": 3})
    assert [other["mechanism"] for other in row["alternatives"]] == ["hr"]
    number = ("plan", "--kind", "number", "--lo", "0", "--hi", "60", "--epsilon", "1")
    (mean,) = figures(*number, "--margin", "0.05")["questions"]
    assert mean["margin"] == pytest.approx(3)
    (groups,) = figures(*words, "--groups", "0.3,0.2")["questions"]
    assert groups["respondents_per_group"] > 1000


def test_groups_are_planned_for_the_questions_about_shares() -> None:
    rows = figures("plan", "examples/trust/survey.yaml", "--groups", "0.3,0.2")["questions"]
    assert rows
    assert all("top" not in row["shape"] for row in rows)


@pytest.mark.parametrize(
    "words",
    [
        ("--epsilon", "1"),
        ("--epsilon", "1", "--mechanism", "rt", "--top", "10"),
        ("--epsilon", "1", "--kind", "number", "--lo", "0", "--hi", "30", "--step", "0.5"),
        ("--epsilon", "1", "--kind", "any-of", "--options", "8"),
    ],
    ids=["rr", "rt", "number", "any-of"],
)
def test_the_curves_pass_through_the_planned_margins(words: tuple[str, ...]) -> None:
    answer = figures("plan", *words, "--respondents", "1000", "--epsilons", "0.5,1")
    row = answer["questions"][0] if "questions" in answer else answer
    curve = answer["curves"][0] if "questions" in answer else answer["curves"]
    assert list(curve["margins"]) == ["0.5", "1"]
    place = curve["respondents"].index(pytest.approx(1000))
    assert curve["margins"]["1"][place] == pytest.approx(row["margin"])
    assert curve["margins"]["0.5"][place] > row["margin"] > curve["direct_margins"][place]


def test_a_figure_of_the_curves_is_drawn_into_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "margins.svg"
    words = ("plan", survey_file(tmp_path), "--respondents", "2000", "--plot", path)
    assert run(*words, "--epsilons", "0.5,3").exit_code == 0
    text = path.read_text()
    assert all(word in text for word in ("Do you smoke?", "0.5", "3", "asked directly", "Margin"))
    assert "exists and is not overwritten" in complaint(*words)


def test_4997_respondents_give_back_the_margin() -> None:
    answer = figures("plan", "--epsilon", "1", "--respondents", "4997")
    assert answer["margin"] == pytest.approx(0.03, abs=5e-6)
    assert answer["noise_only_margin"] < answer["margin"]


def test_more_confidence_takes_more_and_a_rare_answer_fewer() -> None:
    wish = ("plan", "--epsilon", "1", "--margin", "0.03")
    assert figures(*wish, "--confidence", "0.99")["respondents"] > 4997
    assert figures(*wish, "--share", "0.1")["respondents"] < 4997
    assert figures(*wish, "--share", "0")["design_effect"] is None


def test_a_survey_is_planned_question_by_question(tmp_path: Path) -> None:
    answer = figures("plan", survey_file(tmp_path), "--respondents", "2000")
    margins = {row["question"]: row["margin"] for row in answer["questions"]}
    assert margins["smokes"] == pytest.approx(0.0474, abs=5e-5)
    assert margins["drinks"] == pytest.approx(0.0895, abs=5e-5)


def test_the_table_is_for_people(tmp_path: Path) -> None:
    output = run("plan", "--epsilon", "1", "--margin", "0.03").stdout
    assert "4,997" in output
    assert "± 3.00%" in output
    assert "4.68 x" in output
    assert "drinks" in run("plan", survey_file(tmp_path), "--margin", "0.03").stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--epsilon", "1", "--margin", "0"), "margin must be between 0 and 1"),
        (("--epsilon", "1", "--margin", "nan"), "margin must be between 0 and 1"),
        (("--epsilon", "1", "--margin", "0.1", "--respondents", "9"), "together solve for epsilon"),
        (
            ("--margin", "0.1", "--respondents", "900", "--mechanism", "ss"),
            "--margin and --respondents together solve for epsilon",
        ),
        (
            ("--margin", "0.1", "--respondents", "900", "--plot", "margins.svg"),
            "--margin and --respondents together solve for epsilon",
        ),
        (("--margin", "0.1", "--respondents", "900", "--power", "0.8"), "--power needs --groups"),
        (("--epsilon", "1"), "give --margin, --respondents, or both"),
        (("--margin", "0.1"), "give either a SURVEY or --epsilon"),
        (("survey.yaml", "--epsilon", "1", "--margin", "0.1"), "either a SURVEY or --epsilon"),
        (("missing.yaml", "--margin", "0.1"), "missing.yaml cannot be read"),
        (("--epsilon", "1", "--respondents", "0"), "respondents must be an integer"),
        (("--epsilon", "1", "--respondents", "-5"), "respondents must be an integer"),
        (("--epsilon", "1", "--respondents", "inf"), "not a whole number"),
        (("--epsilon", "1", "--respondents", "nan"), "not a whole number"),
        (("--epsilon", "nan", "--margin", "0.1"), "epsilon must be a plain decimal"),
        (("--epsilon", "11", "--margin", "0.1"), "epsilon must be between 0.01 and 10"),
        (("--epsilon", "1", "--margin", "0.1", "--share", "2"), "share must be between 0 and 1"),
        (("--epsilon", "1", "--margin", "0.1", "--confidence", "0"), "confidence must be between"),
        (("--epsilon", "1", "--mechanism", "x", "--margin", "0.1"), "mechanism must be rr"),
        (("--epsilon", "0.01", "--margin", "0.00000001"), "would take more than"),
        (("--epsilon", "1", "--groups", "0.3"), "groups must be two shares such as 0.30,0.25"),
        (("--epsilon", "1", "--groups", "0.3,x"), "groups must be two shares such as 0.30,0.25"),
        (("--epsilon", "1", "--groups", "0.3,0.3"), "the two shares must differ"),
        (("--epsilon", "1", "--groups", "0.3,2"), "share must be between 0 and 1"),
        (("--epsilon", "1", "--groups", "0.3,nan"), "share must be between 0 and 1"),
        (("--epsilon", "1", "--groups", "0.3,0.2", "--power", "1"), "power must be between 0"),
        (("--epsilon", "1", "--groups", "0.3,0.2", "--margin", "0.1"), "either --power or"),
        (
            ("--epsilon", "1", "--groups", "0.3,0.2", "--power", "0.8", "--respondents", "9"),
            "either --power or --respondents",
        ),
        (("--epsilon", "1", "--margin", "0.1", "--power", "0.8"), "--power needs --groups"),
        (
            ("--epsilon", "1", "--mechanism", "rt", "--top", "9", "--groups", "0.3,0.2"),
            "groups are compared by a share",
        ),
        (
            (*"--kind scale --lo 0 --hi 9 --goal mean --epsilon 1 --groups 0.3,0.2".split(),),
            "groups are compared by a share",
        ),
        (("--kind", "yes-no", "--epsilon", "1", "--size", "2", "--margin", "0.1"), "--size is for"),
        (("s.yaml", "--kind", "yes-no", "--margin", "0.1"), "a SURVEY has its own questions"),
        (("--kind", "one-of", "--epsilon", "1", "--margin", "0.1"), "needs --options"),
        (("--epsilon", "1", "--margin", "0.1", "--epsilons", "1,x"), "epsilons must be a plain"),
        (("--epsilon", "1", "--margin", "0.1", "--plot", "x.gif"), "must end in .svg, .png"),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("plan", *arguments)
