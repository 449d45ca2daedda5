"""A mechanism that Candor does not ship, added through the registries: the truth or another.

It is what `docs/extending.md` asks of a new mechanism, all in one file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from client.core.mechanisms import MECHANISMS, Supporting
from client.core.mechanisms.two_level import index_bits
from client.core.primitives.domain import Choice, check_integer
from client.core.primitives.words import Words, below, bern
from client.wording.mechanisms import SENTENCES, Sentences
from estimators.mechanisms import ANALYSES
from estimators.mechanisms.analysis import ChoiceAnalysis, CovarianceRule
from estimators.paperwork.catalogue import METHODS
from estimators.shares.covariance import pair_noise, pairs_times
from estimators.shares.spread import Array
from estimators.simulation.aggregate.choices import circle_of_options
from estimators.simulation.aggregate.laws import AGGREGATES, Aggregate, on_circle
from estimators.simulation.kernels import KERNELS, draws
from estimators.simulation.kernels.draws import Narrow
from estimators.simulation.kernels.kernel import Kernel
from estimators.simulation.kernels.source import Source


@dataclass(frozen=True)
class Toy(Supporting):
    """Answers and reports are 0 .. options - 1."""

    options: int

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "truth or another"

    def __post_init__(self) -> None:
        _ = self.domain

    @property
    def domain(self) -> Choice:
        return Choice(self.options)

    @property
    def near(self) -> int:
        return 1

    @property
    def far(self) -> int:
        return self.options - 1

    @property
    def p(self) -> Fraction:
        return self.keep

    @property
    def q(self) -> Fraction:
        return (1 - self.keep) / (self.options - 1)

    @property
    def cells(self) -> int:
        return self.options

    @property
    def longest(self) -> int:
        return self.options - 1

    @property
    def bits(self) -> int:
        return index_bits(self.options)

    def randomize(self, answer: int, words: Words) -> int:
        keep = bern(words, self.threshold)
        other = below(words, self.options - 1)
        return answer if keep else other + (other >= answer)

    def check(self, randomized: object, field: str) -> None:
        check_integer(randomized, 0, self.options - 1, field)

    def cells_of(self, randomized: int) -> list[int]:
        return [randomized]

    def near_draws(self, answer: int, randomized: int) -> int:
        return int(randomized == answer)


@dataclass(frozen=True)
class ToyAnalysis(ChoiceAnalysis[Toy]):
    """A report supports the option that it names."""

    rule = "With probability T/2^32 the report is the truth, else one of the others of `options`."

    def supports(self, reports: Sequence[int]) -> Array:
        return np.eye(self.mechanism.options)[list(reports)]

    def count_supporting(self) -> int:
        return 1

    def _pair(self) -> tuple[float, float]:
        m = self.mechanism
        return pair_noise(m.options, 1, float(m.p), float(m.q))

    def noise_times(self, shares: Array, targets: Array) -> Array:
        p, q = float(self.mechanism.p), float(self.mechanism.q)
        return pairs_times(self._pair(), p, q, shares, targets)

    def far_from_both(self) -> int:
        return self.mechanism.options - 2

    def pair_rule(self) -> CovarianceRule:
        told, silent = self._pair()
        return {"told": told, "silent": silent, "rule": "N[u,v] as told."}


def toy_kernel(m: Toy) -> Kernel:
    narrow = np.min_scalar_type(m.cells - 1)

    def draw(answers: Narrow, source: Source) -> Narrow:
        keep = draws.coins(m.threshold, len(answers), source)
        other = draws.below(m.options - 1, len(answers), source).astype(narrow)
        other += other >= answers
        return draws.select(keep, answers.astype(narrow), other)

    return Kernel(m.cells, draw)


def add_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the mechanism to every registry until the test is over."""
    monkeypatch.setitem(MECHANISMS, Toy.name, Toy)
    monkeypatch.setitem(
        SENTENCES,
        Toy.name,
        Sentences(
            lambda m: f"One of {m.options} options.",
            lambda question, m: ("one", {"options": m.options}),
            lambda question, m, option, wording: question.options[option],
        ),
    )
    monkeypatch.setitem(ANALYSES, Toy.name, ToyAnalysis)
    monkeypatch.setitem(METHODS, Toy.name, "A toy was used.")
    monkeypatch.setitem(KERNELS, Toy.name, toy_kernel)
    drawn = Aggregate(on_circle(circle_of_options), lambda m, law: m.cells)
    monkeypatch.setitem(AGGREGATES, Toy.name, drawn)
