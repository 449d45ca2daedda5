"""Mutated documents: each is refused by its code, or is sound in the eyes of an oracle."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager

from client.core.document import read_document
from client.core.primitives.refusal import Refusal
from tests.torture.bad_input.attempts import Tally, Trial, attempt
from tests.torture.bad_input.document_oracle import check_document
from tests.torture.bad_input.mutation import PIECES, spoil_bytes, spoil_tokens, spoil_tree, write
from tests.torture.row import Outcome, Progress, Row
from tests.vectors.generate import read

ACCEPTED = "accepted"
LONGEST_SENTENCE = 1200
_FILES = ("documents", "texts", "groups", "completions", "orders")
_SHORT = 1500
_BYTES = [piece.encode("utf-8", errors="surrogatepass") for piece in PIECES]


class Documents:
    """Draws changed documents and asks the client about them."""

    def __init__(self) -> None:
        vectors = [vector for name in _FILES for vector in read(f"{name}.jsonl")]
        good: list[str] = [vector["text"] for vector in vectors if "fingerprint" in vector]
        self._short = [text for text in good if len(text) < _SHORT]
        self._long = [text for text in good if _SHORT <= len(text) < 2 * _SHORT]

    def draw(self, dice: random.Random) -> bytes:
        text = dice.choice(self._long if dice.random() < 0.05 else self._short)
        way = dice.random()
        if way < 0.7:
            tree = json.loads(text)
            for _ in range(dice.choice((0, 1, 1, 1, 2, 3))):
                tree = spoil_tree(tree, dice)
            return write(tree, dice)
        if way < 0.9:
            for _ in range(dice.choice((1, 1, 1, 2, 3))):
                text = spoil_tokens(text, dice)
            return text.encode("utf-8", errors="surrogatepass")
        return spoil_bytes(text.encode(), dice, _BYTES)

    def judge(self, given: bytes) -> str:
        try:
            survey = read_document(given)
        except Refusal as refusal:
            check_refusal(refusal)
            return refusal.code
        check_document(given)
        assert survey.document == given
        return ACCEPTED


def check_refusal(refusal: Refusal) -> None:
    """Fail unless the refusal is one printable sentence of a bounded length."""
    sentence = refusal.message
    assert sentence
    assert len(sentence) <= LONGEST_SENTENCE, len(sentence)
    assert "\n" not in sentence
    sentence.encode()


@contextmanager
def documents() -> Iterator[Trial]:
    yield Documents()


def counted(tally: Tally, what: str) -> str:
    """Return what came of all attempts in words."""
    accepted, wrong = tally.verdicts[ACCEPTED], len(tally.findings)
    refusals = len(tally.verdicts) - (ACCEPTED in tally.verdicts)
    refused = tally.count - accepted - tally.verdicts["wrong"]
    return (
        f"{tally.count:,} {what}: {accepted:,} accepted, {refused:,} refused for {refusals} "
        f"reasons, {wrong} wrong; slowest {tally.slowest:.2g} s"
    )


def outcome(tally: Tally, figure: str) -> Outcome:
    """Return the outcome: nothing may be wrong, and both verdicts must have been met."""
    if tally.findings:
        first = tally.findings[0].strip().splitlines()
        return Outcome(figure, False, " ".join(first[-2:])[:200].replace("|", "/"))
    both = 0 < tally.verdicts[ACCEPTED] < tally.count
    return Outcome(figure, both, "" if both else "one of the verdicts was never met")


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
