"""Who put up a test. By name, since tests are kept in a file of their own, without researchers."""

from sqlite_utils import Database

from server.store.schema.migrations import migrations


@migrations()
def owners_of_tests(db: Database) -> None:
    db.execute(
        "CREATE TABLE test_owners ("
        "survey INTEGER PRIMARY KEY REFERENCES surveys (id), name TEXT NOT NULL) STRICT"
    )
