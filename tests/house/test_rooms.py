"""The floor plan: imports point one way, rooms stay small, and each room has its licences.

A room is a folder. Privacy-critical code that imported numpy, Flask or the server could be affected
by them, and nobody could read it alone.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.process import ROOT

PACKAGES = ("client", "estimators", "server")
# Which other packages each package may import.
BELOW = {
    "client": {"client"},
    "estimators": {"client", "estimators"},
    "server": {"client", "estimators", "server"},
}
MOST_MODULES = 15
MOST_CORE_FILES = 35
MOST_CORE_LINES = 2400

_WEB = ("server/web", "server/respondents", "server/results", "server/api", "server/workbench")
_EDITORS = ("server/workbench/editor", "server/workbench/planner")
_NUMBERS = (
    *("estimators/curator", "estimators/counting", "estimators/shares", "estimators/ordinal"),
    *("estimators/columns", "estimators/warehouse"),
    *("estimators/mechanisms", "estimators/tables", "estimators/planning", "estimators/study"),
    *("estimators/plots", "estimators/simulation", "estimators/simulation/aggregate"),
    *("estimators/simulation/kernels", "estimators/simulation/people", "estimators/audit"),
    *("estimators/export", "estimators/published", "estimators/compare", "estimators/cross"),
    *("estimators/regression", "estimators/regression/likelihoods"),
)
# The rooms in which each library may be used, not including subfolders.
LICENCES = {
    "click": {
        *("client/console", "client/terminal", "client/authoring"),
        *("estimators/commands", "estimators/commands/analysis", "server/commands", "server"),
    },
    "rich": {"client/console"},
    "yaml": {"client/authoring"},
    "openpyxl": {"client/authoring/xlsform"},
    "numpy": set(_NUMBERS),
    "scipy": set(_NUMBERS),
    "matplotlib": {"estimators/plots"},
    "markdown_it": {"estimators/paperwork"},
    "pyarrow": {"estimators/counting"},
    "distributed": {"estimators/workers"},
    "statsmodels": {"estimators/regression"},
    "formulaic": {"estimators/regression"},
    "pandas": {"estimators/analysis", "estimators/regression"},
    "flask": {*_WEB, *_EDITORS, "server"},
    "werkzeug": {*_WEB, *_EDITORS},
    "brotli": {"server/web", "client/terminal"},
    "flask_babel": {"server/web"},
    "flask_login": {"server/workbench"},
    "flask_wtf": {"server/workbench"},
    "wtforms": {"server/workbench", "server/workbench/planner"},
    "argon2": {"server/accounts"},
    "cryptography": {"server/signing"},
    "segno": {"server/invitations"},
    "waitress": {"server", "server/listening"},
    "sqlite3": {"server/store", "server/store/engines"},
    "sqlite_utils": {"server/store", "server/store/engines"},
}
_SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|PRAGMA)\b")


@dataclass(frozen=True)
class Module:
    """One source file and what it imports: whole modules of ours, and names of libraries."""

    path: str
    ours: frozenset[str]
    libraries: frozenset[str]
    # Of everything that is imported, the first part of its name.
    imported: frozenset[str]
    text: str

    @property
    def room(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def package(self) -> str:
        return self.path.partition("/")[0]


@cache
def modules() -> list[Module]:
    # The export's scripts belong to the unpacked zip, not to our packages.
    paths = [
        path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not {"scripts", "examples"} & set(path.relative_to(ROOT).parts)
    ]
    return [read(path) for path in paths]


def read(path: Path) -> Module:
    text = path.read_text("utf-8")
    names = set(imports(ast.parse(text)))
    ours = {file_of(name) for name in names if name.split(".")[0] in PACKAGES}
    imported = {name.split(".")[0] for name in names}
    libraries = imported - set(PACKAGES) - (sys.stdlib_module_names - {"sqlite3"})
    place = path.relative_to(ROOT).as_posix()
    return Module(place, frozenset(ours), frozenset(libraries), frozenset(imported), text)


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted name of everything imported, at the top or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def file_of(name: str) -> str:
    """Return the file that `from a.b import c` reads: module a.b.c, else a.b itself."""
    for dotted in (name, name.rpartition(".")[0]):
        stem = dotted.replace(".", "/")
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            if (ROOT / path).is_file():
                return path
    raise AssertionError(f"{name} is imported and not there")


def rooms() -> dict[str, list[Module]]:
    found: dict[str, list[Module]] = {}
    for module in modules():
        found.setdefault(module.room, []).append(module)
    return found


@pytest.mark.parametrize("room", rooms())
def test_a_room_imports_only_what_it_has_a_licence_for(room: str) -> None:
    for module in rooms()[room]:
        unlicensed = {name for name in module.libraries if room not in LICENCES.get(name, ())}
        assert not unlicensed, module.path
        packages = {path.partition("/")[0] for path in module.ours}
        assert packages <= BELOW[module.package], module.path


def test_every_licence_is_used() -> None:
    used = {(name, module.room) for module in modules() for name in module.libraries}
    unused = {
        (name, room)
        for name, places in LICENCES.items()
        for room in places
        if (name, room) not in used and name not in ("numpy", "scipy", "werkzeug")
    }
    assert not unused


def test_rooms_are_in_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module in modules():
        targets = {path.rpartition("/")[0] for path in module.ours} - {module.room}
        graph.setdefault(module.room, set()).update(targets)
    # Raises CycleError, which names the cycle.
    list(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("room", rooms())
def test_a_room_is_small_enough_to_know(room: str) -> None:
    own = [module for module in rooms()[room] if not module.path.endswith("__.py")]
    assert len(own) <= MOST_MODULES


def test_the_trusted_core_needs_nothing_but_the_standard_library_and_itself() -> None:
    core = [module for module in modules() if module.path.startswith("client/core/")]
    for module in core:
        assert not module.libraries, module.path
        assert all(path.startswith("client/core/") for path in module.ours), module.path
    assert len(core) <= MOST_CORE_FILES
    assert sum(code_lines(module.text) for module in core) <= MOST_CORE_LINES


def code_lines(text: str) -> int:
    """Count the lines that are not blank, comments or docstrings."""
    told: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            told.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(map(str.strip, text.splitlines()), start=1)
    return sum(line != "" and line[0] != "#" and number not in told for number, line in lines)


def importers(*names: str) -> list[str]:
    """The modules that import one of these, or something from it."""
    return [module.path for module in modules() if module.imported & set(names)]


def test_the_secure_generator_stands_in_one_module() -> None:
    assert importers("secrets") == ["client/core/primitives/words.py"]
    # The other doors to the system's generator.
    for module in modules():
        assert not re.search(r"\b(urandom|getrandom|SystemRandom|uuid4)\b", module.text), (
            module.path
        )


def test_nothing_imports_the_insecure_generator() -> None:
    assert importers("random") == []


def test_statements_for_the_database_stand_in_the_store_alone() -> None:
    for module in modules():
        # The warehouse's queries are printed, for databases of somebody else.
        if module.path.startswith(("server/store/", "estimators/warehouse/")):
            continue
        for node in ast.walk(ast.parse(module.text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not _SQL.match(node.value), f"{module.path}:{node.lineno}"


def test_the_client_runs_where_nothing_of_the_server_is_installed() -> None:
    absent = "flask flask_babel werkzeug sqlite_utils waitress numpy scipy server estimators"
    program = (
        "import runpy, sys\n"
        f"for name in {absent!r}.split():\n"
        "    sys.modules[name] = None\n"
        "sys.argv = ['client', sys.argv[1], '--help']\n"
        "runpy.run_module('client', run_name='__main__')\n"
    )
    for command in ("answer", "check", "simulate"):
        arguments = [sys.executable, "-c", program, command]
        run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        assert command in run.stdout
