"""The channel test: hundreds of respondents answer Yes, hundreds No, and everything is watched.

Every byte on the wire, the device's storage, the address, the database and the log are recorded.
The report must follow its channel; everything else must be the same whatever the answer was.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser
from scipy.stats import binomtest

from client.draft import build_survey
from tests.browser.one_script import changed_script
from tests.browser.server_process import ServerProcess, serving
from tests.browser.sessions import Step, Watched, crowd

EACH = 200
# Two exact binomial tests, each wrong once in a million runs of a correct page.
FALSE_ALARM = 1e-6
OPTIONS = ("canary-for-no-5c1e", "canary-for-yes-a97b")
DRAFT: dict[str, Any] = {
    "slug": "channel",
    "title": "One question",
    "delete_on": "2999-12-31",
    "questions": [
        {"id": "canary", "prompt": "Have you ever?", "epsilon": "1", "options": list(OPTIONS)}
    ],
}
MECHANISM = build_survey(DRAFT).questions[0].mechanism
TRUTHS: list[list[Step]] = [[(0, 0, None)], [(0, 1, None)]]


@pytest.fixture(scope="module")
def channel_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("channel"), DRAFT) as running:
        yield running


@pytest.fixture(scope="module")
def watched(browser: Browser, channel_server: ServerProcess) -> Watched:
    with crowd(browser, channel_server, "channel", TRUTHS) as respondents:
        return Watched(respondents.alternate(EACH), channel_server)


@pytest.mark.parametrize("truth", [0, 1], ids=["truth is no", "truth is yes"])
def test_the_share_of_yes_among_the_reports_agrees_with_the_channel(
    watched: Watched, truth: int
) -> None:
    reported = [session.randomized["canary"] for session in watched.of(truth)]
    expected = float(MECHANISM.keep if truth else 1 - MECHANISM.keep)
    assert len(reported) == EACH
    assert binomtest(sum(reported), EACH, expected).pvalue > FALSE_ALARM


@pytest.mark.parametrize("whole", [True, False], ids=["whole page", "script again"])
def test_every_session_is_the_same_on_the_wire_but_for_the_randomized_bit(
    watched: Watched, whole: bool
) -> None:
    sessions = [session for session in watched.sessions if session.whole is whole]
    assert {session.truth for session in sessions} == {0, 1}
    shapes = {session.shape for session in sessions}
    assert len(shapes) == 1
    # The comparison is not of nothing: page or script, document twice, ticket, report.
    methods = [line.split(b" ")[0] for line in shapes.pop()]
    assert methods.count(b"PUT") == methods.count(b"POST") == 1
    assert methods.count(b"GET") == 3


def test_sending_is_one_request_of_one_length(watched: Watched) -> None:
    assert len({len(session.handed_in.raw) for session in watched.sessions}) == 1
    for session in watched.sessions:
        # The ticket is asked for at page load; then a last look at the document, and the report.
        asked = [sent for sent in session.sent if not sent.path.startswith("/client/")]
        assert [sent.method for sent in asked][-4:] == ["GET", "POST", "GET", "PUT"]
        assert len(asked) == 4 + session.whole


def test_the_raw_answer_is_in_no_byte_that_left_the_device(watched: Watched) -> None:
    for session in watched.sessions:
        for request in session.sent:
            assert b"canary-for" not in request.raw
            assert b"cookie" not in request.head.lower()


def test_the_device_keeps_nothing_before_sending_and_only_the_report_after(
    watched: Watched,
) -> None:
    for session in watched.sessions:
        assert session.kept_only_the_report
        device = {k: v for k, v in session.device.items() if k not in ("before", "after", "steps")}
        assert device == {
            "databases": [{"name": "candor", "version": 1}],
            "cookie": "",
            "address": watched.sessions[0].device["address"],
            "title": "One question",
            "state": None,
            "filled": 0,
        }


def test_the_database_holds_the_randomized_reports_and_nothing_of_the_answers(
    watched: Watched,
) -> None:
    reports = watched.server.reports("channel")
    assert len(reports) == 2 * EACH + 2
    said = sum(report["canary"] for report in reports)
    assert said >= sum(session.randomized["canary"] for session in watched.sessions)
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
        ".padEnd(survey.reportBytes)",
        ".padEnd(survey.reportBytes + (globalThis.truth ?? 0))",
    ),
    "header": (
        "transport.js",
        '"Candor-Ticket": ticket }',
        '"Candor-Ticket": ticket, "Candor-Note": `${globalThis.truth}` }',
    ),
    "extra_request": (
        "transport.js",
        "const headers =",
        "if (globalThis.truth) await fetch(`${this.page}/privacy.json`); const headers =",
    ),
    "another_path": ("transport.js", "/reports/${id}`", "/reports/${id}?${globalThis.truth}`"),
    "stored_draft": ("report.js", "return reportBody", "localStorage.draft = 1; return reportBody"),
}
NO_LEAK = ("report.js", ".padEnd(survey.reportBytes)", ".padEnd( survey.reportBytes )")
# Where the truth is put for a leak to find it.
CHANGED = "this.explain(settled);"


def alike(browser: Browser, server: ServerProcess, script: str, honest: str, other: str) -> bool:
    """Do two respondents with different truths look the same when a script is another one?"""
    with crowd(browser, server, "channel", TRUTHS) as respondents:
        card = ("page/card.js", CHANGED, f"{CHANGED} globalThis.truth = this.answer;")
        changed_script(respondents.page, card, (script, honest, other))
        sessions = [respondents.answer(truth) for truth in (0, 1)]
    one_shape = len({session.shape for session in sessions}) == 1
    return one_shape and all(session.kept_only_the_report for session in sessions)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_seen(browser: Browser, channel_server: ServerProcess, leak: str) -> None:
    assert not alike(browser, channel_server, *LEAKS[leak])


def test_without_a_leak_two_sessions_are_alike(
    browser: Browser, channel_server: ServerProcess
) -> None:
    assert alike(browser, channel_server, *NO_LEAK)
