"""Who works on surveys: researchers, their roles and keys, and what they are still writing."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

_OFFICE = (
    # A session quotes the stamp: with a new stamp every session is over.
    """
    CREATE TABLE researchers (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        password_hash TEXT NOT NULL,
        stamp TEXT NOT NULL UNIQUE,
        active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1))
    ) STRICT
    """,
    """
    CREATE TABLE memberships (
        slug TEXT NOT NULL,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        role TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
        PRIMARY KEY (slug, researcher)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        hash BLOB NOT NULL UNIQUE,
        scope TEXT NOT NULL CHECK (scope IN ('read', 'manage')),
        label TEXT NOT NULL,
        created TEXT NOT NULL CHECK (created GLOB '????-??-??'),
        revoked INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
    ) STRICT
    """,
    # Of one researcher, until it belongs to a published survey and so to everybody who works on it.
    """
    CREATE TABLE manuscripts (
        id TEXT PRIMARY KEY,
        researcher INTEGER NOT NULL REFERENCES researchers (id),
        slug TEXT,
        content TEXT NOT NULL,
        revision INTEGER NOT NULL CHECK (revision >= 1),
        updated TEXT NOT NULL CHECK (updated GLOB '????-??-??T??:??:??Z')
    ) STRICT, WITHOUT ROWID
    """,
)


@migrations()
def office(db: Database) -> None:
    for statement in _OFFICE:
        db.execute(statement)
