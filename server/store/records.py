"""What the store hands out: frozen values, never rows."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from client.document import read_document
from client.survey import Survey
from server.store.schedule import Schedule
from server.store.states import ALLOWED, Change, State, refusal_for_respondents, require_allowed


@dataclass(frozen=True)
class Published:
    """One version of a survey as it stands now."""

    key: int
    survey: Survey
    state: State
    schedule: Schedule
    reports: int
    # None until it is closed.
    digest: str | None
    # Since when it is in the trash.
    trashed: str | None = None

    def allows(self, change: Change) -> bool:
        return self.state in ALLOWED[change]

    def require_tickets(self) -> None:
        if not self.allows(Change.GIVE_TICKETS):
            raise refusal_for_respondents(self.state)

    def require_allowed(self, change: Change) -> None:
        """For the operator, who hears the state."""
        require_allowed(change, self.state, self.survey.slug)


@dataclass(frozen=True)
class Publication:
    """The outcome of publishing: the version, and whether this call made it."""

    published: Published
    created: bool
    # False when the bytes of a test could not be overwritten; publishing again tries again.
    wiped: bool = True


@dataclass(frozen=True)
class Closing:
    """The outcome of closing: what the survey will say for ever."""

    slug: str
    version: int
    reports: int
    digest: str
    # False when VACUUM could not run; closing again tries again.
    compacted: bool = True


@dataclass(frozen=True)
class Group:
    """A public group of links: how many personal ones were made, how many reports came."""

    name: str
    issued: int
    reports: int


@lru_cache(maxsize=256)
def survey_from(fingerprint: str, document: bytes) -> Survey:
    """The parsed document; immutable, so it is parsed once per fingerprint."""
    return read_document(document)


def checksum(fingerprint: str, id: str, randomized: str, group: str = "") -> bytes:
    """Binds a report's content to its name, survey and group: a flipped bit or a swap shows."""
    parts = [fingerprint, id, randomized, *([group] if group else [])]
    return hashlib.sha256("\n".join(parts).encode()).digest()
