"""The program finds the files it reads as data of its packages, wherever these are installed."""

import ast
from pathlib import Path

import pytest

from tests.support.process import ROOT

SOURCES = [
    path
    for package in ("client", "estimators", "server")
    for path in sorted((ROOT / package).rglob("*.py"))
]
TEXTS = [
    path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.rglob("*/README.md")])
    if not path.relative_to(ROOT).parts[0].startswith(".")
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_looks_for_files_from_where_it_stands(path: Path) -> None:
    names = [node.id for node in ast.walk(ast.parse(path.read_text())) if type(node) is ast.Name]
    assert "__file__" not in names


@pytest.mark.parametrize("path", [*SOURCES, *TEXTS], ids=lambda path: str(path.relative_to(ROOT)))
def test_nobody_is_told_to_install_a_distribution_of_somebody_else(path: Path) -> None:
    text = path.read_text()
    assert "candor[" not in text
    assert "install candor\n" not in text
    assert "install candor " not in text


@pytest.mark.parametrize("name", ["templates", "examples"])
def test_a_folder_of_the_repository_is_data_of_the_server(name: str) -> None:
    assert (ROOT / "server" / name).samefile(ROOT / name)
