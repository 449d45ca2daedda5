"""Survey files of researchers are read a few at a time: reports never wait for them."""

import os
import subprocess
import sys
from contextlib import ExitStack
from typing import Any

import pytest

from client.core.primitives import canonical
from client.core.primitives.refusal import Refusal
from server.serving import THREADS
from server.web.limits import MOST_READING, READING, Limit
from tests.support.live import JSON, Live
from tests.support.researcher import hire, key_of, logged_in


def test_a_door_lets_in_so_many_and_no_more() -> None:
    limit = Limit(2, key="reading_busy")
    busy = pytest.raises(Refusal, match="too many survey files are being read; try again")
    with limit, limit, busy, limit:
        pass
    with pytest.raises(ZeroDivisionError), limit:
        _ = 1 / 0
    # Whoever failed inside has left, too.
    with limit, limit:
        pass


def test_files_that_are_being_read_leave_threads_for_reports(
    live: Live, draft: dict[str, Any]
) -> None:
    hire(live, "ana")
    ana, key = logged_in(live, "ana"), key_of(live, "ana")
    data = canonical.canonical(draft)
    with ExitStack() as crowd:
        for _ in range(MOST_READING):
            crowd.enter_context(READING)
        busy = ana.upload("/workbench/new/file", "a.json", data)
        assert busy.status == 503
        assert b"too many survey files are being read; try again in a moment" in busy.body
        asked = live.send("POST", "/api/lint", data, {**JSON, **key})
        assert (asked.status, asked.code) == (503, "reading_busy")
        assert live.post(live.report()).status == 201
    assert ana.upload("/workbench/new/file", "a.json", data).status == 303
    assert live.send("POST", "/api/lint", data, {**JSON, **key}).status == 200
    assert MOST_READING < THREADS / 2


def test_linear_algebra_of_the_server_has_no_threads_of_its_own() -> None:
    """With more, a figure took twenty times as long while all cores were busy."""
    code = (
        "import os, server.cli, numpy; numpy.ones((900, 900)) @ numpy.ones((900, 900)); "
        "print(len(os.listdir('/proc/self/task')))"
    )
    plain = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    found = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, check=True)
    assert found.stdout == b"1\n"
