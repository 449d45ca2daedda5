"""Checksums of reports that get another id or another group. A wrong one stays wrong."""

from server.store.checksums import checksum
from server.store.database import Connection
from server.surveys.records import Published


def offer_rebinding(db: Connection, published: Published) -> None:
    """Make `rebound` known to this connection, for the reports of one version."""
    fingerprint = published.survey.fingerprint

    def bound_again(
        id: bytes, randomized: bytes, group: str, stored: bytes, new_id: str, new_group: str
    ) -> bytes:
        # As bytes, because a flipped bit may have broken the text; it must not keep a survey open.
        content = randomized.decode(errors="replace")
        right = checksum(fingerprint, id.decode(errors="replace"), content, group)
        return checksum(fingerprint, new_id, content, new_group) if stored == right else stored

    db.conn.create_function("bound_again", 6, bound_again)


def rebound(new_id: str, new_group: str) -> str:
    """Return the expression for the checksum of a row of `reports` with a new id and group."""
    return (
        "bound_again(CAST(id AS BLOB), CAST(randomized AS BLOB), in_group, checksum, "
        f"{new_id}, {new_group})"
    )
