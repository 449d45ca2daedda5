"""What failed is looked at twice, and fails if it fails twice."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.process import ROOT

ALWAYS = "def test_{n}():\n    assert False\n"
ONCE = """
from pathlib import Path
def test_{n}():
    seen = Path("seen-{n}")
    was, _ = seen.exists(), seen.touch()
    assert was
"""


def run(folder: Path, *tests: str) -> subprocess.CompletedProcess[str]:
    """Run the suite on some tests, two at a time."""
    for number, text in enumerate(tests):
        (folder / f"test_{number}.py").write_text(text.format(n=number))
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.suite import main; "
    command = [sys.executable, "-c", program + "sys.exit(main(['-q', '-n', '2']))"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_what_passes_alone_is_named_and_does_not_fail_the_suite(tmp_path: Path) -> None:
    done = run(tmp_path, ONCE, "def test_fine():\n    pass\n")
    assert done.returncode == 0
    assert done.stdout.endswith("Please look at them:\n  test_0.py::test_0\n")


@pytest.mark.parametrize(
    "tests",
    [[ALWAYS], [ONCE, ALWAYS], [ONCE] * 4, ["import nothing_of_that_name"]],
    ids=["again", "one of two again", "too many", "not even read"],
)
def test_what_fails_twice_or_fails_widely_fails(tmp_path: Path, tests: list[str]) -> None:
    assert run(tmp_path, *tests).returncode not in (0, 5)


def test_nothing_failed_is_nothing_twice(tmp_path: Path) -> None:
    done = run(tmp_path, "def test_fine():\n    pass\n")
    assert (done.returncode, "alone" in done.stdout) == (0, False)
