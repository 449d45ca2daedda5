"""The channel test: hundreds of respondents answer Yes, hundreds No, and everything is watched.

Every byte on the wire, the device's storage, the address, the database and the log are recorded.
The report must follow its channel; everything else must be the same whatever the answer was.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser
from scipy.stats import binomtest

from client.draft import build_survey
from tests.browser.conftest import PHONE
from tests.browser.server_process import ServerProcess
from tests.browser.sessions import DRAFT, Session, run_session, warm_page
from tests.browser.wire import Wire

EACH = 200
# Every so many respondents load the whole page anew; the others start its script again, which
# fetches document and ticket and makes every object afresh, in a tenth of the time.
WHOLE_EVERY = 5
MECHANISM = build_survey(DRAFT).questions[0].mechanism
# Two exact binomial tests, each wrong once in a million runs of a correct page.
FALSE_ALARM = 1e-6


@dataclass(frozen=True)
class Watched:
    """Everything that was recorded, and where the server keeps its own traces."""

    sessions: list[Session]
    server: ServerProcess

    def of(self, answer: int) -> list[Session]:
        return [session for session in self.sessions if session.answer == answer]


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
        assert device.pop("before") == []
        body = session.handed_in.body.decode()
        assert device.pop("after") == [{"sent": True, "body": body}]
        device.pop("steps")
        assert device == {
            "databases": [{"name": "candor", "version": 1}],
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
