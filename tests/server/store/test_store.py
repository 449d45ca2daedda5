"""The store: what its tables can hold, what they cannot, and how its connections behave."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import database
from server.store.backup import back_up
from server.store.database import open_current_reader, open_reader, open_writer
from server.store.engines.sqlite import SqliteConnection, mention_old_sqlite
from server.store.lifecycle.publishing import BY_KEY, BY_SLUG
from server.store.results import read_live
from server.store.schema import migrations
from server.store.verify import verify
from server.web.services import Services
from tests.support.engines import sqlite_writer
from tests.support.live import Live

RESPONDENT_TABLES = {"reports", "spent", "invitations", "tallies"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "candor.db"


@pytest.fixture
def writer(path: Path) -> Iterator[SqliteConnection]:
    db = sqlite_writer(path)
    yield db
    db.close()


def columns(db: Database, table: str) -> dict[str, str]:
    return {row[1]: row[2] for row in db.execute(f"PRAGMA table_info({table})")}


@pytest.mark.parametrize("table", sorted(RESPONDENT_TABLES))
def test_a_respondents_table_has_no_rowid_that_keeps_the_order(
    writer: Database, table: str
) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such column: rowid"):
        writer.execute(f"SELECT rowid FROM {table}")


def test_the_tables_hold_exactly_what_the_design_allows(writer: Database) -> None:
    assert {table: columns(writer, table) for table in {*RESPONDENT_TABLES, "snapshots"}} == {
        "reports": {
            **{"survey": "INTEGER", "id": "TEXT", "randomized": "TEXT", "checksum": "BLOB"},
            "in_group": "TEXT",
        },
        "spent": {"survey": "INTEGER", "hash": "TEXT"},
        "invitations": {"survey": "INTEGER", "hash": "BLOB", "asked": "BLOB", "answer": "BLOB"},
        "tallies": {
            **{"survey": "INTEGER", "question": "TEXT", "cell": "INTEGER", "count": "INTEGER"},
            "in_group": "TEXT",
        },
        "snapshots": {
            **{"survey": "INTEGER", "n": "INTEGER"},
            **{"content": "TEXT", "checksum": "BLOB"},
        },
    }
    assert set(writer.table_names()) == {
        *RESPONDENT_TABLES,
        "groups",
        "surveys",
        "documents",
        "audit_log",
        "clock",
        "researchers",
        "memberships",
        "api_keys",
        "manuscripts",
        "snapshots",
        "test_owners",
        "_sqlite_migrations",
    }


def test_reports_and_links_share_no_column_but_the_survey(writer: Database) -> None:
    assert columns(writer, "reports").keys() & columns(writer, "invitations").keys() == {"survey"}


def test_tables_are_strict_about_types(writer: Database) -> None:
    strict = {row[1]: row[5] for row in writer.execute("PRAGMA table_list") if row[0] == "main"}
    for table in RESPONDENT_TABLES | {"surveys", "documents", "snapshots"}:
        assert strict[table] == 1


def test_the_writer_is_durable_and_trusts_no_schema(writer: Database) -> None:
    def pragma(name: str) -> object:
        return writer.execute(f"PRAGMA {name}").fetchone()[0]

    assert pragma("journal_mode") == "wal"
    full = 2
    assert pragma("synchronous") == full
    assert pragma("trusted_schema") == 0
    assert pragma("foreign_keys") == 1
    assert pragma("busy_timeout") == 5000


def test_a_reader_cannot_write(writer: Database, path: Path) -> None:
    reader = open_reader(path)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM reports")
    reader.close()


def old_file(path: Path) -> Path:
    """A file as the first Candor left it, with a survey in it."""
    with closing(sqlite3.connect(path)) as old, old:
        old.executescript(
            """
            CREATE TABLE _sqlite_migrations (
                id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT
            );
            INSERT INTO _sqlite_migrations VALUES (1, 'candor', 'first_tables', '2026-07-04');
            CREATE TABLE surveys (
                id INTEGER PRIMARY KEY, slug TEXT, version INTEGER, fingerprint TEXT, state TEXT
            );
            INSERT INTO surveys VALUES (1, 'habits', 1, 'f', 'open');
            """
        )
    return path


def test_the_file_of_an_earlier_candor_is_refused_and_stays_as_it_was(path: Path) -> None:
    before = old_file(path).read_bytes()
    copy = path.with_name("copy.db")
    for use in (open_writer, open_current_reader, verify, lambda path: back_up(path, copy)):
        with pytest.raises(Refusal) as caught:
            use(path)
        assert caught.value.code == "old_database"
        assert "written by an earlier Candor" in caught.value.message
        assert not list(path.parent.glob("copy*"))
    assert path.read_bytes() == before


def test_a_file_whose_first_opening_was_interrupted_is_made_complete(path: Path) -> None:
    with closing(sqlite3.connect(path)) as begun:
        migrations.ensure_migrations_table(Database(begun))
    open_writer(path).close()
    with closing(open_current_reader(path)) as db:
        assert not db.is_empty()


def test_opening_again_applies_no_migration_twice(path: Path) -> None:
    for _ in range(2):
        open_writer(path).close()
    reader = open_reader(path)
    names = [row[0] for row in reader.execute("SELECT name FROM _sqlite_migrations")]
    assert names
    assert len(names) == len(set(names))
    reader.close()


def test_two_open_versions_of_a_survey_cannot_exist(writer: Database) -> None:
    insert = "INSERT INTO surveys (slug, version, fingerprint, state) VALUES ('a', ?, ?, 'open')"
    writer.execute(insert, [1, "x"])
    with pytest.raises(sqlite3.IntegrityError):
        writer.execute(insert, [2, "y"])


def test_a_closed_survey_without_digest_cannot_exist(writer: Database) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        writer.execute(
            "INSERT INTO surveys (slug, version, fingerprint, state) VALUES ('a', 1, 'x', 'closed')"
        )


@pytest.mark.parametrize(("version", "lines"), [((3, 40, 1), 1), ((3, 51, 2), 1), ((3, 51, 3), 0)])
def test_an_old_sqlite_is_mentioned_with_what_follows_from_it(
    caplog: pytest.LogCaptureFixture, version: tuple[int, ...], lines: int
) -> None:
    with caplog.at_level(logging.WARNING, logger="candor"):
        mention_old_sqlite(version)
    assert len(caplog.messages) == lines
    for message in caplog.messages:
        assert "no other tool writes" in message


def test_the_tallies_and_their_n_are_of_one_moment(live: Live) -> None:
    for smokes in (0, 1, 1):
        live.post(live.report(smokes=smokes))
    published, found = read_live(live.services.database.reader, "habits")
    assert found is not None
    tallies = found.tallies
    assert published.reports == 3
    assert {id: tally.counts for id, tally in tallies.items()} == {
        "smokes": (1, 2),
        "drinks": (3, 0),
    }
    assert {tally.n for tally in tallies.values()} == {3}


def test_a_closed_store_refuses_work_and_has_let_go_of_the_log(
    folder: DataFolder, services: Services
) -> None:
    services.database.close()
    with pytest.raises(Exception, match="shutting down"):
        ending.close(services.database, "habits")
    services.database.close()


def test_wiping_a_survey_knows_every_table_that_has_rows_about_it(writer: Database) -> None:
    about_keys, about_slugs = set(), set()
    for table in writer.tables:
        if any(key.other_table == "surveys" for key in table.foreign_keys):
            about_keys.add(table.name)
        # What was decided stays on record.
        if "slug" in table.columns_dict and table.name != "audit_log":
            about_slugs.add(table.name)
    assert set(BY_KEY) == about_keys
    assert set(BY_SLUG) == about_slugs


def test_who_reads_a_file_that_cannot_be_opened_does_not_learn_where_it_is(path: Path) -> None:
    with closing(database.Database(path)) as store:
        path.rename(path.with_name("elsewhere.db"))
        with pytest.raises(Refusal, match=r"^the disk cannot be read; try again in a moment$"):
            _ = store.reader
