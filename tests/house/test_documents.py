"""The documents are true: their commands and options exist, and their odds follow from epsilon."""

import math
import re
import shlex
from decimal import Decimal
from pathlib import Path

import click
import pytest

from client.console.group import LazyCommand
from client.wording.levels import level_name
from server.cli import main
from tests.support.process import ROOT

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/how-to/*.md")]
COMMAND = re.compile(r"(?:\.venv/bin/|/opt/candor/bin/|exec (?:-T )?candor )?candor (?=[a-z])")


def commands(page: Path) -> list[str]:
    """Return the commands in a page's blocks of code, each in one line."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    starts = ((line, COMMAND.match(line.removeprefix("$ ").strip())) for line in lines)
    return [line.removeprefix("$ ").strip()[found.end() :] for line, found in starts if found]


WITH_COMMANDS = {page.relative_to(ROOT): commands(page) for page in PAGES if commands(page)}


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=str)
def test_every_command_and_option_exists(page: Path) -> None:
    for line in WITH_COMMANDS[page]:
        words = shlex.split(re.split(r" [|<>&;] ?| > ", line)[0], comments=True)
        command: click.Command | None = main
        context = click.Context(main)
        while isinstance(command, click.Group) and words:
            command = command.get_command(context, words.pop(0))
            command = command.load() if isinstance(command, LazyCommand) else command
        assert command is not None, line
        known = {option for each in command.params for option in each.opts} | {"--help"}
        used = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert used <= known, line


ODDS = re.compile(r"^\| ([\d.]+) \|.*?(\d+) of 100.*\| (\w+) \|$", re.MULTILINE)


@pytest.mark.parametrize("name", ["tutorial.md", "how-to/choose-epsilon.md"])
def test_odds_and_words_follow_from_epsilon(name: str) -> None:
    rows = ODDS.findall((ROOT / "docs" / name).read_text("utf-8"))
    assert len(rows) == 4
    for epsilon, odds, word in rows:
        assert round(100 / (1 + math.exp(-float(epsilon)))) == int(odds)
        assert level_name(Decimal(epsilon)) == word
