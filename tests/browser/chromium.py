"""A real Chromium for the tests: found on the system, or fetched and installed.

Three sources in this order: a system Chromium, Playwright's own build, the distribution's package.
A missing browser is a failure, never a skip.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

from tests.support.packages import install, run

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
DOWNLOAD_SECONDS = 60
# The browser's own chatter would drown the requests that the tests look at.
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# One process for all pages of a device instead of one that waits for another site's page.
FEW_PROCESSES = ("--disable-site-isolation-trials", "--renderer-process-limit=1")
# Off, because every new device would load them: the pages behind the address bar, which nobody
# sees here. They took more of the processor than the survey. Chromium reads only the last list of
# such features, so the others repeat what Playwright turns off.
TURNED_OFF = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    *("PreconnectToSearch", "msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"),
)
FEATURES = "--disable-features="


class Launch(TypedDict):
    """What `playwright.chromium.launch` needs."""

    executable_path: str
    args: list[str]


def launch_options() -> Launch:
    """The browser to start and its arguments; an error when there is none."""
    path = find()
    if path is None:
        raise RuntimeError("no Chromium found: run `python -m tests.browser.chromium` first")
    # Chromium refuses to sandbox a process of root, the usual user in a container.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    features = FEATURES + ",".join(TURNED_OFF)
    return {"executable_path": path, "args": [*QUIET, *FEW_PROCESSES, features, *sandbox]}


def find() -> str | None:
    """A Chromium that is here already: named by CANDOR_CHROMIUM, on the path, or Playwright's."""
    named = os.environ.get("CANDOR_CHROMIUM")
    if named:
        return shutil.which(named)
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    return _playwrights_own()


def _playwrights_own() -> str | None:
    root = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folder = Path(root) if root else Path.home() / ".cache" / "ms-playwright"
    builds = sorted(folder.glob("chromium-*/chrome-linux*/chrome"))
    return str(builds[-1]) if builds else None


def fetch() -> str | None:
    """Install one: Playwright's build if it can be had, else the distribution's package."""
    print("No Chromium here; trying Playwright's own build.", flush=True)
    run([sys.executable, "-m", "playwright", "install", "chromium"], DOWNLOAD_SECONDS)
    if find() is None:
        print("That did not work; trying the distribution's package.", flush=True)
        install("chromium")
    return find()


def main() -> int:
    """Find or fetch a Chromium and say which."""
    path = find() or fetch()
    if path is None:
        print("Error: the tests need a Chromium and none could be installed", file=sys.stderr)
        return 1
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    print(f"Chromium for the tests: {path} ({version.stdout.strip() or 'version unknown'})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
