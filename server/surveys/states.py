"""The states of a survey, and what each of them allows: one table, read by everybody.

The database keeps what was decided; the clock turns it into a state, so nothing has to run at
midnight.
"""

from dataclasses import dataclass
from enum import StrEnum

from client.core.primitives.refusal import Refusal, require
from server.surveys.schedule import Schedule


class State(StrEnum):
    """The state of a survey."""

    DRAFT = "draft"
    NOT_YET_OPEN = "not_yet_open"
    OPEN = "open"
    # Where tickets are collected first: it gives tickets, and takes no reports yet.
    COLLECTING = "collecting"
    # After that: it takes reports, and gives no more tickets.
    ANSWERING = "answering"
    # It has as many reports as its owner wanted, who now closes or reopens it.
    FULL = "full"
    CLOSING = "closing"
    CLOSED = "closed"
    ARCHIVED = "archived"
    # Its reports are deleted, as promised; the totals stay.
    PURGED = "purged"
    TRASHED = "trashed"

    @property
    def words(self) -> str:
        """The state in words, as the end of "the survey is ..."."""
        return self.replace("_", " ")


class Change(StrEnum):
    """What may be asked of a survey, worded as the end of "it cannot ..."."""

    GIVE_TICKETS = "give tickets"
    TAKE_REPORTS = "take reports"
    BEGIN_CLOSING = "be closed with a grace"
    CLOSE = "be closed"
    REOPEN = "be reopened"
    INVITE = "invite anybody"
    ARCHIVE = "be archived"
    EXPORT = "be exported"
    TRASH = "be put into the trash"
    RESTORE = "be taken out of the trash"


ALLOWED: dict[Change, frozenset[State]] = {
    Change.GIVE_TICKETS: frozenset({State.DRAFT, State.OPEN, State.COLLECTING}),
    Change.TAKE_REPORTS: frozenset({State.DRAFT, State.OPEN, State.ANSWERING, State.CLOSING}),
    Change.INVITE: frozenset({State.NOT_YET_OPEN, State.OPEN, State.COLLECTING}),
    Change.BEGIN_CLOSING: frozenset({State.OPEN, State.ANSWERING}),
    # Closing again says the same again.
    Change.CLOSE: frozenset(
        {
            *(State.NOT_YET_OPEN, State.OPEN, State.COLLECTING, State.ANSWERING),
            *(State.FULL, State.CLOSING, State.CLOSED),
        }
    ),
    Change.REOPEN: frozenset({State.FULL}),
    Change.ARCHIVE: frozenset({State.CLOSED}),
    Change.EXPORT: frozenset(State) - {State.PURGED, State.TRASHED},
    # Only what is closed, since closing cannot be undone: it comes back just as it was.
    Change.TRASH: frozenset({State.CLOSED, State.ARCHIVED, State.PURGED}),
    Change.RESTORE: frozenset({State.TRASHED}),
}

# Nothing is taken or given any more, not even the same again.
OVER = frozenset({State.CLOSED, State.ARCHIVED, State.PURGED, State.TRASHED})
# What only a survey that is closed for good may do, since a wrong clock ends a survey too.
AFTER_CLOSING = frozenset({Change.ARCHIVE, Change.TRASH})

# What respondents hear from a survey that gives no tickets or takes no reports.
_REFUSED = {
    State.NOT_YET_OPEN: lambda: Refusal("survey_not_open"),
    State.COLLECTING: lambda: Refusal("survey_not_open"),
    State.ANSWERING: lambda: Refusal("collecting_over"),
    State.FULL: lambda: Refusal("survey_full"),
    State.CLOSING: lambda: Refusal("survey_closing"),
    State.CLOSED: lambda: Refusal("survey_closed"),
    State.ARCHIVED: lambda: Refusal("survey_archived"),
    State.PURGED: lambda: Refusal("survey_purged"),
    State.TRASHED: lambda: Refusal("survey_trashed"),
}


@dataclass(frozen=True)
class Decided:
    """What was decided about a published survey; together with a moment it gives a state."""

    schedule: Schedule
    is_closing: bool
    is_closed: bool
    is_archived: bool
    is_full: bool = False
    is_purged: bool = False
    is_trashed: bool = False

    def state_at(self, now: str) -> State:
        opens, ends = self.schedule.opens, self.schedule.ends
        put_away = (
            (self.is_trashed, State.TRASHED),
            (self.is_purged, State.PURGED),
            (self.is_archived, State.ARCHIVED),
        )
        for is_so, state in put_away:
            if is_so:
                return state
        if self.is_closed or (ends is not None and ends <= now):
            return State.CLOSED
        # Not closed: on an open link, any stranger can send that many reports.
        if self.is_full:
            return State.FULL
        if self.is_closing:
            return State.CLOSING
        if opens is not None and now < opens:
            return State.NOT_YET_OPEN
        begins = self.schedule.answer_from
        if begins is None:
            return State.OPEN
        return State.COLLECTING if now < begins else State.ANSWERING


def require_allowed(change: Change, state: State, slug: str) -> None:
    """Raise if the state does not allow the change."""
    require(
        state in ALLOWED[change], "wrong_state", "slug", slug=slug, state=state.words, change=change
    )


def refusal_for_respondents(state: State) -> Refusal:
    return _REFUSED[state]()
