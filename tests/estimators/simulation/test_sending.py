"""Synthetic reports over HTTP: to tests only, each stored once, and the truth is found again."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from client.core.primitives.domain import Levels
from client.core.primitives.refusal import Refusal, Relayed
from client.core.question import Question
from client.terminal.transport import SurveyLink
from estimators.simulation import sending
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.shares import Shares, count_of
from estimators.simulation.sending import MAX_CONCURRENCY, Sent, send_reports
from server.commands import operating
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.every_kind import EVERYBODY, SAMPLED, lopsided, people
from tests.support.live import Live, stored
from tests.support.process import ServerProcess
from tests.support.publishing import publish_draft, try_draft

Draft = dict[str, Any]
HandIn = Callable[[SurveyLink, str, bytes], None]


@pytest.fixture
def rehearsal(live: Live, draft: Draft) -> Live:
    """Serve a draft under test, next to the open survey."""
    return rehearsed(live, draft)


def rehearsed(live: Live, draft: Draft) -> Live:
    survey = try_draft(live.services, draft, confirm_weak=True).published.survey
    return Live(live.url, live.folder, live.services, survey)


def link_to(live: Live) -> str:
    return f"{live.url}/{'t' if live.survey.test else 's'}/{live.survey.slug}"


def send(live: Live, n: int, seed: int = 5, **options: Any) -> Sent:
    return send_reports(people(live.survey), n, stream(seed), link_to(live), **options)


def count(rows: Mapping[str, list[Any]]) -> int:
    """Return how many reports are stored."""
    return len(rows["reports"])


def is_near(row: Mapping[str, Any], truths: Mapping[str, Shares]) -> bool:
    """Return whether a row is within five standard errors of the truth.

    A false alarm has a chance below 1e-4 over all rows of a survey together.
    """
    shares = truths[row["question"]]
    levels = sum(level * share for level, share in enumerate(shares))
    truth = shares[row["option"]] if row["quantity"] == "share" else levels
    return bool(abs(row["value"] - truth) < 5 * max(row["standard_error"], row["noise_error"]))


def rows_about(question: Question) -> int:
    """Return a row for each option or box; of levels, their mean."""
    return 1 if isinstance(question.domain, Levels) else count_of(question.domain)


@pytest.mark.parametrize(
    ("kinds", "n"), [(EVERYBODY, 300), (SAMPLED, 500)], ids=["everybody", "sampled"]
)
def test_reports_of_every_kind_are_stored_and_tell_the_truth(
    live: Live, kinds: Draft, n: int
) -> None:
    test = rehearsed(live, kinds)
    crowd = lopsided(test.survey)
    assert send_reports(crowd, n, stream(3), link_to(test)) == Sent(stored=n)
    assert count(test.stored()) == n
    assert verify(test.folder.drafts).problems == []
    estimates = test.get("/t/kinds/estimates.json").json["estimates"]
    found = [row for row in estimates if row["quantity"] in ("share", "mean")]
    assert len(found) == sum(map(rows_about, test.survey.questions))
    assert [row for row in found if not is_near(row, crowd.truths())] == []


def test_the_same_seed_gives_the_same_people_but_every_draw_is_secure(live: Live) -> None:
    test = rehearsed(live, EVERYBODY)
    send(test, 5)
    first = sorted(row[2] for row in test.stored()["reports"])
    send(test, 5)
    both = sorted(row[2] for row in test.stored()["reports"])
    # One of 128 columns for each name: the chance that five are equal is below 1e-8.
    assert both != sorted(first + first)


def test_a_live_survey_is_refused_before_anything_is_sent(live: Live, rehearsal: Live) -> None:
    before, drafted = live.stored(), rehearsal.stored()
    with pytest.raises(Refusal, match="to the test of a draft, whose link has /t/, got 'http"):
        send(live, 5)
    assert live.stored() == before
    assert rehearsal.stored() == drafted
    assert count(before) == 0


@contextmanager
def impostor(document: bytes, shelf: str) -> Iterator[tuple[str, list[str]]]:
    """Serve one document at every address; yield a link to it and the requests that it got."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(self.command)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(document)

        def do_POST(self) -> None:
            self.do_GET()

        def do_PUT(self) -> None:
            self.do_GET()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/{shelf}/habits", requests
        finally:
            server.shutdown()
            thread.join()


def test_nothing_is_asked_of_a_live_survey_not_even_its_document(rehearsal: Live) -> None:
    with impostor(rehearsal.survey.document, "s") as (url, requests):
        with pytest.raises(Refusal, match="to the test of a draft, whose link has /t/"):
            send_reports(people(rehearsal.survey), 5, stream(1), url)
        assert requests == []


def test_a_document_without_the_mark_of_a_test_is_refused_whatever_the_link_says(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    with impostor(live.survey.document, "t") as (url, requests):
        with pytest.raises(Refusal, match="the document is for a published survey"):
            send_reports(people(live.survey), 5, stream(1), url)
        # A link that trusts the document would not be enough either.
        monkeypatch.setattr(SurveyLink, "fetch_survey", lambda link: live.survey)
        with pytest.raises(Refusal, match="to the test of a draft"):
            send_reports(people(live.survey), 5, stream(1), url)
        assert requests == ["GET"]


def test_other_questions_than_those_simulated_are_refused(live: Live, draft: Draft) -> None:
    asked = {**draft, "questions": draft["questions"][:1]}
    test = rehearsed(live, asked)
    with pytest.raises(Refusal, match="does not have the questions of the simulated survey"):
        send_reports(people(live.survey), 5, stream(1), link_to(test))
    assert count(test.stored()) == 0


@pytest.mark.parametrize("concurrency", [0, -1, MAX_CONCURRENCY + 1])
def test_a_concurrency_that_is_none_is_refused(rehearsal: Live, concurrency: int) -> None:
    with pytest.raises(Refusal, match=f"concurrency must be from 1 to {MAX_CONCURRENCY}, got"):
        send(rehearsal, 5, concurrency=concurrency)


class Road:
    """Stands between devices and the server: counts reports on their way, and loses some."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, lose: str, stored_first: bool, together: int = 1
    ) -> None:
        self.hand_in: HandIn = SurveyLink.hand_in
        self._lock = threading.Lock()
        self._lose, self._stored_first = lose, stored_first
        self.bodies: dict[str, list[bytes]] = {}
        self.most = self._now = 0
        # The first few wait for each other, so that they are on their way at the same time.
        self._together = threading.Barrier(together, timeout=60)
        monkeypatch.setattr(SurveyLink, "hand_in", lambda *request: self.travel(*request))

    def travel(self, link: SurveyLink, ticket: str, body: bytes) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            tries = self.bodies.setdefault(ticket, [])
            tries.append(body)
            is_first = len(self.bodies) <= self._together.parties
        try:
            if is_first and len(tries) == 1:
                self._together.wait()
            if len(tries) > 1 or not self._lose or self._stored_first:
                self.hand_in(link, ticket, body)
            if len(tries) == 1 and self._lose:
                raise Relayed(self._lose, "lost on the way")
        finally:
            with self._lock:
                self._now -= 1


@pytest.mark.parametrize("trouble", ["out_of_reach", "storage_unavailable", "server_error"])
@pytest.mark.parametrize("stored_first", [False, True], ids=["before", "after"])
def test_every_report_whose_answer_is_lost_is_sent_again_with_the_same_bytes(
    rehearsal: Live, monkeypatch: pytest.MonkeyPatch, trouble: str, stored_first: bool
) -> None:
    road = Road(monkeypatch, trouble, stored_first)
    assert send(rehearsal, 20) == Sent(stored=20)
    assert count(rehearsal.stored()) == 20
    assert [len(bodies) for bodies in road.bodies.values()] == [2] * 20
    assert all(first == second for first, second in road.bodies.values())


@pytest.mark.parametrize("concurrency", [1, 4])
def test_no_more_reports_are_on_their_way_than_the_concurrency_allows(
    rehearsal: Live, monkeypatch: pytest.MonkeyPatch, concurrency: int
) -> None:
    road = Road(monkeypatch, "", stored_first=False, together=concurrency)
    told: list[int] = []
    assert send(rehearsal, 40, concurrency=concurrency, on_stored=told.append) == Sent(stored=40)
    assert road.most == concurrency
    assert sum(told) == 40


def test_a_draft_that_is_published_meanwhile_ends_the_sending_and_gets_no_report(
    live: Live, rehearsal: Live, draft: Draft
) -> None:
    published = threading.Event()

    def publish(stored: int) -> None:
        if stored and not published.is_set():
            published.set()
            publish_draft(live.services, {**draft, "title": "Vices"}, new_version=True)

    sent = send(rehearsal, 10_000, on_stored=publish)
    assert sent.refusal is not None
    # Depends on the moment: closed, or already gone.
    assert sent.refusal.code in ("survey_closed", "unknown_survey")
    assert 0 < sent.stored < 10_000
    assert 1 <= sent.refused <= 8
    assert count(live.stored()) == 0


def test_a_server_that_does_not_come_back_is_reported_with_what_is_stored(
    rehearsal: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "PAUSES", (0.01, 0.01))
    road = Road(monkeypatch, "", stored_first=False)
    hand_in = road.hand_in

    def go_away(link: SurveyLink, ticket: str, body: bytes) -> None:
        if len(road.bodies) > 30:
            raise Refusal("out_of_reach", reason="gone")
        hand_in(link, ticket, body)

    road.hand_in = go_away
    sent = send(rehearsal, 1000)
    assert sent.refusal is not None
    assert sent.refusal.code == "out_of_reach"
    assert sent.stored == count(rehearsal.stored()) > 0
    assert (sent.refused, sent.interrupted) == (0, False)
    assert 1 <= sent.unheard <= 8


def test_a_server_that_is_killed_and_started_again_has_every_report_once(
    folder: DataFolder, draft: Draft, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Short pauses, so that the test is quick, and many, so that a busy machine may be slow.
    monkeypatch.setattr(sending, "PAUSES", (0.1,) * 1000)
    n, sent = 200, list[Sent]()
    file = tmp_path / "draft.json"
    file.write_text(json.dumps(draft))
    operating.put_up_test(folder, operating.load(file), confirm_weak=False)
    process = ServerProcess(folder)
    url = f"{process.url}/t/habits"
    survey = SurveyLink.parse(url).fetch_survey()
    under_way = threading.Event()

    def watch(stored: int) -> None:
        if stored:
            under_way.set()

    def work() -> None:
        sent.append(send_reports(people(survey), n, stream(1), url, on_stored=watch))

    thread = threading.Thread(target=work)
    thread.start()
    assert under_way.wait(60)
    process.kill()
    missing = n - count(stored(folder, test=True))
    process = ServerProcess(folder, urlsplit(url).port or 0)
    thread.join()
    process.stop()
    assert missing > 0
    assert sent == [Sent(stored=n)]
    assert count(stored(folder, test=True)) == n
    assert verify(folder.drafts).problems == []
