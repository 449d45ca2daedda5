"""Surveys, their documents, and the ballot box."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

_FIRST_TABLES = (
    """
    CREATE TABLE surveys (
        id INTEGER PRIMARY KEY,
        slug TEXT NOT NULL,
        version INTEGER NOT NULL,
        fingerprint TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL CHECK (state IN ('open', 'closed')),
        reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
        digest TEXT CHECK ((digest IS NOT NULL) = (state = 'closed')),
        UNIQUE (slug, version)
    ) STRICT
    """,
    # One open version per survey, whatever the code above believes.
    "CREATE UNIQUE INDEX one_open ON surveys (slug) WHERE state = 'open'",
    # Apart from `surveys`, whose row is written again with every report.
    """
    CREATE TABLE documents (
        survey INTEGER PRIMARY KEY REFERENCES surveys (id),
        document BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE reports (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        id TEXT NOT NULL,
        randomized TEXT NOT NULL,
        checksum BLOB NOT NULL,
        PRIMARY KEY (survey, id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE tickets (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        hash BLOB NOT NULL,
        used INTEGER NOT NULL CHECK (used IN (0, 1)),
        PRIMARY KEY (survey, hash)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE tallies (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        question TEXT NOT NULL,
        cell INTEGER NOT NULL,
        count INTEGER NOT NULL DEFAULT 0 CHECK (count >= 0),
        PRIMARY KEY (survey, question, cell)
    ) STRICT, WITHOUT ROWID
    """,
)


@migrations()
def first_tables(db: Database) -> None:
    for statement in _FIRST_TABLES:
        db.execute(statement)
