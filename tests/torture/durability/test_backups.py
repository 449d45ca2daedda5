"""Backups at a small scale; the row notices a copy that lacks a report or counts another."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from server.data_folder import DataFolder
from tests.support.hand_in import stored_ids
from tests.torture.durability.backups import Backup, back_up_and_restore, copy_under_load, faults
from tests.torture.durability.races import publish, serving
from tests.torture.durability.stream import Stream


def test_restored_backups_have_the_estimates_of_one_moment() -> None:
    reports, found = copy_under_load(2, Random(20261118), lambda: None)
    assert found == []
    assert reports > 0


@pytest.fixture
def restored(tmp_path: Path) -> Iterator[tuple[Stream, DataFolder]]:
    with serving() as (folder, url):
        stream = Stream(url, folder.secret, publish(folder, "habits"), Random(1))
        with stream.running():
            stream.wait_for(50)
        backup = Backup(tmp_path / "copy.db", DataFolder(tmp_path / "restored"))
        assert list(back_up_and_restore(folder, backup)) == []
        assert list(faults(stream, backup.restored)) == []
        yield stream, backup.restored


def change(folder: DataFolder, *statements: str) -> None:
    with closing(sqlite3.connect(folder.database)) as db, db:
        for statement in statements:
            db.execute(statement)


def test_a_copy_without_an_acknowledged_report_is_noticed(
    restored: tuple[Stream, DataFolder],
) -> None:
    stream, folder = restored
    first = next(iter(stream.sent))
    ids = set(stored_ids(folder))
    assert stream.is_of_one_moment(ids)
    assert not stream.is_of_one_moment(ids - {first})


def test_a_copy_that_counts_something_else_is_noticed(restored: tuple[Stream, DataFolder]) -> None:
    """Two tallies change, so that their sum does not."""
    stream, folder = restored
    change(
        folder,
        "UPDATE tallies SET count = count + 1 WHERE question = 'smokes' AND cell = 0",
        "UPDATE tallies SET count = count - 1 WHERE question = 'smokes' AND cell = 1",
    )
    assert "the estimates are not those of the reports" in faults(stream, folder)
