"""Power cuts at a small scale, and disks that lie: the layer would notice."""

from collections.abc import Callable
from random import Random

import pytest

from tests.torture.durability.disk.medium import Medium
from tests.torture.durability.disk.place import in_memory
from tests.torture.durability.disk.trace import FOLDER_SYNCED, SYNCED, Record
from tests.torture.durability.power_cuts import losses
from tests.torture.durability.recording import Recording, record


@pytest.fixture(scope="module")
def recording() -> Recording:
    with in_memory() as place:
        return record(place, Random(20261118), reports=120)


def lost(recording: Recording, count: int, medium: Medium) -> list[str]:
    return losses(recording, count, Random(1), lambda: None, medium)


def test_a_power_cut_loses_nothing_that_was_acknowledged(recording: Recording) -> None:
    assert len(recording.reports) > 100
    assert len(recording.closed) > 0
    assert lost(recording, 60, Medium()) == []


def ignores_logs(record: Record, name: str) -> bool:
    return record.what == SYNCED and name.endswith("-wal")


def ignores_databases(record: Record, name: str) -> bool:
    return record.what == SYNCED and name.endswith(".db")


def ignores_names(record: Record, name: str) -> bool:
    return record.what == FOLDER_SYNCED


def test_a_disk_that_ignores_syncs_of_the_log_loses_acknowledged_reports(
    recording: Recording,
) -> None:
    """As the server would with `synchronous=NORMAL`."""
    found = lost(recording, 20, Medium(ignores_logs))
    assert any("acknowledged reports are lost" in line for line in found)


@pytest.mark.parametrize("ignores", [ignores_databases, ignores_names])
def test_a_disk_that_ignores_other_syncs_loses_something_too(
    recording: Recording, ignores: Callable[[Record, str], bool]
) -> None:
    assert lost(recording, 20, Medium(ignores)) != []
