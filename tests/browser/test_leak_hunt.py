"""The leak hunt: hundreds of respondents give one set of answers, hundreds the opposite one, and
everything is watched.

Every byte on the wire in its order, the time to send, the device's storage, the server's log and
database are recorded. A hunter learns on half of the sessions to tell the truths apart: on the
other half, the report to each question may help it as much as e^epsilon allows, and nothing else
may help it at all. `tests/torture/privacy` proves that it would find one.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest
from playwright.sync_api import Browser
from scipy.stats import binomtest

from client.core.tickets.ticket import report_id
from tests.browser.observables import all_but_the_report, the_clock, the_report
from tests.browser.opposite_truths import ANSWERS, DRAFT, MECHANISMS, SURVEY, TRUTHS
from tests.browser.server_process import ServerProcess, serving
from tests.browser.sessions import Session, crowd
from tests.browser.traces import Row, Trace
from tests.support.exact_channel import channel_of
from tests.support.hunter import FALSE_ALARM, Bools, Verdict, deal, encode, hunt

# So many that a yes_no question that told the whole truth would be accused, although its report
# may tell the most: 140 guesses of 140 right have a chance of 2e-7 at epsilon 2.
EACH = 140
# Everybody's run deals the truths alike, and the machine does not know how.
DEAL = 20261119


@dataclass(frozen=True)
class Watched:
    """Everything that was recorded, and where the server keeps its own traces."""

    sessions: list[Session]
    server: ServerProcess
    # Of all but the reports, a row for each session.
    aside: Bools

    def of(self, truth: int) -> list[Session]:
        return [session for session in self.sessions if session.truth == truth]

    def hunt(self, seen: Bools) -> Verdict:
        return hunt(seen, [session.truth for session in self.sessions])

    def hunt_with_report(self, id: str) -> Verdict:
        reported = encode([the_report(session, id) for session in self.sessions])
        return self.hunt(np.hstack([self.aside, reported]))


@pytest.fixture(scope="module")
def watched(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with (
        serving(tmp_path_factory.mktemp("every-kind"), DRAFT) as server,
        crowd(browser, server, "every-kind") as respondents,
    ):
        # The first visits also ask for the page's files; from then on, all are alike.
        for steps in TRUTHS:
            respondents.answer(steps)
        sessions = respondents.answer_all(TRUTHS, deal(EACH, Random(DEAL)))
        yield Watched(sessions, server, encode([all_but_the_report(s) for s in sessions]))


def test_the_survey_has_every_kind_and_every_mechanism() -> None:
    assert {mechanism.name for mechanism in MECHANISMS.values()} == {
        *("rr", "ss", "hr", "smp", "privset", "rt", "isw")
    }
    kinds = {(question.kind.name, question.kind.goal) for question in SURVEY.questions}
    assert len({name for name, _ in kinds}) == 6
    assert {("scale", "shares"), ("scale", "mean")} < kinds
    assert {("number", "mean"), ("number", "distribution")} < kinds


def test_everything_but_the_report_tells_the_hunter_nothing(watched: Watched) -> None:
    # It has a lot to look at: characters of tickets, places of rows, times.
    assert watched.aside.shape[1] > 1000
    found = watched.hunt(watched.aside)
    assert not found.accuses(0), f"{found.right:.0%} of the guesses are right"


def test_the_time_to_send_tells_the_hunter_nothing(watched: Watched) -> None:
    found = watched.hunt(encode([the_clock(session) for session in watched.sessions]))
    assert not found.accuses(0), f"{found.right:.0%} of the guesses are right"


@pytest.mark.parametrize("id", MECHANISMS)
def test_everything_with_a_report_tells_no_more_than_its_epsilon(watched: Watched, id: str) -> None:
    epsilon = MECHANISMS[id].delivered_epsilon
    found = watched.hunt_with_report(id)
    assert not found.accuses(epsilon), f"{found.right:.0%} of the guesses are right"


def test_the_hunter_learns_what_a_report_may_tell(watched: Watched) -> None:
    """At epsilon 2, 88 of 100 guesses can be right; 72 are too many for chance."""
    assert watched.hunt_with_report("yes_no").accuses(0)


def with_trace(session: Session, log: list[str], rows: list[Row]) -> Session:
    return replace(session, trace=Trace(log, rows))


def with_a_line(session: Session) -> Session:
    return with_trace(session, [*session.trace.log, "noted"], session.trace.rows)


def with_a_row(session: Session) -> Session:
    return with_trace(session, session.trace.log, [*session.trace.rows, Row("notes", 0, {})])


def with_another_order(session: Session) -> Session:
    rows = [replace(row, place=row.place / 4) for row in session.trace.rows]
    return with_trace(session, session.trace.log, rows)


@pytest.mark.parametrize("kept", [with_a_line, with_a_row, with_another_order])
def test_a_server_that_kept_the_truth_would_be_found(
    watched: Watched, kept: Callable[[Session], Session]
) -> None:
    """It cannot know the truth, so what it would keep of it is written into the record."""
    sessions = [kept(session) if session.truth else session for session in watched.sessions]
    assert watched.hunt(encode([all_but_the_report(session) for session in sessions])).accuses(0)


def agrees(sessions: list[Session], id: str, truth: int) -> bool:
    """Does every report of a question come as often as its exact channel says?"""
    counts = Counter(json.dumps(session.randomized[id]) for session in sessions)
    channel = channel_of(MECHANISMS[id], ANSWERS[truth][id])
    assert counts.keys() <= channel.keys()
    return all(
        binomtest(counts[report], len(sessions), float(chance)).pvalue > FALSE_ALARM / len(channel)
        for report, chance in channel.items()
    )


@pytest.mark.parametrize("truth", [0, 1], ids=["low", "high"])
@pytest.mark.parametrize("id", MECHANISMS)
def test_the_reports_of_every_question_agree_with_their_exact_channel(
    watched: Watched, id: str, truth: int
) -> None:
    sessions = watched.of(truth)
    assert len(sessions) == EACH
    assert agrees(sessions, id, truth)


def test_the_reports_of_one_truth_do_not_agree_with_the_channel_of_the_other(
    watched: Watched,
) -> None:
    assert not agrees(watched.of(0), "yes_no", 1)


@pytest.mark.parametrize("whole", [True, False], ids=["whole page", "script again"])
def test_every_session_is_the_same_on_the_wire_but_for_the_report(
    watched: Watched, whole: bool
) -> None:
    sessions = [session for session in watched.sessions if session.whole is whole]
    assert {session.truth for session in sessions} == {0, 1}
    shapes = {session.shape for session in sessions}
    assert len(shapes) == 1
    # The comparison is not of nothing: page or script, document twice, ticket, report.
    methods = [line.split(b" ")[0] for line in shapes.pop()]
    assert methods.count(b"POST") == 2
    assert methods.count(b"GET") == 3


def test_every_report_has_one_length_whatever_is_in_it(watched: Watched) -> None:
    assert len({len(session.handed_in.raw) for session in watched.sessions}) == 1
    bodies = [session.handed_in.body for session in watched.sessions]
    assert {len(body) for body in bodies} == {SURVEY.report_bytes}
    # The padding has work to do: without it the lengths differ.
    assert len({len(body.rstrip()) for body in bodies}) > 1


def test_nothing_of_an_answer_stays_on_the_device_or_leaves_it(watched: Watched) -> None:
    for session in watched.sessions:
        assert session.kept_only_the_report
        device = {k: v for k, v in session.device.items() if k not in ("before", "after", "steps")}
        assert device == {
            "databases": [{"name": "candor", "version": 2}],
            "cached": [],
            "cookie": "",
            "name": "",
            "screen": "",
            "address": watched.sessions[0].device["address"],
            "title": "Every kind",
            "state": {"isSpare": True},
            "filled": 0,
        }
        for request in session.sent:
            assert b"canary" not in request.raw
            assert b"cookie" not in request.head.lower()


def test_the_database_holds_the_randomized_reports_and_nothing_of_the_answers(
    watched: Watched,
) -> None:
    stored = Counter(json.dumps(report) for report in watched.server.reports("every-kind"))
    sent = Counter(json.dumps(session.randomized) for session in watched.sessions)
    assert sent <= stored
    for session in watched.sessions:
        for row in session.trace.rows:
            assert "canary" not in str(row.columns)
    with closing(sqlite3.connect(watched.server.data / "candor.db")) as db:
        tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        assert {"reports", "tallies", "surveys"} <= {name for (name,) in tables}


def ticket_of(session: Session) -> str:
    head = session.handed_in.head.decode().lower()
    return head.partition("candor-ticket: ")[2].partition("\r\n")[0]


def test_the_log_names_no_report_no_ticket_and_no_answer(watched: Watched) -> None:
    log = watched.server.log.read_bytes()
    for session in watched.sessions:
        assert ticket_of(session).encode() not in log
        assert report_id(ticket_of(session)).encode() not in log
    assert b"canary" not in log
