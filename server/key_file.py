"""The keys of a data folder in one file, beside a backup of its database."""

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal, require
from server.data_folder import KEYS

MOST_BYTES = 10_000_000
# Under this name the private keys that sign tickets, by the names of their files.
TICKET_KEYS = "ticket-keys"
_KEY = re.compile(r"[0-9a-f]{64}")

# What is lost with each key.
LOST = {
    "secret.key": "personal links and links of groups that were sent are unknown now, and open "
    "pages need a new ticket: make and send new links",
    "session.key": "researchers have to log in again",
    "log.key": "nothing shows any more whether the audit log was rewritten before the backup, and "
    "earlier log anchors no longer match",
}
LOST_TICKET_KEYS = (
    "the surveys by invitation that are open give no more tickets, and take reports only from "
    "those who have one: publish a new version and send new links"
)


@dataclass(frozen=True)
class KeptKeys:
    """The keys in a file: those of the folder, and those that sign tickets."""

    folder: dict[str, str] = field(default_factory=dict)
    tickets: dict[str, str] = field(default_factory=dict)


def key_file_of(backup: Path) -> Path:
    """Return where the keys of a backup are kept."""
    return backup.with_name(f"{backup.name}.keys")


def write_key_file(path: Path, keys: KeptKeys) -> None:
    """Write keys to a new file that only its owner may read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            json.dump({**keys.folder, TICKET_KEYS: keys.tickets}, file, indent=2)
    except FileExistsError:
        raise Refusal("file_exists.backup", "file", target=path) from None
    except OSError as error:
        raise Refusal("backup_failed", "file", target=path, reason=error.strerror) from None


def read_key_file(path: Path) -> KeptKeys:
    """Read the keys of a backup; raise if it is no file of keys."""
    try:
        with path.open("rb") as file:
            found = canonical.parse(file.read(MOST_BYTES + 1), MOST_BYTES, "keys")
    except OSError as error:
        raise Refusal("bad_keys.unreadable", "keys", path=path, reason=error.strerror) from None
    tickets = found.pop(TICKET_KEYS, {}) if isinstance(found, dict) else None
    is_sound = (
        isinstance(tickets, dict)
        and all(isinstance(text, str) for text in tickets.values())
        and all(
            name in KEYS and isinstance(key, str) and _KEY.fullmatch(key)
            for name, key in found.items()
        )
    )
    require(is_sound, "bad_keys", "keys", path=path, names=[*KEYS, TICKET_KEYS])
    return KeptKeys(found, dict(tickets or {}))
