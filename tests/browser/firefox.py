"""A real Firefox beside the Chromium: found on the system, or the distribution's package.

The tests need none. What `make torture` measures in both browsers names one that is missing.
"""

import os
import shutil
import subprocess
import sys

from tests.support.packages import install

NAMES = ("firefox", "firefox-esr")
PACKAGE = "firefox-esr"


def find() -> str | None:
    """Return the path of a Firefox: named by CANDOR_FIREFOX, or on the path."""
    named = os.environ.get("CANDOR_FIREFOX")
    names = (named,) if named else NAMES
    return next(filter(None, map(shutil.which, names)), None)


def main() -> int:
    """Find or install a Firefox, and print which one."""
    if find() is None:
        print(f"No Firefox here; trying {PACKAGE}.", flush=True)
        install(PACKAGE)
    path = find()
    if path is None:
        print("No Firefox could be installed; only Chromium is measured.", file=sys.stderr)
        return 0
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    print(f"Firefox for the tests: {path} ({version.stdout.strip() or 'version unknown'})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
