"""What is decided about a survey's life; `store/states.py` reads it together with the clock."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

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
    for statement in _SCHEDULE:
        db.execute(statement)
