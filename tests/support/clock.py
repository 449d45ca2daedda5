"""Servers that use a clock of the test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from server.data_folder import DataFolder
from server.serving import running_services
from server.surveys.schedule import Schedule, after, seconds_between
from tests.support.live import Live, running
from tests.support.publishing import publish_draft

NOON = "2026-11-20T12:00:00Z"


class FakeClock:
    """A clock that stands still until a test moves it, as time passes or by a jump."""

    def __init__(self, now: str = NOON) -> None:
        self.now = now
        self._jumped = 0.0

    def __call__(self) -> str:
        return self.now

    def passed(self) -> float:
        """Return how much time has really passed since noon."""
        return seconds_between(NOON, self.now) - self._jumped

    def jump(self, moment: str) -> None:
        """Set the clock, while no time passes."""
        self._jumped += seconds_between(self.now, moment)
        self.now = moment

    def wait(self, hours: int) -> None:
        """Let time pass, wherever the clock stands."""
        self.now = after(self.now, str(hours))


@contextmanager
def at(
    clock: FakeClock,
    folder: DataFolder,
    draft: dict[str, Any],
    opens: str | None = None,
    closes: str | None = None,
    closes_at: int | None = None,
) -> Iterator[Live]:
    """Serve a survey with this schedule, on a server that uses the clock."""
    with running_services(folder, clock, passed=clock.passed) as services, running(services) as url:
        # The watch begins before a test moves the clock.
        services.watch.look()
        schedule = Schedule.of_days(opens, closes, clock.now, closes_at)
        survey = publish_draft(services, draft, schedule=schedule).published.survey
        yield Live(url, folder, services, survey)
