"""The exact channel of a shipped sampler: its own code, walked over every outcome of its draws.

`Walk` replaces the words. A model word stands for all 2^32 words until the sampler looks at it:
comparing it with a coin's threshold or taking its remainder forks the walk, with the exact number
of words on each side. Nothing here knows how a mechanism works.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

from client.core.mechanisms import PrivateSet, TwoLevel
from client.core.primitives.domain import Checks, Choice, Domain
from client.core.primitives.words import WORD_RANGE

Channel = dict[str, Fraction]


class Restarted(Exception):
    """The sampler threw its draws away and began again: the path adds nothing new."""


class Walk:
    """One path: the given choices first, then the first possible one at every new fork."""

    def __init__(self, choices: list[int], coins: set[int], most_words: int | None) -> None:
        self.choices = choices
        self.coins = coins
        self.most_words = most_words
        self.words = 0
        self.weights: list[list[int]] = []
        self.heads: list[bool] = []

    def word(self) -> Any:
        self.words += 1
        if self.most_words is not None and self.words > self.most_words:
            raise Restarted
        return ModelWord(self)

    def choose(self, weights: list[int]) -> int:
        position = len(self.weights)
        if position == len(self.choices):
            self.choices.append(next(i for i, weight in enumerate(weights) if weight))
        self.weights.append(weights)
        return self.choices[position]

    @property
    def probability(self) -> Fraction:
        product = Fraction(1)
        for choice, weights in zip(self.choices, self.weights, strict=True):
            product *= Fraction(weights[choice], sum(weights))
        return product

    def following(self) -> list[int] | None:
        """Return the choices of the next path in order, or None after the last."""
        for position in reversed(range(len(self.weights))):
            weights = self.weights[position]
            for choice in range(self.choices[position] + 1, len(weights)):
                if weights[choice]:
                    return [*self.choices[:position], choice]
        return None


class ModelWord:
    """All words that agree with what the sampler has seen so far."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.limit = WORD_RANGE

    def __lt__(self, bound: int) -> bool:
        if bound not in self.walk.coins:
            # A word at or above this is drawn again, so all others are below it.
            self.limit = bound
            return True
        self.walk.heads.append(self.walk.choose([bound, WORD_RANGE - bound]) == 0)
        return self.walk.heads[-1]

    def __mod__(self, modulus: int) -> int:
        weights = [len(range(rest, self.limit, modulus)) for rest in range(modulus)]
        return self.walk.choose(weights)


def paths(sample: Callable[[Walk], Any], coins: set[int], most_words: int | None) -> Iterator[Any]:
    """Yield (report, heads and tails, probability) of every path; None is a restart's report."""
    choices: list[int] | None = []
    while choices is not None:
        walk = Walk(choices, coins, most_words)
        try:
            report = json.dumps(sample(walk))
        except Restarted:
            report = None
        yield report, tuple(walk.heads), walk.probability
        choices = walk.following()


def exact_channel(
    sample: Callable[[Walk], Any], coins: Iterable[int], most_words: int | None = None
) -> Channel:
    """Return P(report) for every report, as JSON text.

    Paths that begin again leave their weight to those with the same coins that do not, as endless
    repetition would.
    """
    reports: Counter[tuple[str, tuple[bool, ...]]] = Counter()
    finished: Counter[tuple[bool, ...]] = Counter()
    whole: Counter[tuple[bool, ...]] = Counter()
    for report, heads, probability in paths(sample, set(coins), most_words):
        whole[heads] += probability
        if report is not None:
            finished[heads] += probability
            reports[report, heads] += probability
    channel: Channel = {}
    for (report, heads), weight in reports.items():
        part = Fraction(weight) * whole[heads] / finished[heads]
        channel[report] = channel.get(report, Fraction(0)) + part
    return channel


def channel_of(mechanism: TwoLevel, answer: Any, sampler: Any = None) -> Channel:
    """Return the channel of a mechanism's shipped sampler, or of another with the same integers."""
    sample = sampler or mechanism.randomize
    # Only private sets begin again, after the coin and one whole set.
    most_words = 1 + mechanism.size if isinstance(mechanism, PrivateSet) else None
    return exact_channel(lambda walk: sample(answer, walk), [mechanism.threshold], most_words)


def answers_of(domain: Domain) -> list[Any]:
    """Return every possible answer."""
    if isinstance(domain, Choice):
        return list(range(domain.options))
    if isinstance(domain, Checks):
        sizes = range(domain.at_most + 1)
        return [list(x) for size in sizes for x in combinations(range(domain.options), size)]
    return list(range(domain.count))


def largest_ratio(channels: list[Channel]) -> Fraction:
    """Return the largest P(y | x) / P(y | x') over all reports and pairs of answers."""
    reports = set().union(*channels)
    assert all(report in channel for channel in channels for report in reports)
    return max(
        max(channel[report] for channel in channels) / min(channel[report] for channel in channels)
        for report in reports
    )


def at_most_exp(ratio: Fraction, epsilon: Decimal) -> bool:
    """Return whether ratio <= e^epsilon, with sixty digits to spare."""
    with localcontext() as context:
        context.prec = 120
        return ratio.numerator <= epsilon.exp() * ratio.denominator
