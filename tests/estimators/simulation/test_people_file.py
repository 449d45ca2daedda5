"""People of a CSV file: every kind of answer read, every bad cell named, each person once."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.simulation.engines import AGGREGATE, ENGINES, RESPONDENTS, choose_engine
from estimators.simulation.kernels.source import stream
from estimators.simulation.people import people_file
from estimators.simulation.people.people_file import Census, People, read_people
from estimators.simulation.running import Plan, run
from estimators.study.study import Study
from tests.support.studies import study_survey
from tests.support.surveys import survey_of, yes_no

# The chance that a test which samples fails although the sampler is correct.
FALSE_ALARM = 1e-6
DRAFT = {
    "slug": "people",
    "title": "People",
    "epsilon": "1",
    "questions": [
        {"id": "smokes", "prompt": "Smoke?"},
        {
            **{"id": "brand", "kind": "one_of", "prompt": "Brand?", "options": ["A", "B", "C"]},
            **{"decline": "true", "show_if": {"question": "smokes", "is": "Yes"}},
        },
        {"id": "tried", "kind": "any_of", "prompt": "Tried?", "options": ["gum", "patch", "tea"]},
        {"id": "trust", "kind": "scale", "prompt": "Trust?", "lo": "1", "hi": "5"},
        {"id": "mood", "kind": "scale", "prompt": "Mood?", "lo": "-2", "hi": "2", "goal": "mean"},
        {
            **{"id": "packs", "kind": "number", "prompt": "Packs?"},
            **{"lo": "0", "hi": "3", "step": "0.5"},
        },
        {
            **{"id": "home", "kind": "cross", "prompt": "Home?"},
            **{"row_prompt": "Place?", "rows": ["Town", "Land"]},
            **{"column_prompt": "Size?", "columns": ["Small", "Large"]},
        },
    ],
}
HEADING = "smokes,brand,tried,trust,mood,packs,home"
GOOD = "Yes,A,gum; tea,3,-1,1.5,Land / Small"


@pytest.fixture
def survey() -> Survey:
    return build_survey(DRAFT)


def write(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("\n".join([*lines, ""]))
    return path


def test_every_kind_of_answer_is_read(survey: Survey, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        HEADING,
        GOOD,
        "yes,c,,1,2,3,town / large",
        "Yes,,PATCH,5,0,0,Town / Small",
    )
    people = read_people(path, survey)
    assert {id: column.tolist() for id, column in people.answers.items()} == {
        "smokes": [1, 1, 1],
        "brand": [0, 2, 3],
        "tried": [[True, False, True], [False, False, False], [False, True, False]],
        "trust": [2, 0, 4],
        "mood": [1, 4, 2],
        "packs": [3, 6, 0],
        "home": [2, 1, 0],
    }
    assert len(people) == Census(people.survey, people.answers).size == 3
    assert people.truths()["tried"] == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert people.truths()["mood"] == pytest.approx((0, 1 / 3, 1 / 3, 0, 1 / 3))


def test_columns_stand_in_any_order_and_a_byte_order_mark_is_no_letter(tmp_path: Path) -> None:
    survey = survey_of(yes_no("a", "1"), yes_no("b", "1"))
    path = write(tmp_path, "\ufeffb,a", "Yes,No", '"Yes","No"')
    assert {id: column.tolist() for id, column in read_people(path, survey).answers.items()} == {
        "a": [0, 0],
        "b": [1, 1],
    }


def test_what_skip_logic_hides_does_not_apply(survey: Survey, tmp_path: Path) -> None:
    rows = [GOOD.replace("Yes,A", cells) for cells in ("No,A", "No,", "No,nonsense", "Yes,A")]
    people = read_people(write(tmp_path, HEADING, *rows), survey)
    not_applicable = survey.questions[1].kind.hidden_answer
    assert people.answers["brand"].tolist() == [not_applicable] * 3 + [0]


@pytest.mark.parametrize(
    ("cells", "complaint"),
    [
        ("Maybe,A,gum,3,0,1,Town / Small", "column smokes: must be one of No, Yes, got 'Maybe'"),
        (",A,gum,3,0,1,Town / Small", "column smokes: must not be empty"),
        (
            "Yes,A,gum;gum,3,0,1,Town / Small",
            "column tried: must name each box once, got 'gum;gum'",
        ),
        ("Yes,A,gum|tea,3,0,1,Town / Small", "column tried: must be one of gum, patch, tea, got"),
        ("Yes,A,gum,6,0,1,Town / Small", "column trust: must be one of 1, 2, 3, 4, 5, got '6'"),
        ("Yes,A,gum,3,3,1,Town / Small", "column mood: must be from -2 to 2 in steps of 1, got 3"),
        ("Yes,A,gum,3,,1,Town / Small", "column mood: it must be a plain decimal"),
        ("Yes,A,gum,3,0,nan,Town / Small", "column packs: it must be a plain decimal"),
        ("Yes,A,gum,3,0,1.2,Town / Small", "column packs: must be from 0 to 3 in steps of 0.5"),
        ("Yes,A,gum,3,0,1,Town", "column home: must be one of Town / Small, Town / Large, Land"),
        ("Yes,A,gum,3,0,1", "a row must have 7 cells, got 6"),
        ("", "a row must have 7 cells, got 1"),
    ],
)
def test_a_cell_that_is_no_answer_is_named(
    cells: str, complaint: str, survey: Survey, tmp_path: Path
) -> None:
    path = write(tmp_path, HEADING, GOOD, GOOD, cells, GOOD)
    with pytest.raises(Refusal) as refusal:
        read_people(path, survey)
    assert refusal.value.message.startswith(f"{path} line 4: {complaint}")


def test_boxes_keep_their_limit_and_silence_stands_alone(tmp_path: Path) -> None:
    boxes = {"id": "q", "kind": "any_of", "prompt": "Q", "options": list("uvw")}
    survey = build_survey({**DRAFT, "questions": [{**boxes, "at_most": "2", "decline": "true"}]})
    silence = survey.questions[0].options[-1]
    assert read_people(write(tmp_path, "q", "u;v", silence, ""), survey).answers["q"].tolist() == [
        [True, True, False, False],
        [False, False, False, True],
        [False, False, False, False],
    ]
    for cell, complaint in (
        ("u;v;w", "must have at most 2 boxes, got 'u;v;w'"),
        (f"u;{silence}", "must not combine an option for silence with others"),
    ):
        with pytest.raises(Refusal, match=complaint):
            read_people(write(tmp_path, "q", cell), survey)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (("smokes", "Yes"), "has no column brand"),
        ((f"{HEADING},age", f"{GOOD},3"), "the survey has no question 'age'"),
        ((f"smokes,{HEADING}", f"Yes,{GOOD}"), "the column smokes appears twice"),
        ((HEADING,), "holds no people"),
        ((), "has no column smokes"),
        ((HEADING, '"Yes'), "is not a CSV file in UTF-8"),
    ],
)
def test_a_file_that_is_none_is_refused(
    lines: tuple[str, ...], complaint: str, survey: Survey, tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match=complaint):
        read_people(write(tmp_path, *lines), survey)


def test_other_files_are_refused(
    survey: Survey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refusal, match="cannot be read"):
        read_people(tmp_path / "missing.csv", survey)
    latin = tmp_path / "latin.csv"
    latin.write_bytes(f"{HEADING}\n".encode() + b"\xe9")
    with pytest.raises(Refusal, match="is not a CSV file in UTF-8"):
        read_people(latin, survey)
    monkeypatch.setattr(people_file, "MAX_PEOPLE", 2)
    with pytest.raises(Refusal, match="line 4: a file must hold at most 2 people"):
        read_people(write(tmp_path, HEADING, GOOD, GOOD, GOOD), survey)
    semicolons = {"id": "q", "kind": "any_of", "prompt": "Q", "options": ["a;b", "c"]}
    with pytest.raises(Refusal, match="column q: the label 'a;b' must not contain ;"):
        read_people(write(tmp_path, "q"), build_survey({**DRAFT, "questions": [semicolons]}))


PAIR = survey_of(yes_no("a", "1"), yes_no("b", "1"))


def some(*pairs: tuple[int, int]) -> People:
    columns = np.array(pairs, dtype=np.uint8).T
    return People(PAIR, dict(zip("ab", columns, strict=True)))


def test_respondents_are_drawn_from_the_rows_as_wholes() -> None:
    people = some((0, 0), (0, 1), (0, 1), (1, 0))
    answers = people.draw(40_000, stream(3))
    found = np.bincount(2 * answers["a"] + answers["b"], minlength=4)
    assert found[3] == 0
    assert stats.chisquare(found[:3], [10_000, 20_000, 10_000]).pvalue > FALSE_ALARM
    assert people.laws["b"].chances.tolist() == [0.5, 0.5]
    for engine in ENGINES:
        (sample,) = run(Plan(people, 40_000, 1, 3, engine))
        assert stats.binomtest(int(sample["a"].answers[1]), 40_000, 0.25).pvalue > FALSE_ALARM


def everybody(count: int, asked: int = 0) -> Census:
    """Return people of whom a fifth say yes to a and half say yes to b."""
    survey = survey_of(yes_no("a", "4"), yes_no("b", "4"), ask_each_person=asked)
    numbers = np.arange(count)
    return Census(
        survey,
        {"a": (numbers % 5 == 0).astype(np.uint8), "b": (numbers % 2).astype(np.uint8)},
    )


def assert_promised(study: Study, sigmas: float = 5.0) -> None:
    near = sigmas / math.sqrt(2 * study.repeats)
    assert study.rmse == pytest.approx(study.promised_error, rel=near)


def test_in_a_census_only_the_randomizer_errs() -> None:
    """The truth is that of the people themselves; the interval is the one for respondents."""
    census, repeats = everybody(1_000), 400
    studies = study_survey(Plan(census, 1_000, repeats, 5))
    for study in (*studies["a"], *studies["b"]):
        assert study.promised_error == study.promised_noise_error
        assert study.rmse == study.noise_rmse
        assert_promised(study)
        # If they were treated as a sample, the interval would nearly always cover.
        covered = stats.binomtest(round(study.coverage * repeats), repeats, 0.95)
        assert covered.pvalue > FALSE_ALARM
    assert [study.truth for study in studies["a"]] == [0.8, 0.2]


def test_a_part_of_a_census_varies_less_than_a_sample() -> None:
    """Half of 400 people are asked each question, drawn without replacement."""
    studies = study_survey(Plan(everybody(400, asked=1), 400, 500, 5))
    yes = studies["b"][1]
    sampling = yes.promised_error**2 - yes.promised_noise_error**2
    assert sampling == pytest.approx(0.25 / 200 * 200 / 399)
    assert_promised(yes)


def test_everybody_of_a_census_answers_once() -> None:
    census = everybody(100)
    (sample,) = run(Plan(census, 100, 1, 1))
    assert sample["a"].answers.tolist() == [80, 20]
    assert sample["b"].answers.tolist() == [50, 50]
    with pytest.raises(Refusal, match="respondents must be 100 if each of these people answers"):
        Plan(census, 99, 1, 1)
    with pytest.raises(Refusal, match="engine must be respondents: each of these people answers"):
        Plan(census, 100, 1, 1, AGGREGATE)
    assert choose_engine(census, 100, 10**7).engine == RESPONDENTS
