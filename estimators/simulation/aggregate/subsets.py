"""Draw sums of many uniform subsets item by item, without drawing persons.

A person who needs r of the R remaining items takes the next one with probability r / R, which makes
all sets equally likely. People who need the same number of the same items are alike.
"""

import numpy as np

from client.core.mechanisms import SubsetSelection
from client.core.primitives.words import WORD_RANGE
from estimators.simulation.kernels.source import Integers, Source
from estimators.simulation.people.truths import Chances, Law


def subset_sums(needing: Integers, items: int, source: Source) -> Integers:
    """Draw how many people take each item, if needing[..., r] people take r uniform items."""
    needing = needing.copy()
    left = np.arange(items, 0, -1)
    return np.stack([take(needing, R, source).sum(axis=-1) for R in left.tolist()], axis=-1)


def take(needing: Integers, left: int | Integers, source: Source) -> Integers:
    """Draw how many people take the next item; from then on they need one less."""
    needs = np.arange(needing.shape[-1])
    taking: Integers = source.binomial(needing, np.minimum(needs / left, 1.0))
    needing -= taking
    needing[..., :-1] += taking[..., 1:]
    return taking


def draw_subset_selection(
    mechanism: SubsetSelection, law: Law, n: int, source: Source
) -> tuple[Integers, Integers]:
    """Draw the counts of n people's true answers, and the tally of their reports.

    It goes option by option: who has this truth, and which of the others take it. As long as a
    person's own option is still to come it does not matter which it is. So one walk over k options
    with w + 1 states does the work of k walks, one for each truth.
    """
    options, size = mechanism.options, mechanism.size
    kept = int(source.binomial(n, mechanism.threshold / WORD_RANGE))
    # Three kinds of people, each by how many other options they need: the own option is still to
    # come and in the set, still to come and not in it, or already past.
    people = np.zeros((3, size + 1), dtype=np.int64)
    people[0, size - 1], people[1, size] = kept, n - kept
    answers = np.empty(options, dtype=np.int64)
    tally = np.empty(options, dtype=np.int64)
    for option, chance in enumerate(_hazards(law, options).tolist()):
        own = source.binomial(people[:2], chance)
        people[:2] -= own
        after = options - 1 - option
        # While the own option is still to come, there is one item less to choose from.
        others = take(people, np.array([[max(after, 1)], [max(after, 1)], [after + 1]]), source)
        answers[option] = own.sum()
        tally[option] = own[0].sum() + others.sum()
        people[2] += own.sum(axis=0)
    return answers, tally


def _hazards(law: Law, options: int) -> Chances:
    """Return the probability of each option among people who have none of those before it."""
    chances = np.zeros(options)
    chances[law.answers] = law.chances
    rest = np.cumsum(chances[::-1])[::-1]
    return np.divide(chances, rest, out=np.zeros(options), where=rest > 0)
