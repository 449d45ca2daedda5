"""How far a reading of the clock can be trusted, by the hour on record and the time that passed.

A clock that jumps to 2036 for a moment makes everything due. So a reading counts only if it agrees
with the last hour on record and, for an hour, with the time that passed in this process.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from server.surveys.schedule import TRASH_DAYS, seconds_between

# Corrections over the network are far smaller; a clock that was set by mistake is further off.
SLACK_SECONDS = 600.0
STEADY_SECONDS = 3600.0
# No longer than the trash: what was put there after the hour on record is never removed too early.
MOST_SECONDS = timedelta(days=TRASH_DAYS).total_seconds()


class Trust(StrEnum):
    """What is known about the clock."""

    STEADY = "steady"
    # Nothing is wrong with it, but it was watched for less than an hour.
    WATCHED = "watched"
    JUMPED = "jumped"
    # Before the last hour on record, or long after it: only the operator knows what is right.
    BEHIND = "behind"
    AHEAD = "ahead"

    @property
    def is_plausible(self) -> bool:
        """Whether something may be deleted by this clock if the operator asks for it now."""
        return self in (Trust.STEADY, Trust.WATCHED)


@dataclass(frozen=True)
class Reading:
    """What the clock said, and how many seconds the machine had been running by then."""

    moment: str
    passed: float

    def agrees(self, later: "Reading") -> bool:
        """Tell whether the clock kept pace with the time that passed between two readings."""
        by_clock = seconds_between(self.moment, later.moment)
        return abs(by_clock - (later.passed - self.passed)) <= SLACK_SECONDS


@dataclass(frozen=True)
class Streak:
    """Readings that agree with each other, by the first of them."""

    first: Reading
    jumped: bool = False
    ahead: bool = False
    # The operator vouches for the first one.
    confirmed: bool = False

    @classmethod
    def starting(cls, first: Reading, last_hour: str, before: "Streak | None") -> "Streak":
        """Start with this reading; `before` is the streak that it ends."""
        ahead = seconds_between(last_hour, first.moment) > MOST_SECONDS
        return cls(first, jumped=before is not None, ahead=ahead)

    def trust(self, now: Reading, last_hour: str) -> Trust:
        """Judge a reading of this streak."""
        if seconds_between(last_hour, now.moment) < -SLACK_SECONDS:
            return Trust.BEHIND
        if self.ahead:
            return Trust.AHEAD
        if self.confirmed or now.passed - self.first.passed >= STEADY_SECONDS:
            return Trust.STEADY
        return Trust.JUMPED if self.jumped else Trust.WATCHED
