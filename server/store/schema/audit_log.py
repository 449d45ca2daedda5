"""The audit log: what was decided about privacy, when and by whom. Rows can only be added."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations

KEEPS_ITS_WORDS = """
    CREATE TRIGGER audit_log_keeps_its_words BEFORE UPDATE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'the audit log can only be added to'); END
    """
KEEPS_ITS_ROWS = """
    CREATE TRIGGER audit_log_keeps_its_rows BEFORE DELETE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'the audit log can only be added to'); END
    """
_AUDIT_LOG = (
    """
    CREATE TABLE audit_log (
        entry INTEGER PRIMARY KEY,
        moment TEXT NOT NULL CHECK (moment GLOB '????-??-??T??:??:??Z'),
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        slug TEXT NOT NULL,
        details TEXT NOT NULL,
        chain BLOB NOT NULL
    ) STRICT
    """,
    KEEPS_ITS_WORDS,
    KEEPS_ITS_ROWS,
)


@migrations()
def audit_log(db: Database) -> None:
    for statement in _AUDIT_LOG:
        db.execute(statement)
