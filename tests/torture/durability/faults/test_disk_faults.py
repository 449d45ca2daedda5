"""Faults of the disk at a small scale; the row notices what a fault must not do."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from tests.torture.durability.disk.faults import BAD_WRITE, FULL
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.faults.disk_faults import fail, fail_at_start, suffer, trials
from tests.torture.durability.faults.service import Service


def test_a_server_survives_faults_of_its_disk_and_locks_of_others() -> None:
    # One of each: three locks, and five kinds of faults in four ways.
    toll = suffer(islice(trials(Random(20261118)), 23), lambda: None)
    assert toll.problems == []
    assert toll.met > 50
    assert toll.refused > 20


@pytest.fixture
def service() -> Iterator[Service]:
    with in_memory() as place:
        service = Service(place)
        yield service
        service.server.kill()


def test_a_fault_that_does_not_end_is_noticed(service: Service) -> None:
    service.faults.arm(FULL)
    service.live()
    assert service.problems == []
    service.recover()
    assert any("not taken after the fault" in problem for problem in service.problems)


def test_an_acknowledged_report_that_is_lost_is_noticed(service: Service) -> None:
    assert fail(service, FULL) > 0
    service.recover()
    service.check()
    assert service.problems == []
    with closing(sqlite3.connect(service.folder.database)) as other, other:
        other.execute("DELETE FROM reports WHERE id = (SELECT min(id) FROM reports)")
    service.check()
    assert "1 acknowledged reports are lost" in service.problems


def test_a_start_that_cannot_open_its_file_for_writing_is_refused(service: Service) -> None:
    """SQLite would open it for reading: a server that never takes a report."""
    # The database, its log and the memory that its connections share.
    for call in range(4, 7):
        fail_at_start(service, replace(BAD_WRITE, first=call, every=0))
        service.recover()
    assert service.problems == []
