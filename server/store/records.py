"""What the store hands out: frozen values, never rows."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from client.document import read_document
from client.refusal import require
from client.survey import Survey

SURVEY_CLOSED = ("survey_closed", "this survey is closed and takes no more reports")


@dataclass(frozen=True)
class Published:
    """One version of a survey as it stands now."""

    key: int
    survey: Survey
    state: str
    reports: int
    digest: str | None

    @property
    def is_open(self) -> bool:
        return self.state == "open"

    def require_open(self) -> None:
        require(self.is_open, *SURVEY_CLOSED)


@dataclass(frozen=True)
class Publication:
    """The outcome of publishing: the version, and whether this call made it."""

    published: Published
    created: bool


@dataclass(frozen=True)
class Closing:
    """The outcome of closing: what the survey will say for ever."""

    slug: str
    version: int
    reports: int
    digest: str
    # False when VACUUM could not run; closing again tries again.
    compacted: bool = True


@lru_cache(maxsize=256)
def survey_from(fingerprint: str, document: bytes) -> Survey:
    """The parsed document; immutable, so it is parsed once per fingerprint."""
    return read_document(document)


def checksum(fingerprint: str, id: str, randomized: str) -> bytes:
    """Binds a report's content to its name and its survey: a flipped bit or a swap shows."""
    return hashlib.sha256(f"{fingerprint}\n{id}\n{randomized}".encode()).digest()
