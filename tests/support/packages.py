"""Install a Debian package for the tests, if the machine allows it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence


def install(package: str) -> None:
    """Install a package with apt-get; print why if that fails."""
    if shutil.which("apt-get") is None:
        print(f"There is no apt-get here to install {package}.", file=sys.stderr, flush=True)
        return
    apt = ["apt-get"] if os.geteuid() == 0 else ["sudo", "-n", "apt-get"]
    run([*apt, "update", "-qq"], 300)
    run([*apt, "install", "-qq", "-y", "--no-install-recommends", package], 900)


def run(command: Sequence[str], seconds: int) -> None:
    """Run one step of an installation; print a failure, and let the caller check the outcome."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(
            command, timeout=seconds, env=environment, check=False, stdout=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]} failed: {error}", file=sys.stderr, flush=True)
