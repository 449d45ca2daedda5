"""Sums of many uniform subsets, drawn item by item without drawing persons.

A person who still needs r of the R items that are left takes the next one with the chance r / R:
that makes every set as likely as any other. People who need as many of as many are alike.
"""

import numpy as np

from client.core.mechanisms import SubsetSelection
from client.core.primitives.words import WORD_RANGE
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.truths import Chances, Law


def subset_sums(needing: Integers, items: int, source: Source) -> Integers:
    """How many people take each item, if needing[..., r] of them take a uniform set of r items."""
    needing = needing.copy()
    left = np.arange(items, 0, -1)
    return np.stack([take(needing, R, source).sum(axis=-1) for R in left.tolist()], axis=-1)


def take(needing: Integers, left: int | Integers, source: Source) -> Integers:
    """How many take the next of the items that are left; from then on they need one less."""
    needs = np.arange(needing.shape[-1])
    taking: Integers = source.binomial(needing, np.minimum(needs / left, 1.0))
    needing -= taking
    needing[..., :-1] += taking[..., 1:]
    return taking


def draw_subset_selection(
    mechanism: SubsetSelection, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """The true answers of n people, counted, and the tally of their reports.

    Option by option: who has this truth, and which of the others take it. As long as the own
    option is still to come it does not matter which it is, so a walk over k options with w + 1
    states does for all truths together what would else take k walks.
    """
    options, size = mechanism.options, mechanism.size
    kept = int(source.binomial(n, mechanism.threshold / WORD_RANGE))
    # Three kinds of people by how many others they need: the own option is still to come and in
    # the set, still to come and not in it, or has gone by.
    people = np.zeros((3, size + 1), dtype=np.int64)
    people[0, size - 1], people[1, size] = kept, n - kept
    answers = np.empty(options, dtype=np.int64)
    tally = np.empty(options, dtype=np.int64)
    for option, chance in enumerate(_hazards(law, options).tolist()):
        own = source.binomial(people[:2], chance)
        people[:2] -= own
        after = options - 1 - option
        # Whoever waits for the own option has one item less to choose from; the last waits no more.
        others = take(people, np.array([[max(after, 1)], [max(after, 1)], [after + 1]]), source)
        answers[option] = own.sum()
        tally[option] = own[0].sum() + others.sum()
        people[2] += own.sum(axis=0)
    return answers, tally


def _hazards(law: Law, options: int) -> Chances:
    """The chance of each option among the people who have none of those before it."""
    chances = np.zeros(options)
    chances[law.answers] = law.chances
    rest = np.cumsum(chances[::-1])[::-1]
    return np.divide(chances, rest, out=np.zeros(options), where=rest > 0)
