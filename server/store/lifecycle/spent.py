"""Ids of reports after the closing: drawn anew, so that no ticket names its report any more."""

import hmac

from client.core.primitives.words import secure_hex
from server.store.database import Connection
from server.store.rebinding import offer_rebinding, rebound
from server.surveys.records import Published

_KEY_WORDS = 8


def draw_ids_anew(db: Connection, published: Published) -> None:
    """Give every report another id. The old ids are kept by themselves, for late repeats."""
    db.execute(
        "INSERT INTO spent (survey, hash) SELECT survey, id FROM reports WHERE survey = ? "
        "ORDER BY id",
        [published.key],
    )
    # Nobody ever has this key, so to everybody the new ids are random.
    key = bytes.fromhex(secure_hex(_KEY_WORDS))

    def another_id(id: bytes) -> str:
        return hmac.digest(key, id, "sha256")[:16].hex()

    db.conn.create_function("another_id", 1, another_id)
    offer_rebinding(db, published)
    new_id = "another_id(CAST(id AS BLOB))"
    db.execute(
        f"UPDATE reports SET id = {new_id}, checksum = {rebound(new_id, 'in_group')} "
        "WHERE survey = ?",
        [published.key],
    )
