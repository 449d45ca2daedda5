"""Respondents at a script's speed, with everything recorded that could be observed of them."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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

# One respondent; the first storage reading is at the review, before Send.
RESPONDENT = """async ([steps, again]) => {
  const outbox = OUTBOX;
  const loose = async () => [
    ...Object.entries(localStorage), ...Object.entries(sessionStorage),
    ...(await Array.fromAsync((await navigator.storage.getDirectory()).keys()))];
  if (again) {
    const { src, integrity } = document.querySelector("script");
    const script = Object.assign(document.createElement("script"), { type: "module", integrity });
    script.src = `${src}?${again}`;
    document.head.append(script);
  }
  const found = (selector) => new Promise((resolve) => {
    const look = () => {
      const node = document.querySelector(selector);
      if (node) { observer.disconnect(); resolve(node); }
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    look();
  });
  const press = async (selector) => (await found(selector)).click();
  const begin = await found(".consent .button, .questions:enabled");
  if (begin.matches(".button")) begin.click();
  await found(".questions:enabled");
  for (const [card, input, typed] of steps) {
    const node = document.querySelectorAll(".question")[card].querySelectorAll("input")[input];
    if (typed === null) { node.click(); continue; }
    node.value = typed;
    for (const event of ["input", "change"]) node.dispatchEvent(new Event(event));
  }
  await press(".questions .button");
  await found(".review");
  const before = [...(await outbox("readonly", (box) => box.getAll())), ...(await loose())];
  await press(".actions .button");
  await found(".receipt");
  const after = [...(await outbox("readonly", (box) => box.getAll())), ...(await loose())];
  const databases = await indexedDB.databases();
  const cached = await caches.keys();
  const left = [...document.querySelectorAll("input")];
  const seen = { before, after, databases, cached, cookie: document.cookie, name,
    address: location.href, title: document.title, state: history.state, steps: history.length,
    filled: left.filter(({ checked, value }) => checked || value !== "on").length };
  localStorage.clear();
  await outbox("readwrite", (box) => box.clear());
  return seen;
}""".replace("OUTBOX", OUTBOX)


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
        (put,) = [request for request in self.sent if request.method == "PUT"]
        return put

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
        parcel = {"sent": True, "body": self.handed_in.body.decode()}
        return bool(self.device["before"] == [] and self.device["after"] == [parcel])


class Crowd:
    """Respondents one after the other, each on a device that knows nothing of the others."""

    def __init__(self, page: Page, wire: Wire, traces: Traces, link: str) -> None:
        self.page = page
        self._wire = wire
        self._traces = traces
        self._link = link

    def answer(self, steps: Steps, truth: int = 0, again: int = 0) -> Session:
        """A new page, or the page's script started again."""
        before = self._wire.received
        if not again:
            self.page.goto(self._link, wait_until="commit")
        device = self.page.evaluate(RESPONDENT, [steps, again])
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
    device = browser.new_context(viewport=PHONE)
    with Wire(server.port) as wire:
        yield Crowd(device.new_page(), wire, Traces(server), f"{wire.url}/s/{slug}")
    device.close()
