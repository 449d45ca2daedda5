"""Draw tallies of check-boxes without drawing persons: the distinct sets of ticks are enough."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from client.core.mechanisms import PrivateSet, SampledChecks
from client.core.primitives.words import WORD_RANGE
from estimators.simulation.aggregate.subsets import subset_sums
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.truths import Chances, Law, draw_counts


def draw_sampled_checks(
    mechanism: SampledChecks, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """Draw how many of n people tick each box, and the tally of their reports.

    Which boxes somebody is asked about does not depend on the ticks. If boxes are ticked
    independently, so are the answers about them, given how many people were asked about each.
    """
    people = draw_counts(n, law.chances, source)
    needing = np.zeros((len(people), mechanism.asked + 1), dtype=np.int64)
    needing[:, -1] = people
    asked = subset_sums(needing, mechanism.options, source)
    distinct = len(law.answers)
    ticked = people[:distinct] @ law.answers
    asked_and_ticked = (asked[:distinct] * law.answers).sum(axis=0)
    if law.ticks is not None:
        free = source.binomial(asked[-1], law.ticks)
        asked_and_ticked += free
        ticked = ticked + free + source.binomial(people[-1] - asked[-1], law.ticks)
    everybody = asked.sum(axis=0)
    keep = mechanism.threshold / WORD_RANGE
    yes = source.binomial(asked_and_ticked, keep)
    yes += source.binomial(everybody - asked_and_ticked, 1 - keep)
    return ticked, np.stack([everybody - yes, yes], axis=1).ravel()


def draw_private_set(
    mechanism: PrivateSet, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """Draw the ticks of n people and the tally of their private sets.

    For each set, first how many of its items meet the padded answer, then which ones.
    """
    law = multiplied_out(law)
    people = draw_counts(n, law.chances, source)
    near = source.binomial(people, mechanism.threshold / WORD_RANGE)
    hits = source.multinomial(near, _hit_chances(mechanism))
    most = hits.shape[1]
    inside = np.zeros((len(people), most + 1), dtype=np.int64)
    inside[:, 1:] = hits
    outside = np.zeros((len(people), mechanism.size + 1), dtype=np.int64)
    outside[:, mechanism.size - np.arange(1, most + 1)] = hits
    outside[:, mechanism.size] = people - near
    chosen = np.hstack(
        [
            subset_sums(inside, mechanism.at_most, source),
            subset_sums(outside, mechanism.options, source),
        ]
    )
    tally = np.zeros(mechanism.items, dtype=np.int64)
    np.add.at(tally, _inside_first(mechanism, law), chosen)
    return people @ law.answers, tally


def multiplied_out(law: Law) -> Law:
    """Return the same law with every set of independent ticks as a separate answer."""
    if law.ticks is None:
        return law
    free = np.array(list(product([False, True], repeat=len(law.ticks))))
    chances = np.where(free, law.ticks, 1 - law.ticks).prod(axis=1)
    return Law(
        np.concatenate([law.answers, free]),
        np.concatenate([law.chances[:-1], law.chances[-1] * chances]),
    )


def _hit_chances(mechanism: PrivateSet) -> Chances:
    """Return how likely a near set shares 1, 2, .. items with the padded answer.

    A hypergeometric distribution without its zero, exact until it is rounded here.
    """
    items, size = mechanism.at_most, mechanism.size
    weights = [
        comb(items, hits) * comb(mechanism.options, size - hits)
        for hits in range(1, min(items, size) + 1)
    ]
    return np.array([float(Fraction(weight, sum(weights))) for weight in weights])


def _inside_first(mechanism: PrivateSet, law: Law) -> Integers:
    """Return for every answer the items of the padded answer, then all others, each in order."""
    blanks = mechanism.at_most - law.answers.sum(axis=1, keepdims=True)
    padded = np.hstack([law.answers, np.arange(mechanism.at_most) < blanks])
    return np.argsort(~padded, axis=1, kind="stable")
