"""docs/analysing.md and docs/large.md are true: their commands run, and print what they show."""

import doctest
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.figures import run
from tests.support.process import ROOT

# The pages, and how many commands each shows at least.
PAGES = {"analysing.md": 15, "large.md": 6}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """Yield the language and the text of every block on the page."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    yield from re.findall(r"```(console|python|yaml)\n(.*?)```", text, re.DOTALL)


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


@pytest.mark.parametrize("page", PAGES)
def test_the_page_does_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    commands = 0
    for language, block in blocks(page):
        if language == "python":
            exec(compile(block, page, "exec"), {})
        elif language == "yaml":
            # The first line is a comment with the name of the file.
            Path(block.partition("\n")[0].removeprefix("# ")).write_text(block)
        for command, output in shown(block):
            commands += 1
            got = execute(command, output.startswith("Error:"))
            assert doctest.OutputChecker().check_output(output, got, FLAGS), f"$ {command}\n{got}"
    assert commands >= PAGES[page]
