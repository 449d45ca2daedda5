"""How a survey ends: by a number of reports, on its deletion date, and in the trash."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

_LIFECYCLE = (
    "ALTER TABLE surveys ADD COLUMN closes_at INTEGER CHECK (closes_at > 0)",
    # From this moment on nothing is kept of any respondent; then `purged` says that it is done.
    "ALTER TABLE surveys ADD COLUMN deletes TEXT CHECK (deletes GLOB '????-??-??T??:??:??Z')",
    """
    ALTER TABLE surveys ADD COLUMN purged INTEGER NOT NULL DEFAULT 0
        CHECK (purged = 0 OR (purged = 1 AND state = 'closed'))
    """,
    # The moment at which it was put into the trash.
    """
    ALTER TABLE surveys ADD COLUMN trashed TEXT
        CHECK (trashed IS NULL OR (trashed GLOB '????-??-??T??:??:??Z' AND state = 'closed'))
    """,
    # What earlier surveys promised in their documents is carried out as well.
    """
    UPDATE surveys SET deletes = (
        SELECT nullif(document ->> '$.delete_on', '') || 'T00:00:00Z'
        FROM (SELECT CAST(document AS TEXT) AS document FROM documents WHERE survey = surveys.id)
    )
    """,
    "UPDATE surveys SET ends = coalesce(ends, deletes) WHERE state = 'open'",
)


@migrations()
def lifecycle(db: Database) -> None:
    for statement in _LIFECYCLE:
        db.execute(statement)
