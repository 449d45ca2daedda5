"""Crowds of readers and of exports of the heaviest legal surveys: a respondent does not wait."""

import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from server.commands.remote import call_operator
from server.data_folder import DataFolder
from server.store.verify import verify
from tests.support.crowd import send_all
from tests.support.hand_in import JSON, fresh, hand_in
from tests.support.live import Answer, send
from tests.support.process import serving
from tests.torture.load.beside import Signals, beside
from tests.torture.row import Outcome, Progress, Row

READERS = EXPORTS = 40
SURVEYS = 4
# Enough for the results of every survey to be public.
REPORTS = 60
GOAL_SECONDS = 1.0
# Of somebody who was sent away; less than they were asked to wait.
PAUSE_SECONDS = 0.2
PAGES = ("results", "estimates.json", "estimates.csv", "figures/q1.png")
Answers = Counter[tuple[str, int]]


def heavy_draft(slug: str) -> dict[str, Any]:
    """Nine distributions of 1,001 levels, the finest that are allowed."""
    level = {"kind": "number", "lo": "0", "hi": "1000", "goal": "distribution", "epsilon": "0.4"}
    questions = [{"id": f"q{at}", "prompt": "How many?", **level} for at in range(9)]
    return {"slug": slug, "title": "H", "delete_on": "2999-12-31", "questions": questions}


def read_on(signals: Signals, url: str, key: str, slugs: list[str], seed: int) -> Answers:
    """Read results and export until it is over; return how often each status was heard."""
    heard: Answers = Counter()
    pages = [f"/s/{slug}/{page}" for page in PAGES for slug in slugs]
    exports = [f"/api/surveys/{slug}/export" for slug in slugs]
    crowd: list[tuple[str, list[str], dict[str, str]]] = [("results", pages, {})] * READERS
    crowd += [("export", exports, {"Authorization": f"Bearer {key}"})] * EXPORTS
    threads = [
        threading.Thread(target=_ask_on, args=(signals, url, heard, Random(seed + at), *who))
        for at, who in enumerate(crowd)
    ]
    for thread in threads:
        thread.start()
    signals.ready.set()
    for thread in threads:
        thread.join()
    return heard


def _ask_on(
    signals: Signals,
    url: str,
    heard: Answers,
    random: Random,
    kind: str,
    paths: list[str],
    headers: dict[str, str],
) -> None:
    while not signals.over.is_set():
        status = send(url, "GET", random.choice(paths), headers=headers).status
        heard[kind, status] += 1
        if status != 200:
            signals.over.wait(PAUSE_SECONDS)


@dataclass
class Respondents:
    """People who answer one after the other, and how long each of their requests took."""

    url: str
    survey: Survey
    tickets: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)

    def answer(self, random: Random) -> None:
        """Ask for a ticket and hand in a report."""
        path = f"/api/surveys/{self.survey.slug}/tickets"
        given = self._timed(self.tickets, 201, "POST", path, b"{}", JSON)
        if given is not None:
            body = fresh(b"", self.survey, **random_values(self.survey, random)).body
            self._timed(
                self.reports, 201, *hand_in(self.survey, body, given.json["ticket"]).request
            )

    @property
    def usual(self) -> float:
        """Only one of 100 requests took longer."""
        times = sorted(self.tickets + self.reports)
        return times[len(times) * 99 // 100]

    def _timed(self, times: list[float], wanted: int, *request: Any) -> Answer | None:
        start = time.perf_counter()
        answer = send(self.url, *request)
        times.append(time.perf_counter() - start)
        if answer.status == wanted:
            return answer
        self.refused.append(answer.status)
        return None


def random_values(survey: Survey, random: Random) -> dict[str, int]:
    return {question.id: random.randrange(1001) for question in survey.questions}


def prepare(folder: DataFolder, url: str, random: Random) -> list[Survey]:
    """Publish the surveys with as many reports as it takes for their results to be public."""
    drafts = [heavy_draft(f"heavy-{number}") for number in range(SURVEYS)]
    for draft in drafts:
        call_operator(folder, "/surveys", json.dumps(draft).encode())
    surveys = [build_survey(draft) for draft in drafts]
    for survey in surveys:
        items = [
            fresh(folder.secret, survey, **random_values(survey, random)) for _ in range(REPORTS)
        ]
        send_all(url, items, 8, lambda answer: None)
    return surveys


def answer_beside_readers(
    amount: int, seed: int, progress: Progress
) -> tuple[Respondents, Answers, list[str]]:
    """Let so many people answer while the crowd reads; return also what is wrong afterwards."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(Path(name) / "data")
        with serving(folder) as process:
            surveys = prepare(folder, process.url, random)
            respondents = Respondents(process.url, surveys[0])
            slugs = [survey.slug for survey in surveys]
            given = (process.url, folder.operator_key, slugs, seed)
            with beside(read_on, *given) as crowd:
                for _ in range(amount):
                    respondents.answer(random)
                    progress.advance()
                answers = crowd.end()
        found = verify(folder.database, log_key=folder.log_key)
        stored = sum(survey["reports"] for survey in found.surveys)
        wrong = list(found.problems)
        if stored != SURVEYS * REPORTS + amount - len(respondents.refused):
            wrong.append(f"{stored} reports are stored")
        return respondents, answers, wrong


def judge(respondents: Respondents, answers: Answers) -> Iterator[str]:
    """Say what is wrong, except how long people waited."""
    if respondents.refused:
        yield f"{len(respondents.refused)} respondents were refused"
    if {status for _, status in answers} - {200, 503}:
        yield f"readers heard {dict(answers)}"
    if not (answers["results", 200] and answers["export", 200]):
        yield "nobody read any results, or nobody exported"


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Let so many people answer while crowds read and export."""
    respondents, answers, wrong = answer_beside_readers(amount, seed, progress)
    wrong += judge(respondents, answers)
    ticket, report = max(respondents.tickets), max(respondents.reports, default=0.0)
    for what, longest in (("a ticket", ticket), ("a report", report)):
        if longest >= GOAL_SECONDS:
            wrong.append(f"{what} took {1000 * longest:.0f} ms")
    figure = (
        f"{amount} respondents, longest wait for a ticket {1000 * ticket:.0f} ms, for a report "
        f"{1000 * report:.0f} ms, 99 of 100 below {1000 * respondents.usual:.0f} ms; "
        f"readers had {answers['results', 200]:,} pages and "
        f"{answers['export', 200]:,} exports, and were sent away "
        f"{answers['results', 503] + answers['export', 503]:,} times"
    )
    return Outcome(figure, not wrong, "; ".join(wrong))


ROW = Row(
    "readers",
    f"{READERS} readers of public results with nine distributions of 1,001 levels, and "
    f"{EXPORTS} exports at once, while people answer",
    f"no ticket and no report takes {GOAL_SECONDS:.0f} s, and none is refused",
    1000,
    "people",
    run,
)
