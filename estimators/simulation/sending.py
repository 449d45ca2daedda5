"""Synthetic respondents hand in their reports over HTTP, as devices do; to tests only."""

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from client.core.assignment import draw_asking
from client.core.primitives.refusal import Refusal, Relayed, require
from client.core.primitives.words import SecureWords, secure_hex
from client.core.respond import respond
from client.core.survey import Survey
from client.terminal.transport import PASSING, SurveyLink
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import Source
from estimators.simulation.people.truths import Truths

T = TypeVar("T")

# Seconds before the same is tried again: a server has half a minute to come back.
PAUSES = (0.1, 0.2, 0.5, 1, 2, 4, 8, 16)


class Unheard(Relayed):
    """The report was sent, and nobody said whether it is stored."""


@dataclass(frozen=True)
class Device:
    """Hands in reports, each of another respondent, until it is told to stop."""

    link: SurveyLink
    survey: Survey
    stopping: threading.Event

    def hand_in(self, answers: Mapping[str, Any]) -> None:
        """Returns once one respondent's report is on the server's disk."""
        ticket = self._patiently(self.link.ask_for_ticket)
        words = SecureWords()
        asking = draw_asking(self.survey, ticket, words)
        body = respond(self.survey, asking, answers, words).wire(self.survey)
        id = secure_hex(4)
        try:
            self._patiently(lambda: self.link.hand_in(id, ticket, body))
        except Refusal as refusal:
            if refusal.code in PASSING:
                raise Unheard(refusal.code, refusal.message, refusal.field) from None
            raise

    def _patiently(self, call: Callable[[], T]) -> T:
        """Try again what may pass, as often as there are pauses, or until it is time to stop."""
        for pause in PAUSES:
            try:
                return call()
            except Refusal as refusal:
                if refusal.code not in PASSING or self.stopping.wait(pause):
                    raise
        return call()


CONCURRENCY = 8
MAX_CONCURRENCY = 64
# Respondents whose answers are drawn at a time.
BLOCK = 1000
# How often the reports that are stored are told.
TELL_SECONDS = 0.2


@dataclass
class Sent:
    """How it went: reports that are stored, that were refused, and that nobody answered for."""

    stored: int = 0
    refused: int = 0
    unheard: int = 0
    # What ended it early: a refusal, or a key press.
    refusal: Refusal | None = None
    interrupted: bool = False


def send_reports(
    truths: Truths,
    n: int,
    source: Source,
    url: str,
    concurrency: int = CONCURRENCY,
    on_stored: Callable[[int], object] = lambda count: None,
) -> Sent:
    """Hand in the reports of n respondents. The first refusal ends it, and so does Ctrl-C."""
    require(
        1 <= concurrency <= MAX_CONCURRENCY,
        "bad_concurrency",
        "concurrency",
        most=MAX_CONCURRENCY,
        concurrency=concurrency,
    )
    crowd = _Crowd(_device(url, truths.survey), _each(truths, n, source))
    with ThreadPoolExecutor(concurrency) as pool:
        workers = [pool.submit(crowd.work) for _ in range(concurrency)]
        told, running = 0, set(workers)
        while running:
            try:
                running = wait(workers, TELL_SECONDS).not_done
                stored = crowd.sent.stored
                on_stored(stored - told)
                told = stored
            except KeyboardInterrupt:
                crowd.sent.interrupted = True
                crowd.device.stopping.set()
    for worker in workers:
        # Whatever is no refusal is a fault of ours, and comes to light here.
        worker.result()
    return crowd.sent


def _device(url: str, survey: Survey) -> Device:
    """A device for a draft's test. Before anything is sent, link and document both say so."""
    link = SurveyLink.parse(url)
    require(link.is_test, "live_survey", "url", url=url)
    draft = link.fetch_survey()
    require(draft.test, "live_survey", "url", url=url)
    require(
        (draft.questions, draft.ask_each_person) == (survey.questions, survey.ask_each_person),
        "other_questions",
        "url",
        url=url,
    )
    return Device(link, draft, threading.Event())


class _Crowd:
    """Workers share a device and the answers of those who have not handed in yet."""

    def __init__(self, device: Device, answers: Iterator[dict[str, Any]]) -> None:
        self.device = device
        self.sent = Sent()
        self._answers = answers
        self._lock = threading.Lock()

    def work(self) -> None:
        while (answers := self._next()) is not None:
            try:
                self.device.hand_in(answers)
            except BaseException as trouble:
                # Nobody goes on where one had to give up.
                self.device.stopping.set()
                self._count(trouble)
            else:
                self._count(None)

    def _next(self) -> dict[str, Any] | None:
        with self._lock:
            return None if self.device.stopping.is_set() else next(self._answers, None)

    def _count(self, trouble: BaseException | None) -> None:
        with self._lock:
            sent = self.sent
            match trouble:
                case None:
                    sent.stored += 1
                case Unheard():
                    sent.unheard += 1
                case Refusal():
                    sent.refused += trouble.code not in PASSING
                case _:
                    raise trouble
            sent.refusal = sent.refusal or trouble


def _each(truths: Truths, n: int, source: Source) -> Iterator[dict[str, Any]]:
    """Every respondent's answers as a person would give them, question by question."""
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        drawn = truths.draw(size, source, first)
        columns = [_plain(drawn[id]) for id in drawn]
        # Truths may come with alike ones together, which people never do.
        for person in source.permutation(size).tolist():
            yield {id: column[person] for id, column in zip(drawn, columns, strict=True)}


def _plain(answers: Answers) -> list[Any]:
    """Numbers, or lists of the boxes that are ticked."""
    if answers.ndim == 1:
        return list(answers.tolist())
    return [np.flatnonzero(row).tolist() for row in answers]
