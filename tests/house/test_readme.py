"""The README is true: every command in it runs, and prints what it shows."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from server.data_folder import DataFolder
from tests.support.live import live as run_live
from tests.support.process import ROOT

README = (ROOT / "README.md").read_text()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Shown:
    """A command in the README and the output below it; `...` stands for anything."""

    command: str
    output: str


def shown() -> list[Shown]:
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append(Shown(command, output))
    return found


def run(command: str, data: Path, typed: str = "") -> str:
    program, *arguments = shlex.split(command)
    assert program == "candor"
    done = subprocess.run(
        [sys.executable, "-c", "from server.cli import main; main(prog_name='candor')", *arguments],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, "CANDOR_DATA": str(data), "XDG_DATA_HOME": str(data), "COLUMNS": "120"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def agrees(wanted: str, got: str) -> bool:
    return doctest.OutputChecker().check_output(wanted, got, FLAGS)


OFFLINE = [item for item in shown() if not item.command.startswith("candor answer")]


def test_the_readme_shows_every_kind_of_command() -> None:
    verbs = {item.command.split()[1] for item in shown()}
    assert verbs == {"answer", "publish", "plan", "estimate", "simulate", "audit"}


@pytest.mark.parametrize("item", OFFLINE, ids=lambda item: item.command)
def test_a_command_prints_what_the_readme_shows(item: Shown, tmp_path: Path) -> None:
    got = run(item.command, tmp_path / "data")
    assert agrees(item.output, got), got


def test_answering_prints_what_the_readme_shows(tmp_path: Path) -> None:
    from client.authoring.files import read_survey_file

    (item,) = (item for item in shown() if item.command.startswith("candor answer"))
    draft = read_survey_file(ROOT / "examples" / "demo.yaml")
    with run_live(DataFolder(tmp_path / "server"), draft) as live:
        command = item.command.replace("http://127.0.0.1:8000", live.url)
        got = run(command, tmp_path / "device", typed="y\n1\n2\n1\ny\n")
    assert agrees(item.output, got), got


@pytest.mark.parametrize("path", re.findall(r'(?:\]\(|src=")([^)"#:]+)[)"]', README))
def test_a_link_in_the_readme_leads_somewhere(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)|`make (\w+)`", README, re.MULTILINE))
def test_a_make_target_in_the_readme_exists(target: tuple[str, str]) -> None:
    name = "".join(target)
    assert re.search(rf"^{name}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
