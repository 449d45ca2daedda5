"""The tables, as explicit statements: what the server keeps, and what it cannot keep.

No column holds a time, an address or a sequence about a respondent. Reports and tickets have no
common key, and both tables are `WITHOUT ROWID`: a rowid would record the order of arrival.
"""

from sqlite_utils import Database, Migrations

migrations = Migrations("candor")


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
    """Surveys, their documents, and the ballot box."""
    for statement in _FIRST_TABLES:
        db.execute(statement)


_SCHEDULE = (
    # Moments such as 2026-12-01T00:00:00Z: of the survey, never of a respondent.
    "ALTER TABLE surveys ADD COLUMN opens TEXT CHECK (opens GLOB '????-??-??T??:??:??Z')",
    "ALTER TABLE surveys ADD COLUMN ends TEXT CHECK (ends GLOB '????-??-??T??:??:??Z')",
    "ALTER TABLE surveys ADD COLUMN closing INTEGER NOT NULL DEFAULT 0 CHECK (closing IN (0, 1))",
    """
    ALTER TABLE surveys ADD COLUMN archived INTEGER NOT NULL DEFAULT 0
        CHECK (archived = 0 OR (archived = 1 AND state = 'closed'))
    """,
)


@migrations()
def states(db: Database) -> None:
    """What is decided about a survey's life; `states.py` reads it together with the clock."""
    for statement in _SCHEDULE:
        db.execute(statement)
