"""`candor audit`: exit code 0 for the shipped samplers, 1 for a leak, 2 for bad input."""

from decimal import Decimal
from importlib import import_module
from pathlib import Path

import pytest

from client.authoring.files import load_survey
from client.core.mechanisms import RandomizedResponse
from client.core.primitives.words import Words
from tests.support.figures import complaint, figures, run, survey_file

pytestmark = pytest.mark.usefixtures("same_words")

# The package gives the name `audit` to the command itself.
COMMAND = import_module("estimators.commands.audit")


def test_the_shipped_sampler_passes_at_an_epsilon() -> None:
    answer = figures("audit", "--epsilon", "1", "--runs", "2000")
    assert answer["passes"] is True
    only = answer["questions"][0]
    assert (only["epsilon"], only["threshold"]) == ("1", 3139872686)
    assert only["exact_passes"]
    assert 0 < only["proven_leak"] < 1
    assert only["delivered_epsilon"] < 1


def test_a_survey_is_audited_question_by_question(tmp_path: Path) -> None:
    result = run("audit", survey_file(tmp_path), "--runs", "500")
    assert result.exit_code == 0
    assert "smokes" in result.stdout
    assert "drinks" in result.stdout
    assert "Every randomizer keeps its promise." in result.stdout


ALL_KINDS = """
slug: kinds
title: Kinds
total_epsilon: 6
questions:
  - {id: a, prompt: "Yes?"}
  - {id: b, kind: one_of, prompt: Colour, options: [red, green, blue], decline: true}
  - {id: c, kind: any_of, prompt: Conditions, options: [x, y, z, u, v, w], at_most: 2}
  - {id: d, kind: scale, prompt: Trust, lo: 0, hi: 10, goal: mean}
  - {id: e, kind: number, prompt: Drinks, lo: 0, hi: 60, goal: distribution}
  - {id: f, kind: any_of, prompt: Any, options: [x, y, z]}
"""


def test_every_kind_of_question_is_audited(tmp_path: Path) -> None:
    path = tmp_path / "kinds.yaml"
    path.write_text(ALL_KINDS)
    answer = figures("audit", path, "--runs", "300")
    assert answer["passes"] is True
    rows = {row["question"]: row for row in answer["questions"]}
    mechanisms = [rows[id]["mechanism"] for id in "abcdef"]
    assert mechanisms == ["rr", "ss", "privset", "rt", "isw", "smp"]
    assert all(row["malformed"] == 0 and row["private"] and row["useful"] for row in rows.values())
    assert rows["e"]["shape"]["top"] == 60


def test_a_leaking_sampler_gives_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sampler is replaced by one that reports the plain truth."""

    def plain_truth(self: RandomizedResponse, answer: int, words: Words) -> int:
        return answer

    monkeypatch.setattr(RandomizedResponse, "randomize", plain_truth)
    result = run("audit", "--epsilon", "1", "--runs", "1000")
    assert result.exit_code == 1
    assert "FAILS" in result.stdout
    assert "do not use it" in result.stdout
    as_json = run("audit", "--epsilon", "1", "--runs", "1000", "--json")
    assert as_json.exit_code == 1
    assert '"passes": false' in as_json.stdout


def test_a_leaking_threshold_gives_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    one_too_many = RandomizedResponse(3139872687)

    class Rounding(RandomizedResponse):
        @classmethod
        def at(cls, epsilon: Decimal, **shape: int) -> RandomizedResponse:  # type: ignore[override]
            return one_too_many

    monkeypatch.setattr(COMMAND, "RandomizedResponse", Rounding)
    result = run("audit", "--epsilon", "1", "--runs", "10")
    assert result.exit_code == 1
    assert "FAILS" in result.stdout


def test_a_leaking_document_is_refused_before_anything_runs(tmp_path: Path) -> None:
    document = tmp_path / "document.json"
    survey = load_survey(survey_file(tmp_path))
    document.write_bytes(survey.document.replace(b"3139872686", b"3139872687"))
    assert "leaks" in complaint("audit", document)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((), "give either a SURVEY or --epsilon"),
        (("survey.yaml", "--epsilon", "1"), "give either a SURVEY or --epsilon"),
        (("missing.yaml",), "missing.yaml cannot be read"),
        (("--epsilon", "nan"), "epsilon must be a plain decimal"),
        (("--epsilon", "0"), "epsilon must be between 0.01 and 10"),
        (("--epsilon", "1", "--runs", "0"), "runs must be an integer from 1"),
        (("--epsilon", "1", "--runs", "many"), "not a valid integer"),
    ],
)
def test_input_that_makes_no_sense_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    assert reason in complaint("audit", *arguments)


def test_a_sampler_that_says_too_little_is_distinguished_from_one_that_leaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        RandomizedResponse, "randomize", lambda self, answer, words: words.word() % 2
    )
    result = run("audit", "--epsilon", "1", "--runs", "1000")
    assert result.exit_code == 1
    assert "says less than it promises" in result.stdout
