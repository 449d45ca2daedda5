"""The command line as a whole: every command helps, and bad input is one line with exit code 2."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from client.__main__ import main as client_main
from client.console.group import LazyCommand
from server.cli import main

# The stable interface: later commands are added, none of these goes away.
NAMES = {"serve", "publish", "close", "archive", "verify", "backup", "demo"} | {
    "answer",
    "simulate",
    "estimate",
    "plan",
    "audit",
    "check",
    "schema",
    "curator",
}
LISTED = [(group, entry) for group in (main, client_main) for entry in group.commands.values()]
ALL = [(group, entry.load()) for group, entry in LISTED if isinstance(entry, LazyCommand)]


def test_candor_assembles_the_commands_of_all_packages() -> None:
    assert set(main.commands) >= NAMES
    assert set(client_main.commands) == {
        "answer",
        "check",
        "simulate",
        "ticket",
    }


@pytest.mark.parametrize(
    ("entry", "command"),
    [(entry, command) for (_, entry), (_, command) in zip(LISTED, ALL, strict=True)],
    ids=lambda item: str(item.name),
)
def test_the_list_of_commands_says_what_each_says_of_itself(
    entry: click.Command, command: click.Command
) -> None:
    assert entry.name == command.name
    assert entry.get_short_help_str() == command.get_short_help_str(limit=200)


def test_a_mistyped_command_is_told_what_was_meant() -> None:
    result = CliRunner().invoke(main, ["simulat"])
    assert result.exit_code == 2
    assert "simulate" in result.stderr


@pytest.mark.parametrize(("group", "command"), ALL, ids=lambda item: str(item.name))
def test_help_explains_with_an_example_that_names_real_options(
    group: click.Group, command: click.Command
) -> None:
    result = CliRunner().invoke(group, [str(command.name), "--help"])
    assert result.exit_code == 0
    example = re.search(r"Examples?:\n(.*?)\n\n", result.output, re.DOTALL)
    assert example is not None, result.output
    assert str(command.name) in example[1]
    # The example of a group shows its commands at work.
    shown = [command, *(command.commands.values() if isinstance(command, click.Group) else ())]
    known = {name for each in shown for parameter in each.params for name in parameter.opts}
    for option in re.findall(r"--[a-z-]+", example[1]):
        assert option in known, option


@pytest.mark.parametrize(("group", "command"), ALL, ids=lambda item: str(item.name))
def test_every_option_says_what_it_does(group: click.Group, command: click.Command) -> None:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name != "help":
            assert parameter.help or parameter.show_default, parameter.name


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["estimate", "--no-such-option"],
        ["plan", "--epsilon", "nan", "--margin", "0.03"],
        ["publish", "no-such-file.yaml"],
        ["answer", "http://example.org/s/health"],
        ["simulate", "--epsilon", "1", "--shares", "0.7,0.7"],
        ["audit", "--epsilon", "0"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"Error: .+\n", result.stderr), result.stderr


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == 0
    assert re.search(r"\d+\.\d+", result.output)
