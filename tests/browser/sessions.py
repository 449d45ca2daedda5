"""Respondents at a script's speed, with everything recorded that could be observed of them."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE
from tests.browser.respondent import OUTBOX
from tests.browser.server_process import ServerProcess
from tests.browser.traces import Trace, Traces
from tests.browser.wire import Sent, Wire

# Card of the question, its input, and what to type there; None to click on it.
Step = tuple[int, int, str | None]
# What respondents of one truth do.
Steps = list[Step]
# Every so many respondents load the whole page anew; the others start its script again, which
# fetches document and ticket and makes every object afresh, in a fifth of the time.
WHOLE_EVERY = 9

RESPONDENT = (Path(__file__).parent / "session.js").read_text("utf-8").replace("OUTBOX", OUTBOX)


@dataclass(frozen=True)
class Session:
    """All that could be observed of one respondent, whose truth was the given one of several."""

    truth: int
    whole: bool
    sent: list[Sent]
    received: int
    device: dict[str, Any]
    trace: Trace

    @property
    def handed_in(self) -> Sent:
        # A leak may add something to the path.
        (report,) = [request for request in self.sent if "/reports" in request.path]
        return report

    @property
    def randomized(self) -> dict[str, Any]:
        randomized: dict[str, Any] = json.loads(self.handed_in.body)["randomized"]
        return randomized

    @property
    def shape(self) -> tuple[bytes, ...]:
        """The session on the wire without what is random by design, in any order of loading."""
        return tuple(sorted(request.masked for request in self.sent))

    @property
    def kept_only_the_report(self) -> bool:
        """Nothing in storage before Send, and the report, which names nobody, after it."""
        receipt = {"sent": True, "body": self.handed_in.body.decode()}
        # Where the report waited is an empty folder.
        after = [receipt, ["candor-turns", []]]
        return bool(self.device["before"] == [] and self.device["after"] == after)


class Crowd:
    """Respondents one after the other, each on a device that knows nothing of the others.

    On a shared device the page stays open, and they take turns.
    """

    def __init__(
        self,
        page: Page,
        wire: Wire,
        traces: Traces,
        links: Iterator[str],
        keeps: bool = False,
        is_shared: bool = False,
    ) -> None:
        self.page = page
        self._wire = wire
        self._traces = traces
        self._links = links
        self._keeps = keeps
        self._is_shared = is_shared
        self._is_open = False

    def answer(self, steps: Steps, truth: int = 0, again: int = 0) -> Session:
        """A new page, or the page's script started again, or the next turn on a shared device."""
        before = self._wire.received
        link = next(self._links)
        if not again and not (self._is_shared and self._is_open):
            # A link that differs after # only would not load the page again.
            self.page.goto("about:blank")
            self.page.goto(link, wait_until="commit")
            self._is_open = True
        started = 0 if self._is_shared else again
        # The page has taken the code out of its address.
        code = link if ";" in link else ""
        given = {"again": started, "link": code, "keeps": self._keeps}
        device = self.page.evaluate(RESPONDENT, [steps, given])
        received = self._wire.received - before
        return Session(truth, not again, self._wire.take(), received, device, self._traces.take())

    def answer_all(self, truths: Sequence[Steps], dealt: Sequence[int]) -> list[Session]:
        """One respondent for every truth that was dealt."""
        return [
            self.answer(truths[truth], truth, i if i % WHOLE_EVERY else 0)
            for i, truth in enumerate(dealt)
        ]


@contextmanager
def crowd(browser: Browser, server: ServerProcess, slug: str) -> Iterator[Crowd]:
    """On one device, which asks for all of the page's files at its first visit only."""
    with _recorded(browser, server) as (page, wire, traces):
        yield Crowd(page, wire, traces, repeat(f"{wire.url}/s/{slug}"))


@contextmanager
def invited_crowd(
    browser: Browser, server: ServerProcess, slug: str, people: int
) -> Iterator[Crowd]:
    """So many people with a personal link each, who keep their unsent answers on the device."""
    with _recorded(browser, server) as (page, wire, traces):
        own = server.invite(slug, people)
        links = (link.replace(server.url, wire.url) for link in own)
        yield Crowd(page, wire, traces, links, keeps=True)


@contextmanager
def shared_crowd(browser: Browser, server: ServerProcess, slug: str) -> Iterator[Crowd]:
    """On a device that people hand over to each other."""
    with _recorded(browser, server) as (page, wire, traces):
        links = repeat(f"{wire.url}/s/{slug}#;kiosk")
        yield Crowd(page, wire, traces, links, is_shared=True)


@contextmanager
def _recorded(browser: Browser, server: ServerProcess) -> Iterator[tuple[Page, Wire, Traces]]:
    device = browser.new_context(viewport=PHONE)
    with Wire(server.port) as wire:
        yield device.new_page(), wire, Traces(server)
    device.close()
