"""Watching the machine's clock while the server runs, and keeping the last hour it was right."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from client.core.primitives.refusal import require
from server.clock.trust import Reading, Streak, Trust
from server.store.database import Database
from server.store.lifecycle import deleting

Passed = Callable[[], float]

_log = logging.getLogger("candor")
_WARNINGS = {
    Trust.JUMPED: "the clock jumped to {now}: nothing is closed or deleted by it for an hour",
    Trust.BEHIND: "the clock says {now}, which is before the last hour on record ({last}): nothing "
    "is closed or deleted by it until then, or until the operator confirms it: "
    "candor clock --confirm DAY",
    Trust.AHEAD: "the clock says {now}, long after the last hour on record ({last}): nothing is "
    "closed or deleted by it until the operator confirms it: candor clock --confirm DAY",
}


def seconds_passed() -> float:
    """Return the seconds since the machine started, which setting the clock does not change."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        # Unlike time.monotonic(), it goes on while the machine sleeps.
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """Watches the clock of a database, and keeps in it the last hour that could be trusted."""

    def __init__(self, database: Database, passed: Passed = seconds_passed) -> None:
        self._database = database
        self._passed = passed
        self._lock = threading.Lock()
        self._streak: Streak | None = None
        self._mentioned: Trust | None = None

    def look(self) -> Trust:
        """Read the clock, and tell whether it can be trusted."""
        with self._lock:
            now, last = self._read(), self._last_hour()
            if self._streak is None or not self._streak.first.agrees(now):
                self._streak = Streak.starting(now, last, self._streak)
            trust = self._streak.trust(now, last)
            # Once an hour, since each time is a write to the disk.
            if trust is Trust.STEADY and now.moment[:13] != last[:13]:
                self._database.write(deleting.keep_hour)
            self._mention(trust, now, last)
            return trust

    def require_plausible(self) -> None:
        """Raise if nothing should be deleted by this clock, even if the operator asks for it."""
        trust, now = self.look(), self._database.now
        require(trust is not Trust.JUMPED, "clock_not_trusted.jumped", now=now)
        require(trust.is_plausible, "clock_not_trusted", now=now)

    def confirm(self, day: str, actor: str) -> None:
        """Trust the clock from now on; raise if its day is not the one that the operator says."""
        with self._lock:
            now = self._read()
            require(day == now.moment[:10], "wrong_day", "confirm", day=day, now=now.moment)
            self._database.write(deleting.confirm_clock, actor)
            self._streak = Streak(now, confirmed=True)

    def warning(self) -> str:
        """Say why nothing is closed or deleted by the clock now; empty if it can be trusted."""
        return _sentence(self.look(), self._database.now, self._last_hour())

    def summary(self) -> dict[str, Any]:
        """Return what the operator is told about the clock."""
        trust = self.look()
        last = deleting.last_hour(self._database.reader)
        return {"now": self._database.now, "last_hour": last, "trust": trust}

    def _read(self) -> Reading:
        return Reading(self._database.now, self._passed())

    def _last_hour(self) -> str:
        """Return the last hour on record; in a new database, the current one."""
        last = deleting.last_hour(self._database.reader)
        return last or self._database.write(deleting.keep_hour)

    def _mention(self, trust: Trust, now: Reading, last: str) -> None:
        if trust is not self._mentioned and trust in _WARNINGS:
            _log.warning(_sentence(trust, now.moment, last))
        self._mentioned = trust


def _sentence(trust: Trust, now: str, last: str) -> str:
    return _WARNINGS.get(trust, "").format(now=now, last=last)
