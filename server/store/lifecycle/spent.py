"""Ids of reports after the closing: drawn anew, so that no ticket names its report any more."""

from client.core.primitives.words import secure_hex
from server.store.database import Connection
from server.store.rebinding import binding, rebound
from server.surveys.records import Published

_KEY_WORDS = 8
# Nobody ever has the key, so to everybody the new ids are random.
_NEW_ID = "substr(encode(sha256(CAST(:key || id AS BLOB)), 'hex'), 1, 32)"


def draw_ids_anew(db: Connection, published: Published) -> None:
    """Give every report another id. The old ids are kept by themselves, for late repeats."""
    db.execute(
        "INSERT INTO spent (survey, hash) SELECT survey, id FROM reports WHERE survey = ? "
        "ORDER BY id",
        [published.key],
    )
    db.execute(
        f"UPDATE reports SET id = {_NEW_ID}, checksum = {rebound(_NEW_ID, 'in_group')} "
        "WHERE survey = :survey",
        {**binding(published), "survey": published.key, "key": secure_hex(_KEY_WORDS)},
    )
