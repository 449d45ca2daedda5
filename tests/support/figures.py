"""Run the commands that print figures, as a terminal would."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from client.console.group import Commands
from client.terminal.simulate import simulate
from server.cli import main

CANDOR = main
CLIENT = Commands("client", commands=[simulate])

SURVEY_FILE = """
slug: habits
title: Habits
questions:
  - id: smokes
    prompt: Do you smoke?
    epsilon: 1
  - id: drinks
    prompt: Do you drink alone?
    epsilon: 0.5
    options: [Never, Often]
"""


def survey_file(folder: Path) -> Path:
    path = folder / "survey.yaml"
    path.write_text(SURVEY_FILE)
    return path


def run(*arguments: object, group: Commands = CANDOR) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


def figures(*arguments: object) -> Any:
    """Return the JSON that a command prints."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def complaint(*arguments: object, group: Commands = CANDOR) -> str:
    """Return the one line on standard error of a command that refuses its input."""
    result = run(*arguments, group=group)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("Error: ").strip()
