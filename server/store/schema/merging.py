"""How many groups were merged into one: those too small to be told apart, into those without."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations


@migrations()
def merging(db: Database) -> None:
    db.execute(
        "ALTER TABLE groups ADD COLUMN merged INTEGER NOT NULL DEFAULT 0 CHECK (merged >= 0)"
    )
