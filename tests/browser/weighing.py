"""What opening a survey costs: bytes on the wire, answers until the first picture, what moves."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser.chromium import launch_options

# Every time something moves on its own. What follows a click or a key at once, the browser marks.
WATCH_SHIFTS = """globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }
}).observe({ type: "layout-shift", buffered: true });"""
# One evaluation that waits inside the page: polling evaluates text there, which its policy forbids.
PAINTED = """(patience) => new Promise((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName("first-contentful-paint").length) resolve(true);
  }).observe({ type: "paint", buffered: true });
  setTimeout(resolve, patience, false);
})"""
# The browser has told of everything that moved before this.
SETTLED = """() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))"""


class Scales:
    """Bytes of everything that a page asks for, with headers, as the network layer counts them."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._asked: dict[str, str] = {}
        self._bytes: dict[str, int] = {}
        network = context.new_cdp_session(page)
        network.on("Network.requestWillBeSent", self._ask)
        network.on("Network.loadingFinished", self._finish)
        network.send("Network.enable")

    @property
    def weights(self) -> dict[str, int]:
        """By what was asked for, the second and later times counted too."""
        weights: dict[str, int] = {}
        for id, what in self._asked.items():
            # Missing: the answer has not come to its end.
            weights[what] = weights.get(what, 0) + self._bytes[id]
        return weights

    def _ask(self, event: dict[str, Any]) -> None:
        request = event["request"]
        path = "/" + request["url"].split("/", 3)[3].split("#")[0]
        self._asked[event["requestId"]] = f"{request['method']} {path}"

    def _finish(self, event: dict[str, Any]) -> None:
        self._bytes[event["requestId"]] = round(event["encodedDataLength"])


@dataclass(frozen=True)
class Opening:
    """The cost of one survey on a device that has never been here."""

    weights: dict[str, int]
    shifts: list[list[Any]]

    @property
    def total(self) -> int:
        return sum(self.weights.values())


def weigh(browser: Browser, link: str, size: ViewportSize) -> Opening:
    """Open a survey until its questions can be answered."""
    device = browser.new_context(viewport=size)
    page = device.new_page()
    page.add_init_script(WATCH_SHIFTS)
    scales = Scales(device, page)
    page.goto(link, wait_until="networkidle")
    page.wait_for_selector(".questions:enabled")
    opening = Opening(scales.weights, shifts(page))
    device.close()
    return opening


def painted(page: Page, patience: int) -> bool:
    """Whether the browser draws its first picture within so many milliseconds."""
    return bool(page.evaluate(PAINTED, patience))


def shifts(page: Page) -> list[list[Any]]:
    """What has moved so far in a page that was told to watch."""
    page.evaluate(SETTLED)
    moved: list[list[Any]] = page.evaluate("shifts")
    return moved


def with_scroll_bars(browser: Browser) -> Browser:
    """Another browser, whose scroll bars take room as on most desktops."""
    return browser.browser_type.launch(
        **launch_options(), ignore_default_args=["--hide-scrollbars"]
    )
