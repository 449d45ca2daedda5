"""A device that is killed between any two steps ends with one ticket and one report."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client import __main__
from client.terminal import transport
from client.terminal.outbox import Outbox
from client.terminal.tickets import TicketPocket
from tests.client.terminal.test_answer import reports
from tests.support.inviting import personal
from tests.support.live import Live

# More than a whole run has.
MOST_STEPS = 100


class Killed(BaseException):
    """Stands for SIGKILL: from here on nothing reaches the disk or the network."""


class Life:
    """Counts what a process does to disk and network, and ends it before one of these steps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
        self.left, self.blinded = steps, set[bytes]()
        for name in ("link", "fsync", "open"):
            monkeypatch.setattr(os, name, self._mortal(getattr(os, name)))
        for method in ("unlink", "replace", "mkdir"):
            monkeypatch.setattr(Path, method, self._mortal(getattr(Path, method)))
        call = transport._call

        def calling(method: str, url: str, body: bytes | None = None, headers: Any = None) -> bytes:
            self._step()
            if url.endswith("/tickets"):
                self.blinded.add(body or b"")
            answer = call(method, url, body, headers)
            # Killed before the answer is heard.
            self._step()
            return answer

        monkeypatch.setattr(transport, "_call", calling)

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    def _mortal(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def mortal(*args: Any, **named: Any) -> Any:
            self._step()
            return function(*args, **named)

        return mortal


def next_visit(url: str, live: Live, outbox: Path) -> Result:
    """Answer what is asked, which depends on how far the device came."""
    fingerprint = live.survey.fingerprint
    typed = "y\n2\n1\ny\n"
    if Outbox(outbox).find(fingerprint) is not None:
        typed = ""
    elif TicketPocket(outbox).ticket(fingerprint) is not None:
        typed = "2\n1\ny\n"
    arguments = ["answer", url, "--outbox", str(outbox)]
    return CliRunner().invoke(__main__.main, arguments, input=typed)


def test_a_device_that_is_killed_anywhere_ends_with_one_ticket_and_one_report(
    staff: Live, tmp_path: Path
) -> None:
    steps, survived = 0, False
    while not survived:
        assert steps < MOST_STEPS
        (code,) = personal(staff)
        url = f"{staff.url}/s/habits#{staff.survey.fingerprint};{code}"
        outbox = tmp_path / str(steps)
        blinded: set[bytes] = set()
        survived = True
        # Killed there, and then on its next visit there again, before it may live.
        for life in (steps, steps // 2, MOST_STEPS):
            with pytest.MonkeyPatch.context() as monkeypatch:
                device = Life(monkeypatch, life)
                try:
                    result = next_visit(url, staff, outbox)
                except Killed:
                    survived = False
                finally:
                    blinded |= device.blinded
        assert result.exit_code == 0, result.output
        assert len(blinded) == 1
        assert len(reports(staff)) == steps + 1
        assert [path.name for path in outbox.iterdir()] == [f"{staff.survey.fingerprint}.json"]
        steps += 1
    # The document twice, the ticket, the report, and what is written in between.
    assert steps > 20
