"""Behind many who wait, a hand-in is refused before it is parsed; nothing else is."""

from contextlib import closing

import pytest

from server.listening import loop
from server.listening.overload import Overload
from server.respondents.lane import ReportLane
from tests.server.listening.test_hand_ins import (
    PAGE,
    answers,
    busy,
    connect,
    report,
    wait_until_queued,
    warm,
)
from tests.support.hand_in import stored_ids
from tests.support.live import Live


@pytest.fixture
def refusing(live: Live) -> Overload:
    return Overload(ReportLane(lambda environ, start: [], live.services))


def test_behind_many_who_wait_a_hand_in_is_refused_at_once_and_pages_are_served(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(live)
    first, second = report(live), report(live)
    with closing(connect(live.url)) as early, closing(connect(live.url)) as late:
        with busy(live):
            early.sendall(first.wire)
            wait_until_queued(live, 1)
            monkeypatch.setattr(loop, "MOST_WAITING", 1)
            # The loop's turn that serves the page may have begun before that; the next did not.
            late.sendall(PAGE)
            assert answers(late, 1)[0][0] == 200
            late.sendall(second.wire)
            status, head = answers(late, 1)[0]
            assert status == 503
            assert b"\r\nRetry-After: 2\r\n" in head
            late.sendall(PAGE)
            assert answers(late, 1)[0][0] == 200
        assert answers(early, 1)[0][0] == 201
        assert second.id not in stored_ids(live.folder)
        late.sendall(second.wire)
        assert answers(late, 1)[0][0] == 201


def test_only_bytes_that_are_one_whole_hand_in_are_refused(live: Live, refusing: Overload) -> None:
    wire = report(live).wire
    found = refusing.refusal(wire)
    assert found is not None
    assert found[1]
    assert b"\r\nDate: " in found[0]
    unclear = (
        *(wire[:-1], wire + b"x", wire + wire, PAGE, b"", b"\r\n\r\n"),
        wire.replace(b"/reports ", b"/reports% "),
        wire.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n"),
        wire.replace(b"\r\n\r\n", b"\r\nContent-Length: 1\r\n\r\n"),
        wire.replace(b"\r\n\r\n", b"\r\nContent-Length : 1\r\n\r\n"),
        wire.replace(b"\r\n\r\n", b"\r\n folded\r\n\r\n"),
        wire.replace(b"POST ", b"HEAD "),
    )
    assert [refusing.refusal(data) for data in unclear] == [None] * len(unclear)


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"HTTP/1.1", b"HTTP/1.0"), (b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")],
)
def test_whoever_wants_the_connection_closed_has_it_closed(
    live: Live, refusing: Overload, before: bytes, after: bytes
) -> None:
    found = refusing.refusal(report(live).wire.replace(before, after))
    assert found is not None
    reply, stays = found
    assert not stays
    assert b"\r\nConnection: close\r\n" in reply
