"""Browsers that somebody has logged in with before: the guesses of strangers do not lock them out.

Such a browser keeps a signed cookie for the login alone. It opens nothing: its wrong guesses are
only counted apart from everybody else's. It is good for one name and one password, and names none.
"""

import hashlib
import hmac
import re

from client.core.primitives import canonical
from client.core.primitives.words import secure_hex

_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{64})")


def cookie_for(key: bytes, name: str, password_hash: str) -> str:
    """What a browser gets when somebody has logged in with it."""
    device = secure_hex(4)
    return f"{device}.{_signature(key, device, name, password_hash)}"


def known_device(key: bytes, cookie: str, name: str, password_hash: str | None) -> str | None:
    """The device that shows this cookie, if this name logged in with it by this very password."""
    found = _COOKIE.fullmatch(cookie)
    if found is None or password_hash is None:
        return None
    right = _signature(key, found[1], name, password_hash)
    return found[1] if hmac.compare_digest(found[2], right) else None


def _signature(key: bytes, *words: str) -> str:
    return hmac.new(key, canonical.canonical(["device", *words]), hashlib.sha256).hexdigest()
