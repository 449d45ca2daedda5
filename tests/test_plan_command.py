"""`candor plan`: respondents for a margin, a margin for respondents, one clear line otherwise."""

from pathlib import Path

import pytest

from tests.figures import complaint, figures, run, survey_file


def test_a_margin_of_three_points_at_epsilon_1_takes_4997_respondents() -> None:
    answer = figures("plan", "--epsilon", "1", "--margin", "0.03")
    assert answer["respondents"] == 4997
    assert answer["noise_only_respondents"] == 3930
    assert answer["design_effect"] == pytest.approx(4.683, abs=5e-4)
    assert (answer["margin"], answer["confidence"], answer["share"]) == (0.03, 0.95, 0.5)


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
        (("--epsilon", "1", "--margin", "0.1", "--respondents", "9"), "either --margin or"),
        (("--epsilon", "1"), "give either --margin or --respondents"),
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
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("plan", *arguments)
