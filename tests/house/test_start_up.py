"""Commands start fast: `--help` imports no command, and a command imports only what it needs."""

import resource
import subprocess
import sys

import pytest

from tests.support.process import ROOT

HEAVY = {"numpy", "scipy", "flask", "matplotlib", "rich", "yaml", "sqlite_utils"}
CANDOR = "from server.cli import main; main(sys.argv[1:], prog_name='candor')"
CLIENT = "from client.__main__ import main; main(sys.argv[1:], prog_name='python -m client')"
# The start of a command compared with that of its library. Each is the fastest of several runs.
RUNS = 7
MOST_TIMES = 3


def imported(program: str, *arguments: str) -> set[str]:
    """Return the top-level names of all modules that a program has imported when it ends."""
    at_exit = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "
    done = subprocess.run(
        [sys.executable, "-c", at_exit + program, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize(
    ("program", "arguments"),
    [(CANDOR, ["--version"]), (CANDOR, ["--help"]), (CANDOR, []), (CLIENT, ["--help"])],
    ids=["candor --version", "candor --help", "candor", "python -m client --help"],
)
def test_help_and_version_import_no_command(program: str, arguments: list[str]) -> None:
    found = imported(program, *arguments)
    assert "click" in found
    assert found & HEAVY == set()


SIMULATE = "simulate --kind yes-no --epsilon 1 --respondents 100 --repeats 2".split()
PLAN = "plan --kind yes-no --epsilon 1 --margin 0.1".split()


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (SIMULATE, {"flask", "matplotlib", "sqlite_utils"}),
        (
            ["plan", "--kind", "yes-no", "--epsilon", "1", "--margin", "0.1"],
            {"flask", "matplotlib"},
        ),
        (["schema"], {"flask", "matplotlib", "numpy"}),
        (["serve", "--help"], {"matplotlib"}),
        (["regress", "--help"], {"flask", "matplotlib", "statsmodels", "formulaic", "pandas"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_imports_only_what_it_needs(arguments: list[str], spared: set[str]) -> None:
    assert imported(CANDOR, *arguments) & spared == set()


def seconds(program: str, *arguments: str) -> float:
    """Return the processor's time of a program: busy neighbours do not count."""
    started = children_seconds()
    subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return children_seconds() - started


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_it_starts_nearly_as_fast_as_its_library(argument: str) -> None:
    pairs = [
        (seconds("import sys; " + CANDOR, argument), seconds("import click")) for _ in range(RUNS)
    ]
    candor, click = (min(times) for times in zip(*pairs, strict=True))
    assert candor <= MOST_TIMES * click, f"candor {argument}: {candor / click:.1f} times click"
