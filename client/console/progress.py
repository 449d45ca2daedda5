"""Show the progress of a long task on standard error: a bar on a terminal, lines elsewhere.

A task that takes less than a second shows nothing.
"""

import time
from types import TracebackType
from typing import Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

PATIENCE_SECONDS = 1.0
# Without a terminal the output is probably a log, where an occasional line is enough.
LINE_SECONDS = 10.0
# Updating the display on every step would cost more than the steps.
UPDATES = 500


class Bar:
    """A progress bar: `with Bar("Simulating", total, "respondents") as bar: ... bar.advance(n)`."""

    def __init__(self, label: str, total: int, unit: str) -> None:
        console = Console(stderr=True)
        self._started = time.monotonic()
        self._total, self._unit = total, unit
        self._done = self._shown = 0
        self._every = max(total // UPDATES, 1)
        self._display: _Display = (
            _TerminalBar(console, label, total) if console.is_terminal else _Lines(label, total)
        )

    def __enter__(self) -> "Bar":
        return self

    def advance(self, steps: int = 1) -> None:
        self._done += steps
        if self._done - self._shown >= self._every:
            self._shown = self._done
            elapsed = time.monotonic() - self._started
            if elapsed > PATIENCE_SECONDS:
                self._display.show(self._done, elapsed, self._rate(elapsed))

    def _rate(self, elapsed: float) -> str:
        return f"{in_words(self._done / elapsed)} {self._unit} per second"

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._display.stop()


class _Display(Protocol):
    def show(self, done: int, elapsed: float, rate: str) -> None: ...

    def stop(self) -> None: ...


class _TerminalBar:
    def __init__(self, console: Console, label: str, total: int) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task(label, total=total, rate="")

    def show(self, done: int, elapsed: float, rate: str) -> None:
        # Starting it again does nothing.
        self._progress.start()
        self._progress.update(self._task, completed=done, rate=rate)

    def stop(self) -> None:
        if self._progress.live.is_started:
            self._progress.stop()


class _Lines:
    def __init__(self, label: str, total: int) -> None:
        self._label, self._total = label, total
        self._next = LINE_SECONDS

    def show(self, done: int, elapsed: float, rate: str) -> None:
        if elapsed < self._next:
            return
        self._next = elapsed + LINE_SECONDS
        left = elapsed * (self._total - done) / done
        share = f"{done / self._total:.0%}"
        click.echo(f"{self._label}: {share}, {rate}, about {left:,.0f} s left", err=True)

    def stop(self) -> None:
        pass


def in_words(number: float) -> str:
    """Return a number with three digits and a word: 1.25 billion, 310 million, 4,070."""
    for size, word in ((1e9, " billion"), (1e6, " million")):
        if number >= size:
            return f"{float(f'{number / size:.3g}'):,g}{word}"
    return f"{number:,.0f}"
