"""The loop sees everything that other threads have done, at once."""

import os
import threading
from pathlib import Path

import pytest

from server.app import create_app
from server.listening import loop as loop_module
from server.serving import bind
from server.web.services import Services


def test_a_report_stored_while_others_are_answered_wakes_the_loop_again(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_module, "TURN_SECONDS", 0)
    loop = bind(create_app(services), "127.0.0.1", 0).loop
    pulls: list[str] = []
    monkeypatch.setattr(loop, "_pull", lambda: pulls.append("pulled"))
    answer = loop._answer

    def answer_while_another_is_stored() -> None:
        answer()
        writer = threading.Thread(target=loop.wake)
        writer.start()
        writer.join()

    monkeypatch.setattr(loop, "_answer", answer_while_another_is_stored)
    loop.wake()
    loop._turn()
    assert pulls == ["pulled", "pulled"]
    loop.close()


def test_nothing_is_written_to_wake_a_loop_that_has_ended(
    services: Services, tmp_path: Path
) -> None:
    loop = bind(create_app(services), "127.0.0.1", 0).loop
    waker = loop._listeners[0].trigger.trigger
    loop.close()
    source = os.open(tmp_path / "database", os.O_RDWR | os.O_CREAT)
    # Another file with the number that the waking socket had.
    os.dup2(source, waker)
    try:
        threads = [threading.Thread(target=tell) for tell in (loop.wake, loop.stop)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (tmp_path / "database").read_bytes() == b""
    finally:
        os.close(waker)
        if source != waker:
            os.close(source)
