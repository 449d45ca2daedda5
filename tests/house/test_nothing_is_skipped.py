"""No test is skipped: what a test needs is installed by `make test`, or the test fails."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
LEAVING_OUT = {"skip", "skipif", "importorskip", "xfail"}


@pytest.mark.parametrize(
    "path", sorted(TESTS.rglob("*.py")), ids=lambda path: str(path.relative_to(TESTS))
)
def test_no_test_is_left_out(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("pytest", "pytest.mark"):
            assert node.attr not in LEAVING_OUT, f"{path}:{node.lineno}"


@pytest.mark.parametrize("program", ["tests.browser.chromium", "tests.support.r_language"])
def test_make_test_installs_what_the_tests_need_before_they_run(program: str) -> None:
    steps = (TESTS.parent / "Makefile").read_text().split("\ntest:")[1].split("\n\n")[0]
    assert program in steps.split("pytest")[0]
