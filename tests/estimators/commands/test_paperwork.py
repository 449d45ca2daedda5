"""`candor paperwork`: the ethics pack printed, written to new files, or as JSON."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from client.authoring.files import load_survey
from estimators.paperwork.pack import PARTS
from tests.estimators.paperwork.packs import DEMO, pack
from tests.support.figures import complaint, figures, run
from tests.support.process import ROOT


def test_it_prints_markdown_or_a_page() -> None:
    made = pack(DEMO, respondents=2000, difference=0.05, power=0.9)
    options = ("paperwork", DEMO, "--respondents", "2e3", "--difference", "0.05", "--power", "0.9")
    assert run(*options).stdout == made.markdown
    assert run(*options, "--html").stdout == made.html


def test_the_name_of_the_new_file_says_its_format(tmp_path: Path) -> None:
    for name, content in (("a.md", pack(DEMO).markdown), ("a.html", pack(DEMO).html)):
        result = run("paperwork", DEMO, "--out", tmp_path / name)
        assert result.exit_code == 0
        assert f"{name}; {len(pack(DEMO).blanks)} things are left" in result.stdout
        assert (tmp_path / name).read_text("utf-8") == content
    assert "exists" in complaint("paperwork", DEMO, "--out", tmp_path / "a.md")
    assert "must end in one of" in complaint("paperwork", DEMO, "--out", tmp_path / "a.docx")
    assert "not a folder" in complaint("paperwork", DEMO, "--out", tmp_path / "no" / "a.md")


def test_a_folder_gets_both_formats_and_the_consent_text_or_nothing(tmp_path: Path) -> None:
    answer = figures("paperwork", DEMO, "--out", tmp_path)
    names = [f"workplace-health-{end}" for end in ("paperwork.md", "paperwork.html", "consent.md")]
    assert answer["files"] == [str(tmp_path / name) for name in names]
    made = pack(DEMO)
    wanted = (made.markdown, made.html, made.consent)
    assert [(tmp_path / name).read_text("utf-8") for name in names] == list(wanted)
    (tmp_path / names[0]).unlink()
    assert "exists" in complaint("paperwork", DEMO, "--out", tmp_path)
    assert not (tmp_path / names[0]).exists()


def test_json_has_the_parts_the_figures_and_what_is_to_be_filled_in() -> None:
    answer, made = figures("paperwork", DEMO, "--respondents", "2000"), pack(DEMO, respondents=2000)
    assert answer["parts"] == made.parts
    assert list(answer["parts"]) == list(PARTS)
    assert answer["fill_in"] == made.blanks
    assert answer["fingerprint"] is None
    assert [row["respondents_per_group"] for row in answer["questions"]] == [1837, 6542, 6542]


def test_a_published_document_has_its_fingerprint(tmp_path: Path) -> None:
    survey = load_survey(DEMO)
    (tmp_path / "survey.json").write_bytes(survey.document)
    answer = figures("paperwork", tmp_path / "survey.json")
    assert answer["fingerprint"] == survey.fingerprint
    assert survey.fingerprint in answer["parts"]["preregistration"]


def test_bad_options_are_refused_in_one_line() -> None:
    assert "difference must be between 0 and 1" in complaint("paperwork", DEMO, "--difference", "2")
    assert "at least 2" in complaint("paperwork", DEMO, "--respondents", "1")
    assert "power must be" in complaint("paperwork", DEMO, "--power", "1")
    result = run("paperwork", DEMO, "--html", "--json")
    assert result.exit_code == 2
    assert "neither --out nor --json" in result.stderr


def test_the_commands_of_the_documentation_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (ROOT / "docs" / "paperwork.md").read_text()
    commands = re.findall(r"^candor (paperwork .*)", text, re.MULTILINE)
    assert len(commands) == 4
    shutil.copy(DEMO, tmp_path / "survey.yaml")
    monkeypatch.chdir(tmp_path)
    for command in commands:
        result = run(*shlex.split(command, comments=True))
        assert result.exit_code == 0, result.stderr
    assert len(list(tmp_path.iterdir())) == 5
