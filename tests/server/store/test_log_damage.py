"""A damaged log is told from what a power cut leaves, and nothing writes over it."""

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from server.store.backup import back_up
from server.store.database import open_writer
from server.store.verify import verify
from server.store.wal.damage import State, log_of, state_of_log
from tests.support.ballots import DAYS, crowd, happen, heard, in_set, opened
from tests.support.clock import FakeClock

HEADER, FRAME = 32, 24 + 4096
SETS, EACH = 6, 4


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """A database whose reports are still in the log, in transactions of several frames."""
    path = tmp_path / "killed.db"
    with closing(opened(tmp_path / "live.db", FakeClock(DAYS[0]))) as db:
        heard(db, [happen(("publish", "plain"))])
        for number in range(SETS):
            heard(db, [in_set(ballot) for ballot in crowd("plain", EACH * number, EACH)])
        path.write_bytes((tmp_path / "live.db").read_bytes())
        log_of(path).write_bytes(log_of(tmp_path / "live.db").read_bytes())
        yield path


def flip(database: Path, place: int) -> None:
    """Flip a bit of the log; a negative place counts from its end."""
    content = bytearray(log_of(database).read_bytes())
    content[place] ^= 1
    log_of(database).write_bytes(content)


def commits(database: Path) -> list[int]:
    """Return where the frames begin that end a transaction."""
    content = log_of(database).read_bytes()
    places = range(HEADER, len(content), FRAME)
    return [place for place in places if any(content[place + 4 : place + 8])]


def test_the_log_of_a_killed_server_is_whole(database: Path) -> None:
    assert state_of_log(database) is State.WHOLE
    assert verify(database).is_sound


def test_a_database_without_a_log_has_no_fault(database: Path) -> None:
    log_of(database).unlink()
    assert state_of_log(database) is State.WHOLE


@pytest.mark.parametrize("place", range(0, HEADER, 3))
def test_a_flipped_bit_of_the_header_is_damage(database: Path, place: int) -> None:
    flip(database, place)
    assert state_of_log(database) is State.DAMAGED


def test_a_flipped_bit_of_any_earlier_frame_is_damage(database: Path) -> None:
    last = commits(database)[-2]
    for frame in range(HEADER, last, FRAME):
        for offset in (0, 5, 9, 17, 24, FRAME - 1):
            expect_damage(database, frame + offset)


def test_so_is_one_in_the_last_commit_that_was_continued(database: Path) -> None:
    for offset in (0, 5, 24, FRAME - 1):
        expect_damage(database, commits(database)[-2] + offset)


def expect_damage(database: Path, place: int) -> None:
    flip(database, place)
    assert state_of_log(database) is State.DAMAGED, place
    flip(database, place)


@pytest.mark.parametrize("offset", [0, 5, 9, 17, 24, FRAME - 1])
def test_a_flipped_bit_of_what_was_stored_last_is_mentioned_at_the_start(
    database: Path, offset: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A power cut during this write could have left the same."""
    flip(database, commits(database)[-1] + offset)
    assert state_of_log(database) is State.CUT
    with caplog.at_level(logging.WARNING, "candor"):
        open_writer(database).close()
    assert "the end of killed.db-wal cannot be read" in caplog.text


def test_a_log_that_ends_anywhere_is_not_damaged(database: Path) -> None:
    content = log_of(database).read_bytes()
    for end in range(0, len(content), 1031):
        log_of(database).write_bytes(content[:end])
        assert state_of_log(database) is not State.DAMAGED, end


def test_older_frames_after_the_end_of_a_new_log_are_no_damage(tmp_path: Path) -> None:
    with closing(opened(tmp_path / "a.db", FakeClock(DAYS[0]))) as db:
        heard(db, [happen(("publish", "plain"))])
        for number in range(SETS):
            heard(db, [in_set(ballot) for ballot in crowd("plain", EACH * number, EACH)])
        db.execute("PRAGMA wal_checkpoint(RESTART)")
        heard(db, [in_set(ballot) for ballot in crowd("plain", 1000, 1)])
        assert state_of_log(tmp_path / "a.db") is State.WHOLE
        assert len(commits(tmp_path / "a.db")) > 1


def test_a_damaged_log_is_named_and_never_written_over(database: Path, tmp_path: Path) -> None:
    """The way on is a backup, which has what came before the damage, and says so."""
    flip(database, commits(database)[2] + 100)
    before = log_of(database).read_bytes()
    with pytest.raises(Refusal, match="-wal is damaged"):
        open_writer(database)
    assert "is damaged" in verify(database).problems[0]
    copied = back_up(database, tmp_path / "copy.db")
    assert [survey["reports"] for survey in copied.surveys] == [EACH]
    assert any("is damaged" in problem for problem in copied.problems)
    assert verify(tmp_path / "copy.db").is_sound
    assert log_of(database).read_bytes() == before
