"""Mutated documents: each is refused by its code, or is sound in the eyes of an oracle."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from client.core.document import read_document
from client.core.primitives.refusal import Refusal
from tests.torture.bad_input.attempts import Trial, attempt
from tests.torture.bad_input.mutation import spoil_json
from tests.torture.bad_input.oracles.document import check_document
from tests.torture.bad_input.verdicts import ACCEPTED, check_refusal, counted, outcome
from tests.torture.row import Outcome, Progress, Row
from tests.vectors.generate import read

_FILES = ("documents", "texts", "groups", "completions", "orders")
_SHORT = 1500


class Documents:
    """Draws changed documents and asks the client about them."""

    def __init__(self) -> None:
        vectors = [vector for name in _FILES for vector in read(f"{name}.jsonl")]
        good: list[str] = [vector["text"] for vector in vectors if "fingerprint" in vector]
        self._short = [text for text in good if len(text) < _SHORT]
        self._long = [text for text in good if _SHORT <= len(text) < 2 * _SHORT]

    def draw(self, dice: random.Random) -> bytes:
        text = dice.choice(self._long if dice.random() < 0.05 else self._short)
        return spoil_json(text, dice)

    def judge(self, given: bytes) -> str:
        try:
            survey = read_document(given)
        except Refusal as refusal:
            check_refusal(refusal)
            return refusal.code
        check_document(given)
        assert survey.document == given
        return ACCEPTED


@contextmanager
def documents() -> Iterator[Trial]:
    yield Documents()


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Try this many documents."""
    tally = attempt(documents, amount, seed, progress)
    return outcome(tally, counted(tally, "documents"))


ROW = Row(
    "documents",
    "survey documents after changes of bytes, tokens and values, read as every client reads them; "
    "an oracle of its own judges the accepted ones",
    "no error but a refusal, none accepted outside the schema, none over 1 s",
    1_000_000,
    "documents",
    run,
)
