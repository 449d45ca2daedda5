"""The page about regressions is true: every command in it runs and prints what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.figures import run
from tests.support.process import ROOT

PAGE = (ROOT / "docs/analysing-regress.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n\$ (.*?)\n(.*?)```", PAGE, re.DOTALL)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_every_command_of_the_page_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert program is not None
    exec(program[1], {})
    assert len(SESSIONS) == 4
    for command, shown in SESSIONS:
        result = run(*shlex.split(command)[1:])
        assert lines(result.stdout + result.stderr) == lines(shown)
