"""What a report, and opening a survey, costs the respondent's browser, in time and bytes."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE
from tests.browser.one_script import with_modules
from tests.browser.server_process import ServerProcess, serving
from tests.browser.surveys import KINDS
from tests.browser.weighing import weigh

NAMES = [f"Person {number:05}" for number in range(10_000)]
BOXES = [f"Box {number:03}" for number in range(198)]


def _draft(slug: str, answer: str, **question: Any) -> tuple[dict[str, Any], str]:
    fields = {"id": "q", "prompt": "Which?", "epsilon": "1", **question}
    draft = {"slug": slug, "title": slug, "delete_on": "2999-12-31", "questions": [fields]}
    return draft, answer


# A survey for each mechanism at its largest size, and a true answer as the page takes it.
DRAFTS = [
    _draft("yes-no", "1"),
    _draft("list-of-10000", "9876", kind="one_of", options=NAMES, mechanism="hr"),
    _draft("subset-of-10000", "9876", kind="one_of", options=NAMES, mechanism="ss", max_bits=2**15),
    _draft("boxes-of-198", "[0, 9, 197]", kind="any_of", options=BOXES, mechanism="smp"),
    _draft(
        "set-of-198", "[0, 9, 197]", kind="any_of", options=BOXES, at_most=20, mechanism="privset"
    ),
    _draft("limit-of-10000", "9876", kind="number", lo="0", hi="10000", mechanism="rt"),
    _draft("window-of-10000", "9876", kind="number", lo="0", hi="10000", mechanism="isw"),
]

# Each round draws its own words, as the page does. A browser's clock ticks every 0.1 ms.
RESPOND = with_modules("""
  const [document_url, answer, rounds] = given;
  const [{ readLinkedDocument }, { drawAssignment }, { respond }, { wire }, words] =
    ["document", "assignment", "respond", "report", "primitives/words"]
      .map((name) => modules[`core/${name}.js`]);
  const bytes = new Uint8Array(await (await fetch(document_url)).arrayBuffer());
  const link = { slug: document_url.split("/").at(-2), pinned: "", isTest: false };
  const { survey, fingerprint } = await readLinkedDocument(bytes, link);
  const assignment = await drawAssignment(survey, "ticket");
  const answers = new Map([["q", answer]]);
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const remembered = new words.RememberedWords(new words.SecureWords());
    const start = performance.now();
    wire(survey, fingerprint, respond(survey, assignment, answers, (id) => remembered.of(id)));
    times.push(performance.now() - start);
  }
  return times;
""")


@dataclass(frozen=True)
class InBrowser:
    """Milliseconds for the first and the median report by survey, and to open the longest survey.

    `weights` are the bytes on the wire, with headers, for opening a survey of every kind.
    """

    first: dict[str, float]
    median: dict[str, float]
    opened: float
    weights: dict[str, int]


def measure(browser: Browser, rounds: int) -> InBrowser:
    """Randomize and encode reports of every mechanism in a real browser."""
    with tempfile.TemporaryDirectory() as name, _visiting(browser, Path(name)) as (page, server):
        times = {
            draft["slug"]: _respond(page, server, draft["slug"], answer, rounds)
            for draft, answer in DRAFTS
        }
        opened = statistics.median(_open(page, server) for _ in range(max(1, rounds // 10)))
        weights = weigh(browser, f"{server.url}/s/{KINDS['slug']}", PHONE).weights
    return InBrowser(
        {slug: found[0] for slug, found in times.items()},
        {slug: statistics.median(found) for slug, found in times.items()},
        opened,
        weights,
    )


@contextmanager
def _visiting(browser: Browser, folder: Path) -> Iterator[tuple[Page, ServerProcess]]:
    with serving(folder, KINDS, *(draft for draft, _ in DRAFTS)) as server:
        device = browser.new_context()
        yield device.new_page(), server
        device.close()


def _respond(page: Page, server: ServerProcess, slug: str, answer: str, rounds: int) -> list[float]:
    page.goto(f"{server.url}/s/{slug}")
    url = f"{server.url}/s/{slug}/document.json"
    truth = page.evaluate("JSON.parse", answer)
    times: list[float] = page.evaluate(RESPOND, [url, truth, rounds])
    return times


def _open(page: Page, server: ServerProcess) -> float:
    start = time.perf_counter()
    page.goto(f"{server.url}/s/list-of-10000")
    page.wait_for_selector(".questions:enabled")
    return 1000 * (time.perf_counter() - start)
