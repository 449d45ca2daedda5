"""R for the tests of the export's scripts: found on the system, or installed.

The scripts need base R only: Debian's `r-base-core`. A missing R is a failure, never a skip.
"""

import shutil
import subprocess
import sys

from tests.support.packages import install

PACKAGE = "r-base-core"
# Without the user's settings and workspace.
RSCRIPT = ("Rscript", "--vanilla")


def main() -> int:
    """Find or install R, and print which one."""
    if shutil.which("Rscript") is None:
        print(f"No R here; trying the distribution's package {PACKAGE}.", flush=True)
        install(PACKAGE)
    path = shutil.which("Rscript")
    if path is None:
        print("Error: the tests need R (Rscript) and it could not be installed", file=sys.stderr)
        return 1
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    print(f"R for the tests: {path} ({(version.stdout or version.stderr).strip()})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
