"""What a sample of synthetic respondents answered and reported: all that a study needs of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from client.simulate.source import Integers


@dataclass(frozen=True)
class Sample:
    """One question: the true answers counted per option, level or box, and the tally.

    Both are of the `n` respondents who were asked the question.
    """

    answers: Integers
    cells: Integers
    n: int

    def __add__(self, other: "Sample") -> "Sample":
        return Sample(self.answers + other.answers, self.cells + other.cells, self.n + other.n)


# One sample for every question of a survey, by its id.
SurveySample = Mapping[str, Sample]


def together(*samples: SurveySample) -> SurveySample:
    """The sample that these parts make up."""
    first, *others = samples
    for other in others:
        first = {id: sample + other[id] for id, sample in first.items()}
    return first
