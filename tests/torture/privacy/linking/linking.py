"""Whether anybody can join a link to its report without a clock: no better than by lot.

A guess by lot joins one pair in the mean, however many there are: the number of the right ones is
that of the fixed points of a shuffle, which is Poisson's. The worlds are independent, so one way's
right guesses in all of them together are Poisson's, too. Three controls break the protocol, and
there the same ways must find everybody.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from scipy.stats import poisson

from client.core.primitives.words import SecureWords
from client.core.tickets.ticket import Blinding, blind_with
from tests.support.tickets import Device
from tests.torture.privacy.linking.attempts import ATTEMPTS, SHORT_BITS
from tests.torture.privacy.linking.world import Habit, played
from tests.torture.row import Outcome, Progress, Row, Silent

WORLDS = 4
HONEST, SILENT = Habit(), Silent()
_NONCE_WORDS, _NUMBER_WORDS = 8, 64
# The chance that one of the ways is accused though all of them only guess.
FALSE_ALARM = 1e-9
# A control needs no more people than that.
_OF_CONTROL = 60


class _ShortWords:
    """Secure words for the nonce; r is odd and has 13 bits."""

    def __init__(self) -> None:
        self._drawn = 0

    def word(self) -> int:
        self._drawn += 1
        word = SecureWords().word()
        if self._drawn <= _NONCE_WORDS:
            return word
        is_last = (self._drawn - _NONCE_WORDS) % _NUMBER_WORDS == 0
        return word % 2**SHORT_BITS | 1 if is_last else 0


class WithShortR(Device):
    """A device with a bad source for r."""

    @cached_property
    def blinding(self) -> Blinding:
        return blind_with(_ShortWords(), self.key, self.survey.fingerprint, self.group)


# What must be found, and by which way.
CONTROLS = {
    "the link travels with the report": (
        Habit(beside=lambda device: device.invitation),
        "a common text",
    ),
    "r has 13 bits": (Habit(WithShortR), "a short r"),
    "everybody has a key": (Habit(own_documents=True), "a common text"),
}


@dataclass(frozen=True)
class Joined:
    """How many links each way joined to their reports, in all worlds together."""

    people: int
    worlds: int
    right: Counter[str]

    @property
    def mean(self) -> float:
        """The right ones of one attempt."""
        return self.right.total() / (self.worlds * len(self.right))

    @property
    def accused(self) -> list[str]:
        """The ways that did more than guess."""
        most = poisson.isf(FALSE_ALARM / len(self.right), self.worlds)
        return [name for name, count in self.right.items() if count > most]


def join(
    people: int,
    worlds: int,
    seed: int,
    habit: Habit = HONEST,
    ways: Iterable[str] = ATTEMPTS,
    progress: Progress = SILENT,
) -> Joined:
    """Play so many worlds, and try these ways of joining in each."""
    right = Counter(dict.fromkeys(ways, 0))
    for number in range(worlds):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "data"
            world = played(people, habit, seed + number, folder, progress)
        for way in right:
            right[way] += world.right(ATTEMPTS[way](world, Random(seed + number)))
    return Joined(people, worlds, right)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Try 40 times to join the people of a world, and then those whom the controls give away."""
    people = amount // WORLDS
    honest = join(people, WORLDS, seed, progress=progress)
    few = min(people, _OF_CONTROL)
    found = {
        name: join(few, 1, seed, habit, [way]).right[way] for name, (habit, way) in CONTROLS.items()
    }
    missed = [name for name, count in found.items() if count < few]
    reasons = [f"{name} joins people" for name in honest.accused]
    reasons += [f"not everybody was found though {name}" for name in missed]
    figure = (
        f"{WORLDS * len(ATTEMPTS)} attempts at {people:,} people: {honest.mean:.2f} right in the "
        f"mean, chance 1; {len(CONTROLS) - len(missed)} of {len(CONTROLS)} controls found "
        f"everybody ({few} people)"
    )
    return Outcome(figure, not reasons, "; ".join(reasons))


ROW = Row(
    "linking",
    "an operator with all messages, the keys with their factors and the database, but no clock, "
    "joins 1,000 personal links and reports in ten ways, four times; then three controls that "
    "break the protocol",
    "no better than by lot; every control finds everybody",
    WORLDS * 1_000,
    "people",
    run,
)
