"""Does a sampler keep its promise? Exactly from the integers, and by counting reports (math 13)."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import permutations
from typing import Any

from client.core.mechanisms import TwoLevel
from client.core.primitives.channel import PRECISION
from client.core.primitives.domain import Checks, Choice
from client.core.primitives.refusal import Refusal, require
from client.core.primitives.words import WORD_RANGE, Words
from estimators.shares.intervals import clopper_pearson

Sampler = Callable[[Any, Words], Any]

# A sampler that keeps its promise is blamed at most this often, over all pairs of answers.
FALSE_ALARM = 1e-6
MAX_RUNS = 10**8


@dataclass(frozen=True)
class Pair:
    """How often the event "near `answer`, not near `other`" came from each of the two truths."""

    answer: Any
    other: Any
    hits: int
    hits_of_other: int
    runs: int
    false_alarm: float

    @property
    def epsilon_low(self) -> float:
        """The leak is at least this, with confidence 1 - false_alarm / 2 (math 13)."""
        return leak_bound(self.hits, self.hits_of_other, self.runs, self.false_alarm / 2)

    @property
    def epsilon_high(self) -> float:
        """The reports tell these answers apart by no more than this, as surely."""
        return -leak_bound(self.hits_of_other, self.hits, self.runs, self.false_alarm / 2)


@dataclass(frozen=True)
class Audit:
    """The verdict on one mechanism at the epsilon that it is shown with."""

    epsilon: Decimal
    delivered_epsilon: float
    exact_passes: bool
    malformed: int
    pairs: tuple[Pair, ...]

    @property
    def epsilon_low(self) -> float:
        """The largest leak that the counts prove; none is below 0."""
        return max(0.0, *(pair.epsilon_low for pair in self.pairs))

    @property
    def private(self) -> bool:
        """No leak above epsilon is proven, and every report is one that the mechanism allows."""
        return self.epsilon_low <= self.epsilon and self.malformed == 0

    @property
    def useful(self) -> bool:
        """No pair of answers is proven to be told apart less than the estimators count on."""
        return all(pair.epsilon_high >= self.delivered_epsilon for pair in self.pairs)

    @property
    def empirical_passes(self) -> bool:
        return self.private and self.useful

    @property
    def passes(self) -> bool:
        return self.exact_passes and self.empirical_passes


def keeps_promise(mechanism: TwoLevel, epsilon: Decimal) -> bool:
    """T c <= e^eps a (2^32 - T), and the near set is not the rarer one: the theorem of math 0.2.

    A report of several draws has that much of epsilon for each.
    """
    T, near, far = mechanism.threshold, mechanism.near, mechanism.far  # noqa: N806
    with localcontext() as context:
        context.prec = PRECISION + len(str(near + far))
        odds = (epsilon / mechanism.draws).exp()
        leaks_no_more = T * far <= odds * near * (WORD_RANGE - T)
    return leaks_no_more and T * (near + far) >= WORD_RANGE * near


def audit(
    mechanism: TwoLevel,
    epsilon: Decimal,
    words: Words,
    runs: int,
    sampler: Sampler | None = None,
    answers: Sequence[Any] | None = None,
    on_run: Callable[[], object] = lambda: None,
) -> Audit:
    """Check the integers, then run a sampler (the shipped one unless told) on some answers."""
    require(
        type(runs) is int and 1 <= runs <= MAX_RUNS, "bad_runs", "runs", most=MAX_RUNS, runs=runs
    )
    truths = audited_answers(mechanism) if answers is None else list(answers)
    pairs = list(permutations(range(len(truths)), 2))
    # hits[i, j, k]: reports of truth k in the event that tells truth i from truth j.
    hits: Counter[tuple[int, int, int]] = Counter()
    malformed = 0
    for k, truth in enumerate(truths):
        for _ in range(runs):
            on_run()
            report = (sampler or mechanism.randomize)(truth, words)
            if not _is_well_formed(mechanism, report):
                malformed += 1
                continue
            hits.update(
                (i, j, k)
                for i, j in pairs
                if k in (i, j) and tells_apart(mechanism, truths[i], truths[j], report)
            )
    return Audit(
        epsilon=epsilon,
        delivered_epsilon=mechanism.delivered_epsilon,
        exact_passes=keeps_promise(mechanism, epsilon),
        malformed=malformed,
        pairs=tuple(
            Pair(truths[i], truths[j], hits[i, j, i], hits[i, j, j], runs, FALSE_ALARM / len(pairs))
            for i, j in pairs
        ),
    )


def _is_well_formed(mechanism: TwoLevel, report: Any) -> bool:
    try:
        mechanism.check(report, "report")
    except Refusal:
        return False
    return True


def leak_bound(hits: int, hits_of_other: int, runs: int, false_alarm: float) -> float:
    """ln(CPlow(k1, N; b/2) / CPup(k2, N; b/2)): the leak is at least this (math 13)."""
    low = clopper_pearson(hits, runs, 1 - false_alarm).low
    if low == 0:
        return -math.inf
    return math.log(low / clopper_pearson(hits_of_other, runs, 1 - false_alarm).high)


def audited_answers(mechanism: TwoLevel) -> list[Any]:
    """Both extremes and one answer between them, chosen before anything is counted."""
    domain = mechanism.domain
    if isinstance(domain, Checks):
        full = list(range(domain.options - domain.at_most, domain.options))
        return [[], full] if full == [0] else [[], [0], full]
    last = domain.options - 1 if isinstance(domain, Choice) else domain.top
    return sorted({0, last // 2, last})


def tells_apart(mechanism: TwoLevel, answer: Any, other: Any, report: Any) -> bool:
    """The event A(x) minus A(x'): near one answer in every draw, near the other in none."""
    near = mechanism.near_draws(answer, report)
    return near == mechanism.draws and mechanism.near_draws(other, report) == 0
