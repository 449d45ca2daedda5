"""docs/analysing.md is true: its commands run one after another, and print what it shows."""

import doctest
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.figures import run
from tests.support.process import ROOT

PAGE = (ROOT / "docs" / "analysing.md").read_text("utf-8")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks() -> Iterator[tuple[str, str]]:
    """Yield the language and the text of every block on the page."""
    yield from re.findall(r"```(console|python|yaml)\n(.*?)```", PAGE, re.DOTALL)


def shown(block: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a block and the output below each."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def execute(command: str, is_refused: bool) -> str:
    """Run one of our commands, or what a shell would run."""
    if command.startswith("candor "):
        result = run(*shlex.split(command)[1:])
        assert result.exit_code == (2 if is_refused else 0), result.stderr
        return result.stderr if is_refused else result.stdout
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_page_does_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    commands = 0
    for language, block in blocks():
        if language == "python":
            exec(compile(block, "analysing.md", "exec"), {})
        elif language == "yaml":
            # The first line is a comment with the name of the file.
            Path(block.partition("\n")[0].removeprefix("# ")).write_text(block)
        for command, output in shown(block):
            commands += 1
            got = execute(command, output.startswith("Error:"))
            assert doctest.OutputChecker().check_output(output, got, FLAGS), f"$ {command}\n{got}"
    assert commands >= 15
