"""The worked examples are true: every command runs and prints what its README shows."""

import contextlib
import doctest
import io
import re
import runpy
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey, read_survey_file
from estimators.planning.survey_plan import Target, plan_survey
from tests.support.figures import run
from tests.support.process import ROOT

EXAMPLES = ROOT / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# Commands with more respondents than this are run at a small scale only.
MOST_RESPONDENTS = 10_000_000


@dataclass(frozen=True)
class Shown:
    """A command and the output below it; `...` stands for anything."""

    command: str
    output: str


def shown(name: str) -> list[Shown]:
    text = (EXAMPLES / name / "README.md").read_text()
    blocks = re.findall(r"```console\n\$ (.*?)\n(.*?)```", text, re.DOTALL)
    return [Shown(*block) for block in blocks]


def script_output(path: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(ROOT / path), run_name="__main__")
    return printed.getvalue()


def execute(command: str) -> str:
    """Do what a shell would do with one of an example's commands."""
    command = re.sub(
        r'"\$\(python (\S+)\)"', lambda found: script_output(found[1]).strip(), command
    )
    command, _, target = command.partition(" > ")
    program, *arguments = shlex.split(command)
    if program == "python":
        output = script_output(arguments[0])
    else:
        assert program == "candor"
        output = successful(arguments)
    if not target:
        return output
    Path(target).write_text(output)
    return ""


def successful(arguments: list[str]) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def smaller(command: str) -> str:
    """Return the command with two hundred respondents and two samples."""
    command = re.sub(r"(candor simulate .*)--respondents \d+", r"\1--respondents 200", command)
    return re.sub(r"--repeats \d+", "--repeats 2", command)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_at_a_small_scale(name: str) -> None:
    commands = shown(name)
    assert len(commands) >= 2
    for item in commands:
        execute(smaller(item.command))


def is_quick(item: Shown) -> bool:
    numbers = {
        key: int(value) for key, value in re.findall(r"--(respondents|repeats) (\d+)", item.command)
    }
    asked = numbers.get("respondents", 0) * numbers.get("repeats", 1)
    return asked <= MOST_RESPONDENTS or item.command.startswith("candor plan")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", NAMES)
def test_an_example_prints_what_its_readme_shows(name: str) -> None:
    for item in shown(name):
        if is_quick(item):
            got = execute(item.command)
            checker = doctest.OutputChecker()
            assert checker.check_output(item.output, got, FLAGS), got


def test_every_example_is_listed() -> None:
    listed = re.findall(r"\]\((\w+)/README.md\)", (EXAMPLES / "README.md").read_text())
    assert sorted(listed) == NAMES
    assert len(NAMES) == 7


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_the_survey_of_an_example_can_be_published(path: Path) -> None:
    assert build_survey(read_survey_file(path), version=1).questions


def test_the_names_are_invented_and_all_different(folder: Path) -> None:
    (folder / "names.yaml").write_text(script_output("examples/first_names/make_survey.py"))
    survey = load_survey(folder / "names.yaml")
    (question,) = survey.questions
    assert len(set(question.options)) == 10_000
    assert (question.options[0], question.options[-1]) == ("Balalabel", "Nuzuzuris")
    assert question.mechanism.name == "hr"
    (row,) = plan_survey(survey, Target(respondents=3 * 10**8, share=0.0001))
    # Table 2b: a standard error of 0.116 % of the population.
    assert row["margin"] / 1.959964 == pytest.approx(0.00116, abs=5e-6)


def test_the_shares_of_the_names_add_up() -> None:
    shares = [
        float(share) for share in script_output("examples/first_names/make_shares.py").split(",")
    ]
    assert len(shares) == 10_000
    assert sum(shares) == pytest.approx(1, abs=1e-9)
    assert shares[0] == max(shares)
