"""What the audit log records: who did what, when, to which survey."""

from dataclasses import dataclass
from typing import Any

# Who acts at the command line of the machine itself.
OPERATOR = "operator"
# Who acts when the clock decides.
CLOCK = "clock"
# With this entry all of a survey is gone, and its slug is free for another one.
REMOVE = "remove"


@dataclass(frozen=True)
class Entry:
    """What was done, when and by whom; `details` are plain figures, never an answer or a key."""

    number: int
    # Of a deed that a respondent's report brought about, only the day.
    moment: str
    actor: str
    action: str
    slug: str
    details: dict[str, Any]
    chain: bytes


@dataclass(frozen=True)
class AuditContext:
    """Who makes a change, and when."""

    now: str
    actor: str

    def on_its_day(self) -> "AuditContext":
        """The same, with no time of the day."""
        return AuditContext(self.now[:10], self.actor)
