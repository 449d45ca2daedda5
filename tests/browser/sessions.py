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
from tests.browser.wire import Sent, Wire

# Card of the question, its input, and what to type there; None to click on it.
Step = tuple[int, int, str | None]
# Every so many respondents load the whole page anew; the others start its script again, which
# fetches document and ticket and makes every object afresh, in a fifth of the time. An odd number,
# so that both truths do both.
WHOLE_EVERY = 9

# One respondent; the first storage reading is at the review, before Send.
RESPONDENT = """async ([steps, again]) => {
  const outbox = OUTBOX;
  const loose = () => [...Object.entries(localStorage), ...Object.entries(sessionStorage)];
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
  await found(".questions:enabled");
  for (const [card, input, typed] of steps) {
    const node = document.querySelectorAll(".question")[card].querySelectorAll("input")[input];
    if (typed === null) { node.click(); continue; }
    node.value = typed;
    for (const event of ["input", "change"]) node.dispatchEvent(new Event(event));
  }
  await press(".questions .button");
  await found(".review");
  const before = [...(await outbox("readonly", (box) => box.getAll())), ...loose()];
  await press(".actions .button");
  await found(".receipt");
  const after = [...(await outbox("readonly", (box) => box.getAll())), ...loose()];
  const databases = await indexedDB.databases();
  const left = [...document.querySelectorAll("input")];
  const seen = { before, after, databases, cookie: document.cookie, address: location.href,
    title: document.title, state: history.state, steps: history.length,
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
    device: dict[str, Any]

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


@dataclass(frozen=True)
class Watched:
    """Everything that was recorded, and where the server keeps its own traces."""

    sessions: list[Session]
    server: ServerProcess

    def of(self, truth: int) -> list[Session]:
        return [session for session in self.sessions if session.truth == truth]


class Crowd:
    """Respondents one after the other, each on a device that knows nothing of the others."""

    def __init__(self, page: Page, wire: Wire, slug: str, truths: Sequence[list[Step]]) -> None:
        self.page = page
        self._wire = wire
        self._slug = slug
        self._truths = truths

    def answer(self, truth: int, again: int = 0) -> Session:
        """A new page, or the page's script started again."""
        if not again:
            self.page.goto(f"{self._wire.url}/s/{self._slug}", wait_until="commit")
        device = self.page.evaluate(RESPONDENT, [self._truths[truth], again])
        return Session(truth, not again, self._wire.take(), device)

    def alternate(self, each: int) -> list[Session]:
        """As many respondents of either truth, in turns."""
        return [self.answer(i % 2, i if i % WHOLE_EVERY else 0) for i in range(2 * each)]


@contextmanager
def crowd(
    browser: Browser, server: ServerProcess, slug: str, truths: Sequence[list[Step]]
) -> Iterator[Crowd]:
    """The first visit also asks for the page's files; from the second on, all are alike."""
    device = browser.new_context(viewport=PHONE)
    with Wire(server.port) as wire:
        respondents = Crowd(device.new_page(), wire, slug, truths)
        for _ in range(2):
            respondents.answer(0)
        yield respondents
    device.close()
