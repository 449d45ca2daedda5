"""All SQL lives in this package; the rest of the server sees surveys, reports and tallies.

`Store` is the ballot box with the surveys' lives, `Office` the researchers (`office/`). Who sees
how much of a survey is decided in `disclosure/`; `schema/` has the tables, and how they changed.
"""

from server.store.ballot_box import Ballot
from server.store.disclosure.snapshots import Snapshot
from server.store.office.office import Office
from server.store.office.records import (
    ApiKey,
    Author,
    Manuscript,
    Membership,
    Researcher,
    Role,
    Scope,
)
from server.store.records import Closing, Publication, Published
from server.store.schedule import Schedule
from server.store.states import Change, State
from server.store.store import Store

__all__ = [
    "ApiKey",
    "Author",
    "Ballot",
    "Change",
    "Closing",
    "Manuscript",
    "Membership",
    "Office",
    "Publication",
    "Published",
    "Researcher",
    "Role",
    "Schedule",
    "Scope",
    "Snapshot",
    "State",
    "Store",
]
