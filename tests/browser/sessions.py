"""One respondent at a script's speed, and all that can be observed of the visit."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, Page

from tests.browser.respondent import OUTBOX
from tests.browser.wire import Sent, Wire

OPTIONS = ("canary-for-no-5c1e", "canary-for-yes-a97b")
DRAFT: dict[str, Any] = {
    "slug": "channel",
    "title": "One question",
    "questions": [
        {"id": "canary", "prompt": "Have you ever?", "epsilon": "1", "options": list(OPTIONS)}
    ],
}

# One respondent, at a script's speed; the first storage reading is at the review, before Send.
RESPONDENT = """async ([answer, again]) => {
  const outbox = OUTBOX;
  const keys = (box) => box.getAllKeys();
  const values = (box) => box.getAll();
  if (again) await import(`/client/page/start.js?${again}`);
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
  document.querySelectorAll("input")[answer].click();
  await press(".questions .button");
  await found(".review");
  const before = [...(await outbox("readonly", keys)), ...Object.keys(localStorage),
    ...Object.keys(sessionStorage)];
  await press(".actions .button");
  await found(".receipt");
  const after = [...(await outbox("readonly", values)), ...Object.keys(localStorage),
    ...Object.keys(sessionStorage)];
  const databases = await indexedDB.databases();
  const seen = { before, after, databases, cookie: document.cookie, address: location.href,
    title: document.title, state: history.state, steps: history.length,
    checked: document.querySelectorAll(":checked").length };
  localStorage.clear();
  await outbox("readwrite", (box) => box.clear());
  return seen;
}""".replace("OUTBOX", OUTBOX)


@dataclass(frozen=True)
class Session:
    """All that could be observed of one respondent."""

    answer: int
    whole: bool
    sent: list[Sent]
    device: dict[str, Any]

    @property
    def handed_in(self) -> Sent:
        (put,) = [request for request in self.sent if request.method == "PUT"]
        return put

    @property
    def reported(self) -> int:
        return int(b'"canary":1' in self.handed_in.body)

    @property
    def shape(self) -> tuple[bytes, ...]:
        """The session on the wire without what is random by design, in any order of loading."""
        return tuple(sorted(request.masked for request in self.sent))


def run_session(page: Page, wire: Wire, answer: int, again: int = 0) -> Session:
    """A respondent on a new device: a new page, or the page's script started again."""
    if not again:
        page.goto(f"{wire.url}/s/channel", wait_until="commit")
    device = page.evaluate(RESPONDENT, [answer, again])
    return Session(answer, not again, wire.take(), device)


def warm_page(device: BrowserContext, wire: Wire) -> Page:
    """The first visit also asks for the icon of the tab; from the second on, all are alike."""
    page = device.new_page()
    for _ in range(2):
        run_session(page, wire, 0)
    return page
