"""Keep the report on the device before it is sent, so that a retry sends the same bytes.

Only the randomized report is kept, never an answer. There is one file per document, and only its
first creation succeeds, so that two terminals at once still send one report.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from client.core.primitives.refusal import Refusal


@dataclass(frozen=True)
class Parcel:
    """What a device needs to hand in its one report, and to hand it in again."""

    id: str
    ticket: str
    body: str
    sent: bool = False
    # The survey's address without the part after #, the same for all of its versions. Files that
    # were written before Candor kept it have none.
    survey: str = ""
    # The group of the link, which the ticket carries and which was sent as it is.
    group: str = ""


def default_folder() -> Path:
    """Return the folder where this desktop keeps the data of programs."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "candor" / "outbox"


class Outbox:
    """Parcels by fingerprint, in files that only their owner can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, fingerprint: str) -> Parcel | None:
        path = self._path(fingerprint)
        try:
            return Parcel(**json.loads(path.read_text()))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            # A second draw would cost the respondent a second epsilon, so stop.
            raise Refusal("outbox_unreadable", path=path) from None

    def has_another_version(self, fingerprint: str, survey: str) -> bool:
        """Return whether this device has drawn a report for another version: both add up."""
        others = (path for path in self._folder.glob("*.json") if path.stem != fingerprint)
        return any(_survey_of(path) == survey for path in others)

    def keep(self, fingerprint: str, parcel: Parcel) -> Parcel:
        """Keep the parcel, or return the one that was kept first."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._write(f"{fingerprint}.{parcel.id}", parcel)
        try:
            # A hard link appears whole and fails if the name is taken: the first draw wins.
            os.link(draft, self._path(fingerprint))
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        kept = self.find(fingerprint)
        assert kept is not None
        return kept

    def mark_sent(self, fingerprint: str, parcel: Parcel) -> None:
        """Keep only the receipt: the id would show which stored report came from this device."""
        sent = Parcel("", "", parcel.body, sent=True, survey=parcel.survey, group=parcel.group)
        self._write(f"{fingerprint}.{parcel.id}", sent).replace(self._path(fingerprint))

    def forget(self, fingerprint: str) -> None:
        """Discard the report of a test, so that the next one is drawn anew."""
        self._path(fingerprint).unlink(missing_ok=True)

    def _path(self, fingerprint: str) -> Path:
        return self._folder / f"{fingerprint}.json"

    def _write(self, name: str, parcel: Parcel) -> Path:
        path = self._folder / f"{name}.part"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(parcel), file)
            file.flush()
            os.fsync(file.fileno())
        return path


def _survey_of(path: Path) -> str | None:
    """Return the survey that a file belongs to; a damaged one stops only its own survey."""
    try:
        return Parcel(**json.loads(path.read_text())).survey
    except (ValueError, TypeError):
        return None
