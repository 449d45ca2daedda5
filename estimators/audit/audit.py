"""Check that a sampler keeps its promise: exactly from its integers, and by counting (math 13)."""

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

# The chance that a correct sampler fails the audit, over all pairs of answers together.
FALSE_ALARM = 1e-6
MAX_RUNS = 10**8


@dataclass(frozen=True)
class Pair:
    """How often each of two answers led to the event "near `answer`, not near `other`"."""

    answer: Any
    other: Any
    hits: int
    hits_of_other: int
    runs: int
    false_alarm: float

    @property
    def epsilon_low(self) -> float:
        """A lower bound of the leak, with confidence 1 - false_alarm / 2 (math 13)."""
        return leak_bound(self.hits, self.hits_of_other, self.runs, self.false_alarm / 2)

    @property
    def epsilon_high(self) -> float:
        """An upper bound of how well reports distinguish the answers, at that confidence."""
        return -leak_bound(self.hits_of_other, self.hits, self.runs, self.false_alarm / 2)


@dataclass(frozen=True)
class Audit:
    """The verdict on one mechanism at the epsilon that respondents are shown."""

    epsilon: Decimal
    delivered_epsilon: float
    exact_passes: bool
    malformed: int
    pairs: tuple[Pair, ...]

    @property
    def epsilon_low(self) -> float:
        """The largest leak that the counts prove, at least 0."""
        return max(0.0, *(pair.epsilon_low for pair in self.pairs))

    @property
    def private(self) -> bool:
        """Whether no leak above epsilon is proven and the mechanism allows every report."""
        return self.epsilon_low <= self.epsilon and self.malformed == 0

    @property
    def useful(self) -> bool:
        """Whether every pair of answers may be as distinguishable as the estimators assume."""
        return all(pair.epsilon_high >= self.delivered_epsilon for pair in self.pairs)

    @property
    def empirical_passes(self) -> bool:
        return self.private and self.useful

    @property
    def passes(self) -> bool:
        return self.exact_passes and self.empirical_passes


def keeps_promise(mechanism: TwoLevel, epsilon: Decimal) -> bool:
    """Return whether T c <= e^eps a (2^32 - T) and near reports are not rarer (math 0.2).

    A report that consists of several draws spends an equal part of epsilon on each.
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
    """Check the integers, then count the reports that a sampler draws for some answers.

    The sampler is the mechanism's own `randomize` unless another one is given.
    """
    require(
        type(runs) is int and 1 <= runs <= MAX_RUNS, "bad_runs", "runs", most=MAX_RUNS, runs=runs
    )
    truths = audited_answers(mechanism) if answers is None else list(answers)
    pairs = list(permutations(range(len(truths)), 2))
    # hits[i, j, k]: reports of truth k in the event that distinguishes truth i from truth j.
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
    """Return a lower bound of the leak: ln(CPlow(k1, N; b/2) / CPup(k2, N; b/2)) (math 13)."""
    low = clopper_pearson(hits, runs, 1 - false_alarm).low
    if low == 0:
        return -math.inf
    return math.log(low / clopper_pearson(hits_of_other, runs, 1 - false_alarm).high)


def audited_answers(mechanism: TwoLevel) -> list[Any]:
    """Return both extreme answers, one between them and silence, fixed before counting."""
    domain = mechanism.domain
    if isinstance(domain, Checks):
        full = list(range(domain.options - domain.at_most, domain.options))
        return [[], full] if full == [0] else [[], [0], full]
    if isinstance(domain, Choice):
        last = domain.options - 1
        return sorted({0, last // 2, last})
    return sorted({0, domain.top // 2, domain.top, domain.count - 1})


def tells_apart(mechanism: TwoLevel, answer: Any, other: Any, report: Any) -> bool:
    """Return whether a report is near one answer in every draw and near the other in none.

    This is the event A(x) minus A(x').
    """
    near = mechanism.near_draws(answer, report)
    return near == mechanism.draws and mechanism.near_draws(other, report) == 0
