"""The public groups of links: study arms, schools. A ticket's row says nothing about its group."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

_GROUPS = (
    # '' is the group of those whose link has none.
    "ALTER TABLE reports ADD COLUMN in_group TEXT NOT NULL DEFAULT ''",
    # How many personal links were made, and how many reports came.
    """
    CREATE TABLE groups (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        name TEXT NOT NULL,
        issued INTEGER NOT NULL DEFAULT 0 CHECK (issued >= 0),
        reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
        PRIMARY KEY (survey, name)
    ) STRICT, WITHOUT ROWID
    """,
    "INSERT INTO groups (survey, name, reports) SELECT id, '', reports FROM surveys",
    """
    CREATE TABLE tallies_by_group (
        survey INTEGER NOT NULL REFERENCES surveys (id),
        question TEXT NOT NULL,
        cell INTEGER NOT NULL,
        count INTEGER NOT NULL DEFAULT 0 CHECK (count >= 0),
        in_group TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (survey, in_group, question, cell)
    ) STRICT, WITHOUT ROWID
    """,
    """
    INSERT INTO tallies_by_group (survey, question, cell, count)
        SELECT survey, question, cell, count FROM tallies
    """,
    "DROP TABLE tallies",
    "ALTER TABLE tallies_by_group RENAME TO tallies",
)


@migrations()
def groups(db: Database) -> None:
    for statement in _GROUPS:
        db.execute(statement)
