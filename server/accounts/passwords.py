"""Passwords: the rule for new ones, and their hashes (argon2id, the second profile of RFC 9106)."""

import threading

from argon2 import PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerificationError

from client.core.primitives.refusal import require
from server.web.limits import Limit

LEAST, MOST = 12, 200
# A hash takes 64 MiB for a moment: two at a time, whatever the number of visitors.
_AT_ONCE = threading.BoundedSemaphore(2)
# With those who wait for them. More threads must not wait, since they are needed for reports.
MOST_AT_THE_DOOR = 8
_AT_THE_DOOR = Limit(MOST_AT_THE_DOOR, key="hashing_busy")
# Those whom the server knows have a door of their own, which no crowd of strangers can block.
_DOOR_OF_THE_KNOWN = Limit(MOST_AT_THE_DOOR // 2, key="hashing_busy")
_HASHER = PasswordHasher.from_parameters(profiles.RFC_9106_LOW_MEMORY)
# No password is known to have this hash; to find that out costs the same work as with any other.
_NOBODYS = (
    f"$argon2id$v=19$m={_HASHER.memory_cost},t={_HASHER.time_cost},p={_HASHER.parallelism}"
    f"${'A' * 22}${'A' * 43}"
)


def hash_new(password: str, name: str) -> str:
    """Hash a newly chosen password. Only its length is restricted, not its characters."""
    require(
        LEAST <= len(password) <= MOST,
        "bad_password.length",
        "password",
        least=LEAST,
        most=MOST,
        count=len(password),
    )
    require(
        name.lower() not in password.lower() or len(password) >= len(name) + LEAST,
        "bad_password.name",
        "password",
    )
    with _AT_THE_DOOR, _AT_ONCE:
        return _HASHER.hash(password)


def is_right(password: str, hash: str | None, is_known: bool = False) -> bool:
    """Check a password against a hash. Without a hash, take as long and return False.

    `is_known` says that the browser has logged in before.
    """
    with _DOOR_OF_THE_KNOWN if is_known else _AT_THE_DOOR, _AT_ONCE:
        try:
            return _HASHER.verify(hash or _NOBODYS, password[: MOST + 1]) and hash is not None
        except (VerificationError, InvalidHashError):
            return False
