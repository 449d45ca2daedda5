"""Survey files: YAML or JSON, scalars kept as written, faults named."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey, read_survey_file
from client.core.primitives.channel import threshold
from client.core.primitives.refusal import Refusal

YAML = """
slug: habits
title: Habits
epsilon: 0.1
questions:
  - id: smokes
    prompt: Do you smoke?
  - id: drinks
    prompt: Do you drink alone?
    epsilon: 0.20
    options: [No, Yes]
"""


def draft(**changes: Any) -> dict[str, Any]:
    question = {"id": "q1", "prompt": "Have you?", "epsilon": "1"}
    return {"slug": "habits", "title": "Habits", "questions": [question], **changes}


def write(folder: Path, text: str, name: str = "survey.yaml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_epsilons_are_the_decimals_that_were_written(tmp_path: Path) -> None:
    survey = load_survey(write(tmp_path, YAML))
    assert [question.epsilon for question in survey.questions] == [Decimal("0.1"), Decimal("0.2")]
    assert survey.total_epsilon == Decimal("0.3")
    first = survey.questions[0]
    assert first.mechanism.threshold == threshold(Decimal("0.1"), 1, 1)


def test_no_and_yes_stay_words_and_are_the_default_options(tmp_path: Path) -> None:
    survey = load_survey(write(tmp_path, YAML))
    assert [question.options for question in survey.questions] == [("No", "Yes")] * 2


def test_json_is_a_survey_file_too(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(draft()), "survey.json")
    assert load_survey(path) == build_survey(draft())


def test_a_published_document_is_loaded_from_its_file(tmp_path: Path) -> None:
    survey = build_survey(draft(), version=3)
    path = tmp_path / "document.json"
    path.write_bytes(survey.document)
    assert load_survey(path) == survey


def test_a_published_document_is_verified_like_by_any_client(tmp_path: Path) -> None:
    survey = build_survey(draft())
    path = tmp_path / "document.json"
    path.write_bytes(survey.document.replace(b"3139872686", b"3139872687"))
    with pytest.raises(Refusal) as caught:
        load_survey(path)
    assert caught.value.code == "threshold_leaks"


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    for read in (load_survey, read_survey_file):
        with pytest.raises(Refusal, match=r"nothing\.yaml cannot be read: No such file"):
            read(tmp_path / "nothing.yaml")
        with pytest.raises(Refusal, match="cannot be read"):
            read(tmp_path)


@pytest.mark.parametrize(
    "text", ["a: [1", "\t- a", "a: *nowhere", "? [x]\n: y", "\x00", "a: !!python/name:os.system"]
)
def test_a_file_that_is_no_yaml_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(Refusal) as caught:
        load_survey(write(tmp_path, text))
    assert caught.value.code in ("bad_survey_file", "missing_field")


@pytest.mark.parametrize("text", ["", "just words", "- a\n- b", "3"])
def test_a_file_that_is_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(Refusal, match="holds no survey; a survey file is YAML or JSON"):
        load_survey(write(tmp_path, text))


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="must be at most 2097152 bytes"):
        load_survey(write(tmp_path, "#" * (2**21 + 1)))


def test_brackets_without_end_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        load_survey(write(tmp_path, "[" * 5000))


@pytest.mark.parametrize("field", ["slug", "title"])
def test_a_missing_field_of_the_survey_is_named(field: str) -> None:
    incomplete = draft()
    del incomplete[field]
    with pytest.raises(Refusal, match=f"survey needs the field '{field}'"):
        build_survey(incomplete)


@pytest.mark.parametrize(
    ("field", "where"), [("id", r"questions\[0\]"), ("prompt", "q1")], ids=["id", "prompt"]
)
def test_a_missing_field_of_a_question_is_named(field: str, where: str) -> None:
    incomplete = draft()
    del incomplete["questions"][0][field]
    with pytest.raises(Refusal, match=rf"{where} needs the field '{field}'"):
        build_survey(incomplete)


def test_a_question_without_an_epsilon_of_its_own_or_the_surveys_is_refused() -> None:
    incomplete = draft()
    del incomplete["questions"][0]["epsilon"]
    with pytest.raises(Refusal, match="q1 needs an epsilon, its own or the survey's"):
        build_survey(incomplete)
    assert build_survey(incomplete | {"epsilon": "2"}).total_epsilon == 2


def test_an_unknown_field_is_refused_and_the_known_ones_are_listed() -> None:
    with pytest.raises(
        Refusal, match=r"survey has the unknown field 'titel'; the known fields are .*title"
    ):
        build_survey(draft(titel="Habits"))
    misspelt = draft()
    misspelt["questions"][0]["optons"] = ["No", "Yes"]
    with pytest.raises(
        Refusal, match=r"q1 has the unknown field 'optons'; the known fields are .*options"
    ):
        build_survey(misspelt)


@pytest.mark.parametrize(
    ("questions", "code"),
    [
        (None, "bad_questions"),
        ({}, "bad_questions"),
        ([], "bad_questions"),
        (["q"], "not_a_mapping"),
    ],
)
def test_questions_that_are_no_list_of_mappings_are_refused(questions: object, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        build_survey(draft(questions=questions))
    assert caught.value.code == code


@pytest.mark.parametrize("options", ["No,Yes", None, {}, [], ["Yes"], [["No"], "Yes"]])
def test_options_that_are_no_two_labels_are_refused(options: object) -> None:
    bad = draft()
    bad["questions"][0]["options"] = options
    with pytest.raises(Refusal):
        build_survey(bad)


@pytest.mark.parametrize("epsilon", ["nan", "0", "-1", "inf", "10.5", "much", None, ["1"], {}])
def test_an_epsilon_that_is_none_is_refused(epsilon: object) -> None:
    bad = draft(epsilon=None)
    bad["questions"][0]["epsilon"] = epsilon
    with pytest.raises(Refusal) as caught:
        build_survey(bad)
    assert caught.value.code in (
        "epsilon_not_a_decimal",
        "epsilon_out_of_range",
        "missing_field",
    )


def test_an_alias_in_a_survey_file_is_refused_before_it_can_grow(tmp_path: Path) -> None:
    path = tmp_path / "bomb.yaml"
    levels = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 10)}]" for i in range(1, 9)]
    path.write_text("\n".join(["l0: &l0 [x, x, x, x, x, x, x, x, x, x]", *levels]))
    with pytest.raises(Refusal, match="in quotes because of &") as refused:
        read_survey_file(path)
    assert len(refused.value.message) < 500


def test_a_field_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text("slug: one\ntitle: First\nslug: two\n")
    with pytest.raises(Refusal, match="'slug' appears twice"):
        read_survey_file(path)


@pytest.mark.parametrize("labels", [["a", "a "], ["~", "b"], ["Town", "town"]])
def test_labels_that_nobody_can_tell_apart_are_refused(labels: list[str]) -> None:
    question = {"id": "q", "prompt": "?", "epsilon": "1", "kind": "one_of", "options": labels}
    with pytest.raises(Refusal, match="label") as refused:
        build_survey({"slug": "s", "title": "S", "questions": [question]})
    assert refused.value.code == "bad_options"


def test_a_refusal_names_its_question_even_if_the_field_starts_like_it() -> None:
    question = {"id": "at", "prompt": "?", "epsilon": "1", "kind": "any_of", "options": ["x", "y"]}
    with pytest.raises(Refusal, match=r"^at: at_most"):
        build_survey({"slug": "s", "title": "S", "questions": [{**question, "at_most": "9"}]})


def test_fewer_than_no_questions_for_each_person_are_refused_with_the_rule() -> None:
    question = {"id": "q1", "prompt": "Have you?"}
    odd = draft(total_epsilon="1", ask_each_person="-1", questions=[question])
    with pytest.raises(Refusal, match=r"ask_each_person must be .* got -1"):
        build_survey(odd)
