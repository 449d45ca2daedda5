"""`candor convert`: the same survey in another format, never overwriting another file."""

import json
from pathlib import Path
from typing import Any

import pytest

from client.authoring.files import load_survey
from server.cli import main
from tests.client.authoring.test_workbook_round_trip import POLYGLOT
from tests.support.figures import complaint, run
from tests.support.surveys import EVERY_KIND


def write(folder: Path, draft: dict[str, Any]) -> Path:
    path = folder / "survey.json"
    path.write_text(json.dumps(draft), "utf-8")
    return path


@pytest.mark.parametrize("draft", [EVERY_KIND, POLYGLOT], ids=["kinds", "languages"])
def test_a_survey_goes_through_all_forms_and_stays_the_same(
    draft: dict[str, Any], tmp_path: Path
) -> None:
    source = write(tmp_path, draft)
    fingerprint = load_survey(source).fingerprint
    for name in ("a.yaml", "b.xlsx", "c.json", "d.yml", "e.xlsx"):
        target = tmp_path / name
        result = run("convert", source, target, group=main)
        assert result.exit_code == 0, result.output
        assert fingerprint in result.output
        assert load_survey(target).fingerprint == fingerprint
        source = target
    assert (tmp_path / "b.xlsx").read_bytes() == (tmp_path / "e.xlsx").read_bytes()


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    source = write(tmp_path, EVERY_KIND)
    (tmp_path / "a.xlsx").write_text("mine")
    assert "exists and is not overwritten" in complaint(
        "convert", source, tmp_path / "a.xlsx", group=main
    )
    assert (tmp_path / "a.xlsx").read_text() == "mine"


def test_a_form_that_is_not_known_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    source = write(tmp_path, EVERY_KIND)
    message = complaint("convert", source, tmp_path / "a.doc", group=main)
    assert "must end in one of .yaml, .yml, .json, .xlsx" in message
    assert list(tmp_path.iterdir()) == [source]


def test_a_fault_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("slug: s\ntitle: S\nquestions:\n- id: q\n  prompt: Q?\n  epsilon: much\n")
    message = complaint("convert", path, tmp_path / "a.json", group=main)
    assert "questions[0].epsilon (line 6): q: epsilon must be a plain decimal" in message


@pytest.mark.parametrize("command", ["plan", "audit", "simulate", "lint", "publish"])
def test_every_command_that_takes_a_survey_takes_a_workbook(command: str, tmp_path: Path) -> None:
    source = write(tmp_path, {**EVERY_KIND, "questions": EVERY_KIND["questions"][:1]})
    assert run("convert", source, tmp_path / "a.xlsx", group=main).exit_code == 0
    options = {
        "plan": ["--respondents", "1000"],
        "audit": ["--runs", "100"],
        "simulate": ["--respondents", "100", "--seed", "1"],
        "lint": ["--respondents", "100"],
        "publish": ["--draft", "--data", str(tmp_path / "data")],
    }[command]
    results = [run(command, path, *options, group=main) for path in (source, tmp_path / "a.xlsx")]
    assert results[1].exit_code == 0, results[1].output
    if command in ("plan", "publish"):
        assert results[0].output == results[1].output
