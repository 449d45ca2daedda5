"""The epsilon that a browser really delivers: the page's own modules draw, and reports are counted.

A mechanism that is exactly epsilon is estimated above it as often as below. So an interval decides,
with a confidence of 1 - FALSE_ALARM for a whole browser: it must prove no leak above epsilon, and
it must prove at least 0.97 epsilon. How often every single report comes is compared with its exact
chance, too.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from scipy.stats import chisquare

from estimators.shares.intervals import clopper_pearson
from tests.browser.one_script import without_start
from tests.support.exact_channel import Channel
from tests.torture.privacy.browsers import CHROMIUM, FIREFOX, Browser
from tests.torture.privacy.every_input import ASKED, TRUTHS, Asked
from tests.torture.row import Outcome, Progress, Row

BROWSERS = (CHROMIUM, FIREFOX)
# The chance that a browser without a fault is accused.
FALSE_ALARM = 1e-6
# Two limits for every pair of answers, and one comparison for every answer.
_PARTS = len(ASKED) * (2 * len(TRUTHS) * (len(TRUTHS) - 1) + len(TRUTHS))
LEAST = 0.97


@dataclass(frozen=True)
class Leak:
    """How much likelier one answer makes the reports that speak most for it than another does."""

    low: float
    estimate: float
    high: float


@dataclass(frozen=True)
class Measured:
    """What the counts of one question say."""

    asked: Asked
    tallies: Mapping[str, Counter[str]]

    @property
    def leak(self) -> Leak:
        """The leak between the first and the last answer, chosen before anything was counted."""
        first, *_, last = self.asked.channels
        return self.leak_between(last, first)

    def leak_between(self, answer: str, other: str) -> Leak:
        """Return by how much the reports that speak most for one answer tell it from another."""
        event = most_telling(self.asked.channels[answer], self.asked.channels[other])
        hits, runs = self._hits(event, answer)
        hits_of_other, runs_of_other = self._hits(event, other)
        own = clopper_pearson(hits, runs, 1 - FALSE_ALARM / _PARTS)
        others = clopper_pearson(hits_of_other, runs_of_other, 1 - FALSE_ALARM / _PARTS)
        return Leak(
            _log(own.low, others.high),
            _log(hits / runs, hits_of_other / runs_of_other),
            _log(own.high, others.low),
        )

    def faults(self, least: float) -> Iterator[str]:
        """Say what the counts prove to be wrong."""
        name, epsilon = self.asked.name, self.asked.epsilon
        for answer, tally in self.tallies.items():
            if not fits(tally, self.asked.channels[answer]):
                yield f"{name}: the reports of {answer} do not fit their channel"
        for answer, other in permutations(self.asked.channels, 2):
            low = self.leak_between(answer, other).low
            if low > epsilon:
                yield f"{name}: {answer} leaks at least {low:.4f} against {other}"
        if self.leak.low < least * epsilon:
            yield f"{name}: only {self.leak.low:.4f} of {epsilon} is proven"

    def _hits(self, event: set[str], answer: str) -> tuple[int, int]:
        tally = self.tallies[answer]
        return sum(tally[report] for report in event), tally.total()


def most_telling(channel: Channel, other: Channel) -> set[str]:
    """Return the reports whose chances differ most between two answers."""
    ratios = {report: chance / other[report] for report, chance in channel.items()}
    return {report for report, ratio in ratios.items() if ratio == max(ratios.values())}


def fits(tally: Counter[str], channel: Channel) -> bool:
    """Return whether reports come as often as they must, and no other ones come."""
    if not tally.keys() <= channel.keys():
        return False
    expected = [float(chance) * tally.total() for chance in channel.values()]
    seen = [tally[report] for report in channel]
    return bool(chisquare(seen, expected).pvalue > FALSE_ALARM / _PARTS)


def _log(chance: float, other: float) -> float:
    if not other:
        return math.inf
    return math.log(chance / other) if chance else -math.inf


def measure(counts: Sequence[Mapping[str, int]]) -> list[Measured]:
    """Return what the counts of the three people say about every question."""
    return [Measured(asked, asked.tally(counts)) for asked in ASKED]


def faults(counts: Sequence[Mapping[str, int]], least: float = LEAST) -> list[str]:
    return [fault for measured in measure(counts) for fault in measured.faults(least)]


def _in_words(version: str, counts: Sequence[Mapping[str, int]]) -> str:
    """Return the estimates of a browser and how far their intervals reach, as parts of epsilon."""
    leaks = [(measured.leak, measured.asked.epsilon) for measured in measure(counts)]
    low, high = min(leak.low / e for leak, e in leaks), max(leak.high / e for leak, e in leaks)
    estimates = [leak.estimate / epsilon for leak, epsilon in leaks]
    return (
        f"{version}: {min(estimates):.4f} to {max(estimates):.4f} epsilon, "
        f"intervals within {low:.4f} and {high:.4f}"
    )


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Draw so many reports for each answer, in every browser that is here.

    The browsers draw from their own generators, so no seed repeats a run.
    """
    here = [browser for browser in BROWSERS if browser.find() is not None]
    found = [f"there is no {browser.name} here" for browser in BROWSERS if browser not in here]
    figures = []
    for browser in here:
        counts = _count(browser, amount, progress, len(here))
        figures.append(_in_words(browser.version(), counts))
        found += [f"{browser.name}, {fault}" for fault in faults(counts)]
    figure = f"{amount:,} draws per answer; {'; '.join(figures)}"
    return Outcome(figure, not found, found[0] if found else "")


def _count(browser: Browser, amount: int, progress: Progress, browsers: int) -> list[Counter[str]]:
    return browser.count(
        without_start(), amount, lambda people: progress.advance(people // browsers)
    )


ROW = Row(
    "epsilon",
    f"the page's own modules draw reports for several answers to {len(ASKED) - 1} questions with "
    "all mechanisms in real browsers; the logarithm of how much likelier one answer makes a report "
    "than another, with exact intervals of a joint confidence of 1 - 10^-6",
    "no leak above epsilon proven, at least 0.97 epsilon proven, every report as often as it must",
    10_000_000,
    "draws per answer",
    run,
)
