"""What a respondent's device does, for synthetic respondents to the test of a draft.

Only the answers are made up. The ticket, what it asks, the one draw of secure words and the way
to the server are those of a real device, and so is patience: while no answer comes, the same
bytes are sent again.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from client.asking import draw_asking
from client.refusal import Refusal
from client.respond import respond
from client.survey import Survey
from client.transport import PASSING, SurveyLink
from client.words import SecureWords, secure_hex

T = TypeVar("T")

# Seconds before the same is tried again: a server has half a minute to come back.
PAUSES = (0.1, 0.2, 0.5, 1, 2, 4, 8, 16)


class Unheard(Refusal):
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
