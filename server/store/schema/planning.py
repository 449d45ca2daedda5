"""For how many respondents a survey is being written: the margins beside its questions need it."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations


@migrations()
def planning(db: Database) -> None:
    db.execute(
        "ALTER TABLE manuscripts ADD COLUMN respondents INTEGER NOT NULL DEFAULT 1000 "
        "CHECK (respondents BETWEEN 1 AND 1000000000)"
    )
