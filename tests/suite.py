"""Run all tests: `python -m tests.suite`, with pytest's options.

The tests drive browsers, kill servers and race threads on all cores at once. Where the machine
stands still for a moment, a test can fail that finds nothing. So up to three tests that failed are
run once more, each alone. What fails again has failed. What passes then is named at the end, so
that somebody looks at it: a test that needs a second look too often is a bad test, or found a race.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MOST = 3
FAILED = 1  # pytest's code for: all ran, some failed
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def main(options: Sequence[str]) -> int:
    """Run the tests in the current folder; return the code that the process should end with."""
    code = _run(["--cache-clear", *options])
    if code != FAILED:
        return code
    failed = list(json.loads(LAST_FAILED.read_text()))
    if len(failed) > MOST:
        return code
    print(f"\nOnce more, each alone: {len(failed)} that failed", flush=True)
    if any(_run(["-p", "no:xdist", "-p", "no:cacheprovider", test]) for test in failed):
        return code
    print("\nThese failed among all tests and passed alone. Please look at them:")
    print("\n".join(f"  {test}" for test in failed), flush=True)
    return 0


def _run(options: Sequence[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *options]).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
