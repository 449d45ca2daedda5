"""Servers that use a clock of the test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from server.data_folder import DataFolder
from server.serving import running_services
from server.surveys.schedule import Schedule
from tests.support.live import Live, running
from tests.support.publishing import publish_draft

NOON = "2026-11-20T12:00:00Z"


class FakeClock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: str = NOON) -> None:
        self.now = now

    def __call__(self) -> str:
        return self.now


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
    with running_services(folder, clock) as services, running(services) as url:
        schedule = Schedule.of_days(opens, closes, clock.now, closes_at)
        survey = publish_draft(services, draft, schedule=schedule).published.survey
        yield Live(url, folder, services, survey)
