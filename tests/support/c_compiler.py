"""A C compiler for the tests that watch the disk: found on the system, or installed.

A missing compiler is a failure, never a skip.
"""

import shutil
import subprocess
import sys

from tests.support.packages import install

# The compiler itself, and the headers of the C library.
PACKAGES = ("gcc", "libc6-dev")
NAMES = ("gcc", "cc", "clang")


def find() -> str | None:
    """Return the path of a compiler, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def main() -> int:
    """Find or install a compiler, and print which one."""
    if find() is None:
        print(f"No C compiler here; trying {', '.join(PACKAGES)}.", flush=True)
        for package in PACKAGES:
            install(package)
    path = find()
    if path is None:
        print("Error: the tests need a C compiler and none could be installed", file=sys.stderr)
        return 1
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    print(f"C compiler for the tests: {path} ({version.stdout.splitlines()[0]})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
