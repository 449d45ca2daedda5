"""Hand in the reports of synthetic respondents over HTTP, as devices do, to draft tests only."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from client.core.access import INVITED
from client.core.assignment import draw_assignment
from client.core.primitives.refusal import Refusal, Relayed, require
from client.core.primitives.words import SecureWords
from client.core.respond import respond
from client.core.survey import Survey
from client.core.tickets.ticket import blind, finalize
from client.terminal.transport import TEMPORARY, SurveyLink, with_retries
from estimators.simulation.kernels.samplers import Answers
from estimators.simulation.kernels.source import Source
from estimators.simulation.people.group_shares import GroupShares, group_shares
from estimators.simulation.people.truths import Truths

T = TypeVar("T")

# Seconds before each retry: a server has half a minute to come back.
PAUSES = (0.1, 0.2, 0.5, 1, 2, 4, 8, 16)


class Unheard(Relayed):
    """The report was sent, but no answer said whether it is stored."""


@dataclass(frozen=True)
class Device:
    """Hands in reports, each for a different respondent, until it is stopped."""

    link: SurveyLink
    survey: Survey
    stopping: threading.Event

    def hand_in(self, answers: Mapping[str, Any], group: str = "") -> None:
        """Hand in one respondent's report; return once it is on the server's disk."""
        ticket = self._ticket()
        words = SecureWords()
        assignment = draw_assignment(self.survey, ticket)
        body = respond(self.survey, assignment, answers, words, group).wire(self.survey)
        try:
            self._with_retries(lambda: self.link.hand_in(ticket, body))
        except Refusal as refusal:
            if refusal.code in TEMPORARY:
                raise Unheard(refusal.code, refusal.message, refusal.field) from None
            raise

    def _ticket(self) -> str:
        """Return a new ticket; with a key in the document the server signs it unseen."""
        if self.survey.access != INVITED:
            return self._with_retries(self.link.ask_for_open_ticket)
        fingerprint, (key,) = self.survey.fingerprint, dict(self.survey.ticket_keys).values()
        blinding = blind(key, fingerprint)
        signed = self._with_retries(lambda: self.link.ask_to_sign("", blinding.blinded))
        return finalize(key, fingerprint, "", blinding, signed)

    def _with_retries(self, call: Callable[[], T]) -> T:
        return with_retries(call, PAUSES, self.stopping.wait)


# The answers of somebody, and the code of the group that they choose.
Respondent = tuple[dict[str, Any], str]

CONCURRENCY = 8
MAX_CONCURRENCY = 64
# How many respondents' answers are drawn at a time.
BLOCK = 1000
# How often progress is reported.
PROGRESS_SECONDS = 0.2


@dataclass
class Sent:
    """The outcome: how many reports are stored, were refused, or got no answer."""

    stored: int = 0
    refused: int = 0
    unheard: int = 0
    # What ended it early: a refusal, or Ctrl-C.
    refusal: Refusal | None = None
    interrupted: bool = False


def send_reports(
    truths: Truths,
    n: int,
    source: Source,
    url: str,
    concurrency: int = CONCURRENCY,
    on_stored: Callable[[int], object] = lambda count: None,
    shares: GroupShares | None = None,
) -> Sent:
    """Hand in the reports of n respondents; stop at the first refusal and at Ctrl-C."""
    require(
        1 <= concurrency <= MAX_CONCURRENCY,
        "bad_concurrency",
        "concurrency",
        most=MAX_CONCURRENCY,
        concurrency=concurrency,
    )
    crowd = _Crowd(_device(url, truths.survey), _each(truths, n, source, shares))
    with _stopped_by_ctrl_c(crowd), ThreadPoolExecutor(concurrency) as pool:
        workers = [pool.submit(crowd.work) for _ in range(concurrency)]
        announced, running = 0, set(workers)
        while running:
            running = wait(workers, PROGRESS_SECONDS).not_done
            stored = crowd.sent.stored
            on_stored(stored - announced)
            announced = stored
    for worker in workers:
        # Anything but a refusal is a bug of ours, and is raised here.
        worker.result()
    return crowd.sent


def _device(url: str, survey: Survey) -> Device:
    """Return a device for a draft's test; raise unless link and document both say it is a test."""
    link = SurveyLink.parse(url)
    require(link.is_test, "live_survey", "url", url=url)
    draft = link.fetch_survey()
    require(draft.test, "live_survey", "url", url=url)
    require(
        (draft.questions, draft.ask_each_person, draft.groups)
        == (survey.questions, survey.ask_each_person, survey.groups),
        "other_questions",
        "url",
        url=url,
    )
    return Device(link, draft, threading.Event())


class _Crowd:
    """Workers that share a device and the answers that are still to be handed in."""

    def __init__(self, device: Device, answers: Iterator[Respondent]) -> None:
        self.device = device
        self.sent = Sent()
        self._answers = answers
        self._lock = threading.Lock()

    def work(self) -> None:
        while (person := self._next()) is not None:
            try:
                self.device.hand_in(*person)
            except BaseException as trouble:
                # If one gives up, all stop.
                self.device.stopping.set()
                self._count(trouble)
            else:
                self._count(None)

    def _next(self) -> Respondent | None:
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
                    sent.refused += trouble.code not in TEMPORARY
                case _:
                    raise trouble
            sent.refusal = sent.refusal or trouble


@contextmanager
def _stopped_by_ctrl_c(crowd: _Crowd) -> Iterator[None]:
    """Let Ctrl-C stop the crowd without an exception.

    An exception at the wrong instruction would leave a lock of the workers' futures taken, and
    the command would wait for them for ever.
    """

    def stop(*_: object) -> None:
        crowd.sent.interrupted = True
        crowd.device.stopping.set()

    if threading.current_thread() is not threading.main_thread():
        # Signals reach the main thread only.
        yield
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _each(
    truths: Truths, n: int, source: Source, shares: GroupShares | None
) -> Iterator[Respondent]:
    """Yield each respondent's answers as a person would give them, and the group if they choose."""
    chosen = truths.survey.chosen_groups
    shares = shares or group_shares(truths.survey)
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        drawn = truths.draw(size, source, first)
        columns = [_plain(drawn[id]) for id in drawn]
        # Equal answers may come together; people come in any order.
        order = source.permutation(size).tolist()
        numbers = shares.draw(size, source).tolist() if shares else [0] * size
        for person, number in zip(order, numbers, strict=True):
            answers = {id: column[person] for id, column in zip(drawn, columns, strict=True)}
            yield answers, chosen.codes[number] if chosen else ""


def _plain(answers: Answers) -> list[Any]:
    """Return numbers, or lists of the ticked boxes."""
    if answers.ndim == 1:
        return list(answers.tolist())
    return [np.flatnonzero(row).tolist() for row in answers]
