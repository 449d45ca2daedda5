"""Keep the report on the device before it is sent, so that a retry sends the same bytes.

Only the randomized report is kept, never an answer. There is one file per document, and only its
first creation succeeds, so that two terminals at once still send one report.
"""

import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from client.core.primitives.refusal import Refusal
from client.terminal import kept


@dataclass(frozen=True)
class Parcel:
    """What a device needs to hand in its one report, and to hand it in again."""

    ticket: str
    body: str
    # The survey's address without the part after #, the same for all of its versions.
    survey: str
    sent: bool = False
    # The group of the link, which the ticket carries and which was sent as it is.
    group: str = ""


def default_folder() -> Path:
    """Return the folder where this desktop keeps the data of programs."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "candor" / "outbox"


class Outbox:
    """Parcels by fingerprint, in files that only their owner can read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, fingerprint: str) -> Parcel | None:
        return _parcel_in(self._path(fingerprint))

    def has_another_version(self, fingerprint: str, survey: str) -> bool:
        """Return whether this device has drawn a report for another version: both add up."""
        others = (path for path in self.folder.glob("*.json") if path.stem != fingerprint)
        return any(_survey_of(path) == survey for path in others)

    def keep(self, fingerprint: str, parcel: Parcel) -> Parcel:
        """Keep the parcel, or return the one that was kept first."""
        kept.keep_first(self._path(fingerprint), asdict(parcel))
        first = self.find(fingerprint)
        assert first is not None
        return first

    def mark_sent(self, fingerprint: str, parcel: Parcel) -> None:
        """Keep only the receipt: the ticket would show which stored report came from here."""
        receipt = replace(parcel, ticket="", sent=True)
        kept.replace(self._path(fingerprint), asdict(receipt))

    def forget(self, fingerprint: str) -> None:
        """Discard the report of a test, so that the next one is drawn anew."""
        kept.remove(self._path(fingerprint))

    def _path(self, fingerprint: str) -> Path:
        return self.folder / f"{fingerprint}.json"


def _parcel_in(path: Path) -> Parcel | None:
    found = kept.read(path)
    try:
        return None if found is None else Parcel(**found)
    except TypeError:
        raise Refusal("outbox_unreadable", path=path) from None


def _survey_of(path: Path) -> str | None:
    """Return the survey that a file belongs to; a damaged one stops only its own survey."""
    try:
        parcel = _parcel_in(path)
    except Refusal:
        return None
    return parcel.survey if parcel else None
