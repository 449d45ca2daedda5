"""The loop sees everything that other threads have done, at once."""

import threading

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
