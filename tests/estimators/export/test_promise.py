"""A reader who has only the zip can check what was promised, and that nothing was changed."""

import hashlib
import json
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client.core.mechanisms import TwoLevel
from estimators.export.archive import SCRIPTS
from tests.support.bulk import EVERY_SHAPE
from tests.support.exported import exported, output_of, reports_of, run_in, survey_to_export, unpack

CHECK = (sys.executable, "-S", "promise.py")
Design = dict[str, Any]


@pytest.fixture(scope="module", params=[False, True], ids=["everybody", "sampled"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = survey_to_export(sampled=request.param)
    content = exported(survey, reports_of(survey, 5))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


def test_the_promise_follows_from_the_integers_of_the_document(folder: Path) -> None:
    survey = json.loads((folder / "survey.json").read_text())
    design = {
        question["question"]: question
        for question in json.loads((folder / "design.json").read_text())["questions"]
    }
    first, *lines, last = output_of(folder, CHECK).splitlines()
    assert (folder / "fingerprint.txt").read_text().split()[0] in first
    assert last == f"One person spends at most {survey['total_epsilon']}. The promise holds."
    assert len(lines) == len(design)
    for question, line in zip(survey["questions"], lines, strict=True):
        used = design[question["id"]]
        name, found = line.split(": at most ")
        assert name == question["id"]
        assert float(found.split()[0]) == pytest.approx(used["delivered_epsilon"], abs=1e-11)
        assert line.endswith("so says its matrix") == (used["matrix"] is not None)


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=repr)
def test_the_ratio_is_right_for_every_shape(mechanism: TwoLevel) -> None:
    script = runpy.run_path(str(SCRIPTS / "promise.py"))
    shape = {"name": mechanism.name, "threshold": mechanism.threshold, **mechanism.shape}
    found = float(script["largest_ratio"](shape).ln())
    assert found == pytest.approx(abs(mechanism.delivered_epsilon), abs=1e-12)


def change_document(folder: Path) -> None:
    path = folder / "survey.json"
    path.write_text(path.read_text().replace("Smokes?", "Smoked?"))


def use_another_threshold(folder: Path) -> None:
    path = folder / "design.json"
    design = json.loads(path.read_text())
    design["questions"][0]["mechanism"]["threshold"] += 1
    path.write_text(json.dumps(design))


def use_another_matrix(folder: Path) -> None:
    path = folder / "design.json"
    design = json.loads(path.read_text())
    design["questions"][0]["matrix"] = [[0.9, 0.1], [0.1, 0.9]]
    path.write_text(json.dumps(design))


def leave_out_a_question(folder: Path) -> None:
    path = folder / "design.json"
    design = json.loads(path.read_text())
    design["questions"].pop()
    path.write_text(json.dumps(design))


def sign_again(folder: Path, change: Callable[[Design], None]) -> None:
    """Write a document with the wrong odds but the right fingerprint."""
    survey = json.loads((folder / "survey.json").read_text())
    design = json.loads((folder / "design.json").read_text())
    change(survey)
    for asked, used in zip(survey["questions"], design["questions"], strict=True):
        used["mechanism"] = asked["mechanism"]
    document = json.dumps(survey).encode()
    design["fingerprint"] = hashlib.sha256(document).hexdigest()
    (folder / "survey.json").write_bytes(document)
    (folder / "design.json").write_text(json.dumps(design))


def leak(folder: Path) -> None:
    def change(survey: Design) -> None:
        survey["questions"][0]["mechanism"]["threshold"] += 1

    sign_again(folder, change)


def understate(folder: Path) -> None:
    def change(survey: Design) -> None:
        survey["total_epsilon"] = "0.4"

    sign_again(folder, change)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (change_document, "survey.json is not the document of design.json"),
        (use_another_threshold, "smokes is randomized in another way than the document says"),
        (use_another_matrix, "the matrix of smokes is another one"),
        (leave_out_a_question, "design.json has other questions than survey.json"),
        (leak, "smokes leaks 0.4000"),
        (understate, "the epsilons add up to "),
    ],
)
def test_whatever_is_changed_is_found(
    folder: Path, tmp_path: Path, tamper: Callable[[Path], None], message: str
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(folder, changed)
    tamper(changed)
    run = run_in(changed, CHECK)
    assert run.returncode == 1
    assert f"BROKEN: {message}" in run.stderr


def test_the_readme_says_what_was_promised_and_how_to_cite(folder: Path) -> None:
    survey = json.loads((folder / "survey.json").read_text())
    text = (folder / "README.txt").read_text()
    assert f"Total epsilon per person: {survey['total_epsilon']}" in text
    assert "Every kind, version 1.\nRandomized reports and estimates, total epsilon" in text
    for path in folder.iterdir():
        assert path.name == "README.txt" or path.name in text, path


@pytest.mark.parametrize("script", ["analyse.py", "covariance.py"])
def test_a_script_says_what_it_needs(folder: Path, script: str) -> None:
    """Without the machine's packages there is no numpy."""
    run = run_in(folder, (sys.executable, "-S", script))
    assert run.returncode == 1
    assert run.stderr == "This needs numpy, and nothing else: python -m pip install numpy\n"
