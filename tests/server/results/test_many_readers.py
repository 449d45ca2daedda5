"""However many people read results, respondents are served: most threads are left to them."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from secrets import randbelow
from typing import Any

import pytest

from server.results.kept import KEPT
from server.serving import THREADS
from server.surveys.researchers import Role
from server.web.limits import MOST_EXPORTS, MOST_READERS, READERS, READERS_WAITING
from tests.support import inviting
from tests.support.live import Answer, Live
from tests.support.researcher import hire, key_of, logged_in

READING = 40
RESULTS = "/s/heavy/results"


@pytest.fixture
def draft() -> dict[str, Any]:
    """Nine distributions of 1,001 levels, the finest that are allowed."""
    level = {"kind": "number", "lo": "0", "hi": "1000", "goal": "distribution", "epsilon": "0.4"}
    questions = [{"id": f"q{at}", "prompt": "How many?", **level} for at in range(9)]
    return {"slug": "heavy", "title": "H", "delete_on": "2999-12-31", "questions": questions}


@pytest.fixture
def filled(live: Live) -> Live:
    """Random reports: what another test had computed must not be kept already."""
    for _ in range(50):
        reports: dict[str, Any] = {item.id: randbelow(1001) for item in live.survey.questions}
        live.fill(1, **reports)
    return live


def ask_for_ticket(live: Live) -> Answer:
    return inviting.ask_for_ticket(live, {})


def is_busy(answer: Answer) -> bool:
    return answer.status == 503 and int(answer.headers["Retry-After"]) > 0


def test_a_respondent_is_served_while_forty_read_the_heaviest_results(filled: Live) -> None:
    tickets = []
    with ThreadPoolExecutor(READING) as pool:
        readers = [pool.submit(filled.get, RESULTS) for _ in range(READING)]
        while not all(reader.done() for reader in readers):
            tickets.append(ask_for_ticket(filled).status)
    answers = [reader.result() for reader in readers]
    assert all(answer.status == 200 or is_busy(answer) for answer in answers)
    assert sum(answer.status == 200 for answer in answers) >= MOST_READERS
    assert set(tickets) == {201}
    # Each would wait for all readers if these took the threads, or the interpreter.
    assert len(tickets) >= 10


@contextmanager
def slow_computation() -> Iterator[None]:
    """Let a figure be computed as long as the block lasts."""
    began, end = threading.Event(), threading.Event()

    def compute() -> bool:
        began.set()
        return end.wait(60)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(KEPT.get, object(), compute)
        began.wait()
        try:
            yield
        finally:
            end.set()


def test_readers_who_wait_leave_threads_and_the_rest_are_sent_away(filled: Live) -> None:
    most = MOST_READERS + READERS_WAITING
    with ThreadPoolExecutor(READING) as pool:
        with slow_computation():
            readers = [pool.submit(filled.get, RESULTS) for _ in range(READING)]
            sent_away = wait_for(readers, READING - most)
            assert all(map(is_busy, sent_away))
            assert ask_for_ticket(filled).status == 201
            assert filled.post(filled.report()).status == 201
            assert sum(reader.done() for reader in readers) < READING
        answers = [reader.result() for reader in readers]
    assert MOST_READERS <= sum(answer.status == 200 for answer in answers) <= most
    assert most + MOST_EXPORTS <= THREADS / 2


def wait_for(answers: list[Future[Answer]], count: int) -> list[Answer]:
    """Return the first answers, once there are so many."""
    while sum(answer.done() for answer in answers) < count:
        wait([answer for answer in answers if not answer.done()], 1, "FIRST_COMPLETED")
    return [answer.result() for answer in answers if answer.done()]


@pytest.fixture
def crowded(filled: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """A server whose places for readers are all taken, by readers who take their time."""
    hire(filled, "ana", Role.OWNER)
    monkeypatch.setattr(READERS, "_seconds", 0.0)
    with ExitStack() as crowd:
        for _ in range(MOST_READERS):
            crowd.enter_context(READERS)
        yield filled


def test_every_way_to_read_results_is_limited(crowded: Live) -> None:
    for path in ("results", "estimates.json", "estimates.csv", "figures/q1.png"):
        assert is_busy(crowded.get(f"/s/heavy/{path}"))
    key, ana = key_of(crowded, "ana"), logged_in(crowded, "ana")
    for path in ("estimates", "estimates.csv"):
        answer = crowded.send("GET", f"/api/surveys/heavy/{path}", headers=key)
        assert (is_busy(answer), answer.code) == (True, "results_busy")
    for path in ("results", "estimates.csv", "figures/q1.png", "compare", "cross"):
        assert is_busy(ana.get(f"/workbench/surveys/heavy/{path}"))
    # What is not read from results has no such limit.
    assert ana.get("/workbench/surveys/heavy/export").status == 200
    assert crowded.get("/s/heavy").status == 200


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "Many people are reading results just now"),
        ("de", "Gerade lesen viele die Ergebnisse"),
        ("es", "Muchas personas leen ahora los resultados"),
        ("ar", "كثيرون يقرؤون النتائج الآن"),
    ],
)
def test_a_reader_who_is_sent_away_reads_why(crowded: Live, language: str, heading: str) -> None:
    page = crowded.get(f"{RESULTS}?language={language}")
    assert is_busy(page)
    assert heading in page.body.decode()
