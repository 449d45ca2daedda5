"""Check a password, and know the browsers that somebody has logged in with before.

Guesses are counted before any is checked. A known browser keeps a signed cookie for the login
alone, so the guesses of strangers do not lock it out. The cookie opens nothing: its wrong guesses
are only counted apart from everybody else's. It is good for one name and one password, and names
none.
"""

import hashlib
import hmac
import re

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from client.core.primitives.words import secure_hex
from server.accounts.passwords import is_right
from server.store.researchers import accounts
from server.surveys.researchers import Researcher
from server.web.services import Services

_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{64})")


def check_password(
    services: Services, name: str, password: str, device: str | None = None
) -> Researcher:
    """Return the researcher if the password is theirs.

    A device that is known to be theirs has guesses of its own, whatever strangers guess meanwhile.
    """
    guesses, guesser = (
        (services.guesses, name) if device is None else (services.guesses_of_devices, device)
    )
    guesses.begin(guesser)
    try:
        hash = accounts.password_hash(services.database.reader, name)
        right = is_right(password, hash, is_known=device is not None)
    except Refusal:
        # Too many logins at once: no password was compared, so this was not a guess.
        guesses.take_back(guesser)
        raise
    if not right:
        raise Refusal("wrong_password")
    guesses.forgive(guesser)
    return accounts.named(services.database.reader, name)


def cookie_for(key: bytes, name: str, password_hash: str) -> str:
    """Make the cookie for a browser that somebody has logged in with."""
    device = secure_hex(4)
    return f"{device}.{_signature(key, device, name, password_hash)}"


def known_device(key: bytes, cookie: str, name: str, password_hash: str | None) -> str | None:
    """Return the device of a cookie if this name logged in on it with this password, else None."""
    found = _COOKIE.fullmatch(cookie)
    if found is None or password_hash is None:
        return None
    right = _signature(key, found[1], name, password_hash)
    return found[1] if hmac.compare_digest(found[2], right) else None


def _signature(key: bytes, *words: str) -> str:
    return hmac.new(key, canonical.canonical(["device", *words]), hashlib.sha256).hexdigest()
