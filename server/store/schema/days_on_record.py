"""Where the moment of a deed would be that of a respondent, the audit log has its day only."""

from sqlite_utils import Database

from server.store.schema.audit_log import KEEPS_ITS_ROWS, KEEPS_ITS_WORDS
from server.store.schema.migrations import migrations

_DAYS = (
    """
    CREATE TABLE audit_log_of_days (
        entry INTEGER PRIMARY KEY,
        moment TEXT NOT NULL
            CHECK (moment GLOB '????-??-??T??:??:??Z' OR moment GLOB '????-??-??'),
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        slug TEXT NOT NULL,
        details TEXT NOT NULL,
        chain BLOB NOT NULL
    ) STRICT
    """,
    "INSERT INTO audit_log_of_days SELECT * FROM audit_log",
    "DROP TABLE audit_log",
    "ALTER TABLE audit_log_of_days RENAME TO audit_log",
    KEEPS_ITS_WORDS,
    KEEPS_ITS_ROWS,
)


@migrations()
def days_on_record(db: Database) -> None:
    for statement in _DAYS:
        db.execute(statement)
