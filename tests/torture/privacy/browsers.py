"""Real browsers, started without a driver on one address."""

import os
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser import chromium, firefox
from tests.torture.privacy.counting import Counting, serving

# Firefox would ask its makers for news at the start.
PREFERENCES = """user_pref("app.normandy.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
"""


@dataclass(frozen=True)
class Browser:
    """A browser by its name, where it is found, and what starts it with a profile of its own."""

    name: str
    find: Callable[[], str | None]
    arguments: Callable[[Path], list[str]]

    def version(self) -> str:
        """Return the browser's own line about itself, such as `Chromium 142.0.7444.59`."""
        shown = subprocess.run([self._path, "--version"], capture_output=True, check=False)
        return " ".join(shown.stdout.decode().replace("Mozilla ", "").split()[:2]) or self.name

    def count(
        self, script: str, people: int, advance: Callable[[int], object] = lambda _: None
    ) -> list[Counter[str]]:
        """Count what so many people of each truth report, with the modules of this script."""
        counting = Counting(people, advance)
        with serving(counting, script) as url, self._running(url) as process:
            while not counting.done.wait(1):
                if process.poll() is not None:
                    counting.fail(f"the browser ended with {process.returncode}")
        if counting.failure:
            raise RuntimeError(f"{self.name}: {counting.failure}")
        return counting.counts

    @property
    def _path(self) -> str:
        path = self.find()
        if path is None:
            raise RuntimeError(f"no {self.name} found")
        return path

    @contextmanager
    def _running(self, url: str) -> Iterator[subprocess.Popen[bytes]]:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            process = _start([self._path, *self.arguments(Path(folder)), url], folder)
            try:
                yield process
            finally:
                # With the processes of its pages, which are of the same group.
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _start(command: Sequence[str], home: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": home},
        start_new_session=True,
    )


def _for_chromium(profile: Path) -> list[str]:
    return ["--headless", f"--user-data-dir={profile}", *chromium.launch_options()["args"]]


def _for_firefox(profile: Path) -> list[str]:
    (profile / "user.js").write_text(PREFERENCES)
    return ["--headless", "--no-remote", "--profile", str(profile)]


CHROMIUM = Browser("Chromium", chromium.find, _for_chromium)
FIREFOX = Browser("Firefox", firefox.find, _for_firefox)
