"""Any of d boxes: a report covers only `asked` of them, each by randomized response (math 3).

Asking about one box with the full epsilon is far better than asking about all of them with a d-th
of it each. The choice of boxes does not depend on the answer and costs no privacy; the device may
draw it or the ticket may assign it (math 11).
"""

from dataclasses import dataclass
from typing import ClassVar

from client.core.mechanisms.two_level import OneBit, index_bits
from client.core.primitives.domain import Checks, Domain, check_pair, check_set, check_shape
from client.core.primitives.words import Words, below, subset


@dataclass(frozen=True)
class SampledChecks(OneBit):
    """Answers are sorted lists of ticked boxes; reports are lists of pairs [box, bit]."""

    options: int
    asked: int

    name: ClassVar[str] = "smp"
    title: ClassVar[str] = "sampled boxes"

    def __post_init__(self) -> None:
        check_shape("asked", self.asked, 1, self.domain.options)

    @property
    def domain(self) -> Checks:
        return Checks(self.options, self.options)

    @property
    def draws(self) -> int:
        """Each asked box is a separate draw, so each gets an equal part of epsilon."""
        return self.asked

    @property
    def cells(self) -> int:
        return 2 * self.options

    @property
    def marks(self) -> int:
        return self.asked

    @property
    def longest(self) -> list[list[int]]:
        return [[box, 0] for box in range(self.options - self.asked, self.options)]

    @property
    def bits(self) -> int:
        return self.asked * (index_bits(self.options) + 1)

    def accepts(self, domain: Domain) -> bool:
        return isinstance(domain, Checks) and domain.options == self.options

    def draw_assignment(self, words: Words) -> list[int]:
        if self.asked == 1:
            return [below(words, self.options)]
        return subset(words, self.options, self.asked)

    def assignment_of(self, randomized: list[list[int]]) -> list[int]:
        return [box for box, _ in randomized]

    def randomize(self, answer: list[int], words: Words) -> list[list[int]]:
        return self.randomize_assigned(answer, words, self.draw_assignment(words))

    def randomize_assigned(
        self, answer: list[int], words: Words, assigned: list[int]
    ) -> list[list[int]]:
        ticked = set(answer)
        return [[box, self.flip(int(box in ticked), words)] for box in assigned]

    def check(self, randomized: object, field: str) -> None:
        pairs = randomized if isinstance(randomized, list) else []
        for pair in pairs:
            check_pair(pair, 0, self.options - 1, field)
        check_set([box for box, _ in pairs], self.options - 1, field, self.asked)

    def cells_of(self, randomized: list[list[int]]) -> list[int]:
        return [2 * box + bit for box, bit in randomized]

    def near_draws(self, answer: list[int], randomized: list[list[int]]) -> int:
        return sum(bit == int(box in answer) for box, bit in randomized)

    def noise(self, truth: float) -> float:
        """Return the noise of a box's share; asked / options of the reports cover it (math 3)."""
        asked = self.asked / self.options
        return (super().noise(truth) + (1 - asked) * truth * (1 - truth)) / asked
