"""Closing: one moment, final figures, and a file that remembers no order."""

import hashlib

import pytest

from client.core.primitives.refusal import Refusal
from server.lifecycle import ending
from server.store import reading
from server.store.checksums import checksum
from server.store.database import open_reader
from tests.support.live import Live


def test_closing_counts_what_is_there_and_says_so_again(live: Live) -> None:
    for _ in range(5):
        live.post(live.report())
    first = ending.close(live.services.database, "habits")
    assert (first.slug, first.version, first.reports, first.compacted) == ("habits", 1, 5, True)
    assert ending.close(live.services.database, "habits") == first
    latest = reading.newest(live.services.database.reader, "habits")
    assert (latest.state, latest.reports, latest.digest) == ("closed", 5, first.digest)


def test_an_unknown_survey_cannot_be_closed(live: Live) -> None:
    with pytest.raises(Refusal, match="there is no survey 'nowhere'"):
        ending.close(live.services.database, "nowhere")


def test_the_digest_does_not_depend_on_the_order_of_arrival(live: Live) -> None:
    for _ in range(10):
        live.post(live.report(smokes=1))
    closing = ending.close(live.services.database, "habits")
    expected = hashlib.sha256()
    for _, id, *_ in sorted(live.stored()["reports"]):
        expected.update(checksum(live.survey.fingerprint, id, '{"drinks":0,"smokes":1}'))
    assert closing.digest == expected.hexdigest()


def test_the_write_ahead_log_is_empty_after_closing(live: Live) -> None:
    log, sizes = live.folder.database.with_name("candor.db-wal"), []
    for _ in range(5):
        live.post(live.report())
        sizes.append(log.stat().st_size)
    assert max(sizes) > 0
    ending.close(live.services.database, "habits")
    assert log.stat().st_size == 0


def test_after_closing_the_pages_lie_in_the_order_of_the_ids(live: Live) -> None:
    """A table page is filled from its end: unsorted offsets would tell the order of arrival."""
    for _ in range(30):
        live.post(live.report())
    ending.close(live.services.database, "habits")
    ids = [row[1] for row in live.stored()["reports"]]
    file = live.folder.database.read_bytes()
    offsets = {id: file.index(id.encode()) for id in ids}
    found = sorted(ids, key=lambda id: offsets[id])
    assert found in (sorted(ids), sorted(ids, reverse=True))


def test_a_file_that_cannot_be_rewritten_is_closed_all_the_same_and_says_so(live: Live) -> None:
    live.post(live.report())
    # A reader in the middle of a transaction keeps the log from being emptied.
    reader = open_reader(live.folder.database)
    writer = live.services.database
    writer.run_alone(lambda db: db.execute("PRAGMA busy_timeout = 10").fetchone())
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM reports").fetchone()
    first = ending.close(live.services.database, "habits")
    reader.execute("COMMIT")
    again = ending.close(live.services.database, "habits")
    reader.close()
    assert (first.compacted, again.compacted) == (False, True)
    assert (first.reports, first.digest) == (again.reports, again.digest)
