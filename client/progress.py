"""A progress bar on standard error: only on a terminal, only when a task takes over a second."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import Progress

PATIENCE_SECONDS = 1.0
# A bar that is drawn on every step would cost more than the steps.
UPDATES = 500


class Bar:
    """`with Bar("Simulating", total) as bar: ... bar.advance(n)`."""

    def __init__(self, label: str, total: int) -> None:
        console = Console(stderr=True)
        self._progress = Progress(console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task(label, total=total)
        self._started = time.monotonic()
        self._shown = False
        self._every = max(total // UPDATES, 1)
        self._pending = 0

    def __enter__(self) -> "Bar":
        return self

    def advance(self, steps: int = 1) -> None:
        self._pending += steps
        if self._pending >= self._every:
            self._progress.advance(self._task, self._pending)
            self._pending = 0
            self._show_if_slow()

    def _show_if_slow(self) -> None:
        if not self._shown and time.monotonic() - self._started > PATIENCE_SECONDS:
            self._shown = True
            self._progress.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self._progress.stop()
