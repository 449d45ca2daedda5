"""Reports that keep arriving, and what their devices know: answers, and when they were heard."""

import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.tables.rows import Row
from estimators.tables.table import estimate_table
from tests.support.crowd import Heard, send_all
from tests.support.hand_in import HandIn, fresh

CONNECTIONS = 8


@dataclass
class Sent:
    """A report on its device: moments in seconds, and `heard` once it is acknowledged."""

    item: HandIn
    answers: dict[str, int]
    begun: float
    heard: float | None = None


class Stream:
    """New reports for one survey, until it is stopped."""

    def __init__(self, url: str, secret: bytes, survey: Survey, random: Random) -> None:
        self._url, self._secret, self.survey, self._random = url, secret, survey, random
        self._stop = threading.Event()
        self.sent: dict[str, Sent] = {}
        self.problems: list[str] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let reports arrive meanwhile; at the end wait until all are answered."""
        devices = threading.Thread(
            target=send_all, args=(self._url, self._new(), CONNECTIONS, self._listen)
        )
        devices.start()
        try:
            yield
        finally:
            self._stop.set()
            devices.join()

    def _new(self) -> Iterator[HandIn]:
        while not self._stop.is_set():
            answers = {question.id: self._random.randrange(2) for question in self.survey.questions}
            item = fresh(self._secret, self.survey, **answers)
            self.sent[item.id] = Sent(item, answers, time.perf_counter())
            yield item

    def _listen(self, answer: Heard) -> None:
        if answer.status == 201:
            self.sent[answer.item.id].heard = time.perf_counter()
        else:
            self.problems.append(f"a report was answered with {answer.status}")

    @property
    def acknowledged(self) -> int:
        return sum(sent.heard is not None for sent in list(self.sent.values()))

    def wait_for(self, count: int) -> None:
        """Wait until so many more reports were acknowledged."""
        wanted = self.acknowledged + count
        while self.acknowledged < wanted:
            time.sleep(0.01)

    def is_of_one_moment(self, ids: Collection[str]) -> bool:
        """Tell whether there was a moment at which exactly these reports could be stored.

        Each of them was begun before it, and each of the others was acknowledged after it.
        """
        begun = [self.sent[id].begun for id in ids]
        heard = [sent.heard for id, sent in self.sent.items() if sent.heard and id not in ids]
        return not begun or not heard or max(begun) < min(heard)

    def estimates(self, ids: Collection[str]) -> list[Row]:
        """Return the estimates from what these devices sent, without the server."""
        answers = [self.sent[id].answers for id in ids]
        tallies = {
            question.id: Tally.of_reports(
                question.mechanism, [values[question.id] for values in answers]
            )
            for question in self.survey.questions
        }
        return estimate_table(self.survey, tallies)
