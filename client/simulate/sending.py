"""Synthetic respondents hand in their reports over HTTP, several at a time; to tests only."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from client.refusal import Refusal, require
from client.simulate.device import Device, Unheard
from client.simulate.samplers import Answers
from client.simulate.source import Source
from client.simulate.truths import Truths
from client.survey import Survey
from client.transport import PASSING, SurveyLink

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
        f"concurrency must be from 1 to {MAX_CONCURRENCY}, got {concurrency}",
        "concurrency",
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
    require(link.is_test, *_live_survey(url))
    draft = link.fetch_survey()
    require(draft.test, *_live_survey(url))
    require(
        (draft.questions, draft.ask_each_person) == (survey.questions, survey.ask_each_person),
        "other_questions",
        f"the draft at {url} has other questions than the survey that is simulated",
        "url",
    )
    return Device(link, draft, threading.Event())


def _live_survey(url: str) -> tuple[str, str, str]:
    reason = f"synthetic reports are for the test of a draft, whose link has /t/, got {url!r}"
    return "live_survey", reason, "url"


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
