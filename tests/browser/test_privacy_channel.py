"""The channel test: hundreds of respondents answer Yes, hundreds No, and everything is watched.

Every byte on the wire, the device's storage, the address, the database and the log are recorded.
The report must follow its channel; everything else must be the same whatever the answer was.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route
from scipy.stats import binomtest

from client.draft import build_survey
from tests.browser.conftest import PHONE
from tests.browser.server_process import ServerProcess, serving
from tests.browser.wire import Sent, Wire

EACH = 200
# Every so many respondents load the whole page anew; the others start its script again, which
# fetches document and ticket and makes every object afresh, in a tenth of the time.
WHOLE_EVERY = 5
# Two exact binomial tests, each wrong once in a million runs of a correct page.
FALSE_ALARM = 1e-6
OPTIONS = ("canary-for-no-5c1e", "canary-for-yes-a97b")
DRAFT: dict[str, Any] = {
    "slug": "channel",
    "title": "One question",
    "questions": [
        {"id": "canary", "prompt": "Have you ever?", "epsilon": "1", "options": list(OPTIONS)}
    ],
}
MECHANISM = build_survey(DRAFT).questions[0].mechanism

# One respondent, at a script's speed; the first storage reading is at the review, before Send.
RESPONDENT = """async ([answer, again]) => {
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
  const before = { ...localStorage, ...sessionStorage };
  await press(".actions .button");
  await found(".receipt");
  const after = { ...localStorage, ...sessionStorage };
  const databases = await indexedDB.databases();
  const seen = { before, after, databases, cookie: document.cookie, address: location.href,
    title: document.title, state: history.state, steps: history.length,
    checked: document.querySelectorAll(":checked").length };
  localStorage.clear();
  return seen;
}"""


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


@dataclass(frozen=True)
class Watched:
    """Everything that was recorded, and where the server keeps its own traces."""

    sessions: list[Session]
    server: ServerProcess

    def of(self, answer: int) -> list[Session]:
        return [session for session in self.sessions if session.answer == answer]


def run_session(page: Page, wire: Wire, answer: int, again: int = 0) -> Session:
    """A respondent on a new device: a new page, or the page's script started again."""
    if not again:
        page.goto(f"{wire.url}/s/channel", wait_until="commit")
    device = page.evaluate(RESPONDENT, [answer, again])
    return Session(answer, not again, wire.take(), device)


@pytest.fixture(scope="module")
def channel_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("channel"), DRAFT) as running:
        yield running


def warm_page(device: BrowserContext, wire: Wire) -> Page:
    """The first visit also asks for the icon of the tab; from the second on, all are alike."""
    page = device.new_page()
    for _ in range(2):
        run_session(page, wire, 0)
    return page


@pytest.fixture(scope="module")
def watched(browser: Browser, channel_server: ServerProcess) -> Watched:
    device = browser.new_context(viewport=PHONE)
    with Wire(channel_server.port) as wire:
        page = warm_page(device, wire)
        sessions = [run_session(page, wire, i % 2, i % WHOLE_EVERY) for i in range(2 * EACH)]
    device.close()
    return Watched(sessions, channel_server)


@pytest.mark.parametrize("answer", [0, 1], ids=["truth is no", "truth is yes"])
def test_the_share_of_yes_among_the_reports_agrees_with_the_channel(
    watched: Watched, answer: int
) -> None:
    reported = [session.reported for session in watched.of(answer)]
    expected = float(MECHANISM.p if answer else MECHANISM.q)
    assert len(reported) == EACH
    assert binomtest(sum(reported), EACH, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize("whole", [True, False], ids=["whole page", "script again"])
def test_every_session_is_the_same_on_the_wire_but_for_the_randomized_bit(
    watched: Watched, whole: bool
) -> None:
    sessions = [session for session in watched.sessions if session.whole is whole]
    assert {session.answer for session in sessions} == {0, 1}
    shapes = {session.shape for session in sessions}
    assert len(shapes) == 1
    # The comparison is not of nothing: page, scripts, document, ticket, report.
    methods = [line.split(b" ")[0] for line in shapes.pop()]
    assert methods.count(b"PUT") == methods.count(b"POST") == 1
    assert methods.count(b"GET") > (20 if whole else 2)


def test_sending_is_one_request_of_one_length(watched: Watched) -> None:
    assert len({len(session.handed_in.raw) for session in watched.sessions}) == 1
    for session in watched.sessions:
        # The ticket is asked for at page load; after it nothing but the report is sent.
        asked = [
            sent for sent in session.sent if not sent.path.startswith(("/client/", "/static/"))
        ]
        assert [sent.method for sent in asked][-3:] == ["GET", "POST", "PUT"]
        assert len(asked) == 3 + session.whole


def test_the_raw_answer_is_in_no_byte_that_left_the_device(watched: Watched) -> None:
    for session in watched.sessions:
        for request in session.sent:
            assert b"canary-for" not in request.raw
            assert b"cookie" not in request.head.lower()


def test_the_device_keeps_nothing_before_sending_and_only_the_report_after(
    watched: Watched,
) -> None:
    for session in watched.sessions:
        device = dict(session.device)
        assert device.pop("before") == {}
        (kept,) = device.pop("after").values()
        body = session.handed_in.body.decode()
        assert kept == '{"sent":true,"body":' + _quoted(body) + "}"
        device.pop("steps")
        assert device == {
            "databases": [],
            "cookie": "",
            "address": watched.sessions[0].device["address"],
            "title": "One question",
            "state": None,
            "checked": 0,
        }


def test_the_database_holds_the_randomized_reports_and_nothing_of_the_answers(
    watched: Watched,
) -> None:
    reports = watched.server.reports("channel")
    assert len(reports) == 2 * EACH + 2
    said = sum(report["canary"] for report in reports)
    assert said >= sum(session.reported for session in watched.sessions)
    with closing(sqlite3.connect(watched.server.data / "candor.db")) as db:
        tables = {
            name for (name,) in db.execute("SELECT name FROM sqlite_schema") if "_" not in name
        }
        assert {"reports", "tickets", "tallies", "surveys"} <= tables
        for table in tables - {"documents"}:
            rows = db.execute(f"SELECT * FROM {table}").fetchall()
            assert "canary-for" not in str(rows)


def test_the_log_names_no_report_no_ticket_and_no_answer(watched: Watched) -> None:
    log = watched.server.log.read_bytes()
    for session in watched.sessions:
        id = session.handed_in.path.rsplit("/", 1)[1]
        assert id.encode() not in log
    assert b"canary" not in log


# Leaks that somebody could build in by mistake: the watch above must see every one of them.
LEAKS = {
    "padding": (
        "report.js",
        "randomized });",
        'randomized }) + " ".repeat(globalThis.truth ?? 0);',
    ),
    "header": (
        "transport.js",
        '"Candor-Ticket": ticket }',
        '"Candor-Ticket": ticket, "Candor-Note": `${globalThis.truth}` }',
    ),
    "extra_request": (
        "transport.js",
        "const headers =",
        "if (globalThis.truth) await fetch(this.page); const headers =",
    ),
    "another_path": ("transport.js", "/reports/${id}`", "/reports/${id}?${globalThis.truth}`"),
    "stored_draft": (
        "page/questions.js",
        "this.#answers.set(question.id, option);",
        "this.#answers.set(question.id, option); localStorage.draft = option;",
    ),
}
REMEMBER = "this.#answers.set(question.id, option);"


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_seen(browser: Browser, channel_server: ServerProcess, leak: str) -> None:
    with Wire(channel_server.port) as wire:
        device = browser.new_context(viewport=PHONE)
        page = warm_page(device, wire)
        _plant(page, channel_server, *LEAKS[leak])
        sessions = [run_session(page, wire, answer) for answer in (0, 1)]
        device.close()
    alike = len({session.shape for session in sessions}) == 1
    unstored = all(session.device["before"] == {} for session in sessions)
    assert not (alike and unstored)


def test_without_a_leak_two_sessions_are_alike(
    browser: Browser, channel_server: ServerProcess
) -> None:
    with Wire(channel_server.port) as wire:
        device = browser.new_context(viewport=PHONE)
        page = warm_page(device, wire)
        _plant(page, channel_server, "report.js", "randomized });", "randomized }) ;")
        sessions = [run_session(page, wire, answer) for answer in (0, 1)]
        device.close()
    assert len({session.shape for session in sessions}) == 1


def _plant(page: Page, server: ServerProcess, script: str, honest: str, leaking: str) -> None:
    """Serve a changed script; the truth lies where the leak finds it."""
    changes = [(script, honest, leaking)]
    if script != "page/questions.js":
        changes.append(("page/questions.js", REMEMBER, f"{REMEMBER} globalThis.truth = option;"))
    for name, old, new in changes:
        source = page.request.get(f"{server.url}/client/{name}").text()
        assert old in source, f"{name} has no {old}"
        page.route(f"**/client/{name}", _serving(source.replace(old, new)))


def _serving(source: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(body=source, content_type="text/javascript")


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'
