"""The arrows between packages: server -> estimators -> client -> numpy and the standard library.

A privacy-critical module that imported numpy, Flask or the server could be led astray by them.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STANDARD = sys.stdlib_module_names

# What each package may import besides the standard library and itself.
ALLOWED = {
    "client": set[str](),
    "estimators": {"client", "numpy", "scipy"},
    "server": {
        "client",
        "estimators",
        "argon2",
        "flask",
        "flask_babel",
        "flask_login",
        "flask_wtf",
        "wtforms",
        "werkzeug",
        "sqlite_utils",
        "waitress",
    },
}
# Modules with a licence of their own: how a command talks, how a file is read, bulk simulation,
# figures that leave the system.
ALLOWED_BY_STEM = {"yaml_file": {"yaml"}, "parquet": {"pyarrow"}, "urls": {"segno"}}
ALLOWED_BY_FOLDER = {
    "client/simulate": {"numpy"},
    "client/xlsform": {"openpyxl"},
    "client/simulate/kernels": {"numpy"},
    "estimators/plots": {"matplotlib"},
    "server/commands": {"click"},
    "estimators/export/scripts": {"analysis"},
    "estimators/export/scripts/analysis": {"analysis"},
}
TERMINAL_LIBRARIES = {"click", "rich"}
TERMINAL_STEMS = {"__main__", "cli", "commands", "interview", "lazy_group", "progress"} | {
    "prompts",
    "terminal",
}


def sources() -> list[Path]:
    return [path for package in ALLOWED for path in sorted((ROOT / package).rglob("*.py"))]


def imported_packages(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            names.add((node.module or "").split(".")[0])
    return names


def is_terminal_module(stem: str) -> bool:
    return stem in TERMINAL_STEMS or stem.endswith(("_command", "_commands"))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_package_may(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    allowed = ALLOWED[package] | ALLOWED_BY_STEM.get(path.stem, set()) | {package}
    allowed |= ALLOWED_BY_FOLDER.get(path.parent.relative_to(ROOT).as_posix(), set())
    if is_terminal_module(path.stem):
        allowed |= TERMINAL_LIBRARIES
    assert imported_packages(path) - STANDARD - allowed == set()


def test_the_secure_generator_stands_in_one_module() -> None:
    holders = [path for path in sources() if "secrets" in imported_packages(path)]
    assert [path.relative_to(ROOT).as_posix() for path in holders] == [
        "client/core/primitives/words.py"
    ]


def test_nothing_imports_the_insecure_generator() -> None:
    for path in sources():
        assert "random" not in imported_packages(path), path


def test_the_client_runs_where_flask_is_not_installed() -> None:
    program = (
        "import runpy, sys\n"
        "for name in 'flask flask_babel werkzeug sqlite_utils waitress server estimators'.split():"
        "\n"
        "    sys.modules[name] = None\n"
        "sys.argv = ['client', '--help']\n"
        "runpy.run_module('client', run_name='__main__')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "answer" in run.stdout
