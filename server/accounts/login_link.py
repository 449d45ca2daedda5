"""A link that logs a researcher in once, for somebody whom strangers' guesses keep out.

The operator makes it. It rests on the researcher's stamp, which every use renews: a link works
once, and ends the sessions before it. Nothing about it is stored.
"""

import hashlib
import hmac

from client.core.primitives import canonical
from client.core.primitives.refusal import require
from server.store.database import Connection
from server.store.researchers import accounts
from server.surveys.researchers import Researcher
from server.surveys.schedule import after
from server.web.services import Services

HOURS = "1"


def make(services: Services, name: str) -> dict[str, str]:
    """Return what the link carries: the name, until when it works, and a proof."""
    researcher = accounts.named(services.database.reader, name)
    require(researcher.is_active, "researcher_disabled", "name", name=name)
    services.database.write(accounts.note_login_link, name)
    until = after(services.database.now, HOURS)
    return {"name": name, "until": until, "proof": _proof(services, researcher, until)}


def use(services: Services, name: str, until: str, proof: str) -> Researcher:
    """Log a researcher in by a link that has not been used; raise if it is void."""

    def spend(db: Connection) -> Researcher:
        found = accounts.find(db, name)
        is_good = (
            found is not None
            and found.is_active
            # The proof covers the moment, so nobody can put it off.
            and db.now < until
            and hmac.compare_digest(_proof(services, found, until).encode(), proof.encode())
        )
        require(is_good, "login_link_void")
        return accounts.log_in_by_link(db, name)

    return services.database.write(spend)


def _proof(services: Services, researcher: Researcher, until: str) -> str:
    words = canonical.canonical(["login link", researcher.name, researcher.stamp, until])
    return hmac.new(services.session_key, words, hashlib.sha256).hexdigest()
