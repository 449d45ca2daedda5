"""The wheel, built and installed with its pinned requirements into an empty environment, runs.

Nothing but the package registry that pip is configured with is needed.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from client import __version__
from tests.support.process import ROOT

# What the build does not read, and what an earlier build has left.
ELSEWHERE = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "tests", "docs")
# Folders with files that the program reads, and their names.
DATA = {
    "client/browser": "*.*",
    "estimators/export/scripts": "*.*",
    "estimators/paperwork/texts": "*.md",
    "server/static": "*.*",
    "server/texts": "*.json",
    "templates": "*.html",
    "examples": "*.yaml",
}
LINKED = ("templates", "examples")


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel and its requirements, and an empty folder."""

    programs: Path
    folder: Path

    def command(self, program: str, *arguments: str) -> list[str]:
        return [str(self.programs / program), *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """Return the system's variables, except those that lead Python elsewhere."""
        kept = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
        return {**kept, "XDG_DATA_HOME": str(self.folder / "device")}

    def run(self, program: str, *arguments: str, typed: str = "") -> str:
        done = subprocess.run(
            self.command(program, *arguments),
            cwd=self.folder,
            env=self.environment,
            input=typed,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@dataclass(frozen=True)
class Demo:
    """A running `candor demo`: what it printed, and the links in it by name."""

    installed: Installed
    links: dict[str, str]

    def page(self, name: str) -> str:
        with urllib.request.urlopen(self.links[name], timeout=60) as answer:
            assert answer.status == 200
            return str(answer.read().decode())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist and, from it, the wheel."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT, folder / "source", symlinks=True, ignore=ELSEWHERE)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(folder / "source")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    place = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
    found = Installed(place / "venv" / "bin", place / "empty")
    found.folder.mkdir()
    # Compiling all libraries would take longer than what is run here.
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
    pins = ("-r", str(ROOT / "requirements.txt"))
    found.run("python", *pip, *pins, str(only(built, "*.whl")))
    return found


@pytest.fixture(scope="module")
def demo(installed: Installed) -> Iterator[Demo]:
    process = subprocess.Popen(
        installed.command("candor", "demo", "--port", "0"),
        cwd=installed.folder,
        env=installed.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "log in as" in line:
                break
        links = dict(re.findall(r"^  (\w+) +(http://\S+)$", "".join(lines), re.MULTILINE))
        assert links.keys() >= {"answer", "results", "workbench"}, "".join(lines)
        yield Demo(installed, links)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_the_wheel_has_every_file_that_the_program_reads(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel:
        names = set(wheel.namelist())
    for folder, pattern in DATA.items():
        place = f"server/{folder}" if folder in LINKED else folder
        files = [
            f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
            for path in (ROOT / folder).rglob(pattern)
            if "__pycache__" not in path.parts
        ]
        assert files
        assert set(files) - names == set()


def test_the_distributions_have_no_tests(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as wheel, tarfile.open(only(built, "*.gz")) as sdist:
        names = [*wheel.namelist(), *(name.partition("/")[2] for name in sdist.getnames())]
    assert "candor.py" in names
    assert [name for name in names if name.startswith("tests")] == []


def test_the_usual_checks_of_distributions_pass(built: Path) -> None:
    config = f"--config={ROOT / 'pyproject.toml'}"
    checks = [
        ["check_wheel_contents", config, str(only(built, "*.whl"))],
        ["twine", "check", "--strict", str(only(built, "*.whl")), str(only(built, "*.gz"))],
    ]
    for check in checks:
        done = subprocess.run([sys.executable, "-m", *check], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_installed_command_says_its_version(installed: Installed) -> None:
    assert installed.run("candor", "--version") == f"candor, version {__version__}\n"


def test_the_pins_are_all_that_it_requires(installed: Installed) -> None:
    assert "No broken requirements found." in installed.run("python", "-m", "pip", "check")
    listed = installed.run("python", "-m", "pip", "list", "--format=freeze")
    names = {line.partition("==")[0].lower().replace("_", "-") for line in listed.splitlines()}
    pins = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    wanted = {name.lower().replace("_", "-") for name in pins}
    assert names - wanted - {"pip", "setuptools"} == {"candor-survey"}


def test_python_programs_import_it_from_the_environment(installed: Installed) -> None:
    program = "import candor; print(candor.__file__, candor.__version__, candor.Survey.__name__)"
    path, *rest = installed.run("python", "-c", program).split()
    assert Path(path).is_relative_to(installed.programs.parent)
    assert rest == [__version__, "Survey"]


def test_the_demo_shows_the_survey_its_results_and_the_login(demo: Demo) -> None:
    assert re.search(r'<script type="module" src="/client/[0-9a-f]{64}\.js"', demo.page("answer"))
    assert "In the last twelve months" in demo.page("results")
    assert 'type="password"' in demo.page("workbench")


def test_a_report_is_handed_in_and_counted(demo: Demo) -> None:
    """From the true answer to the recounted tally, with the client of the same environment."""
    said = demo.installed.run("candor", "answer", demo.links["answer"], typed="y\n1\n2\n1\ny\n")
    assert "Your randomized answers are stored" in said
    counted = demo.installed.run("candor", "verify")
    assert "2001 reports" in counted
    assert "Everything agrees." in counted


def test_an_export_has_its_scripts(demo: Demo) -> None:
    demo.installed.run("candor", "export", "workplace-health")
    with zipfile.ZipFile(only(demo.installed.folder, "*.zip")) as archive:
        names = set(archive.namelist())
    scripts = ROOT / "estimators" / "export" / "scripts"
    for end in ("*.py", "*.R"):
        for path in scripts.rglob(end):
            assert path.relative_to(scripts).as_posix() in names
