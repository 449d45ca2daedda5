"""Who may see which results, and when: results never reveal a small number of reports.

The public sees snapshots, at 50, 100, 200, 500, 1,000, ... reports. Somebody who compares results
from before and after a report could see that report being counted. So every snapshot has at least
MINIMUM reports, and at least MINIMUM more than the one before. Little is lost: at epsilon 1, fifty
reports determine a share only to within 30 points.

Researchers see and export the live tallies; those of a survey by invitation only once it is closed
(`Published.is_readable`). Neither a small group nor a small rest outside the groups is shown: the
public's minimum is MINIMUM, the researchers' LEAST_IN_GROUP. Closing merges smaller groups for
good. From one snapshot to the next, neither a group nor the rest changes by fewer than MINIMUM
reports.

If each person is asked only some of the questions, a question may have few reports. Then the public
sees no groups, and the minimum applies to the people who were asked each question. When reports are
deleted, the totals that the public could have seen may stay.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from client.core.survey import Survey
from estimators import least_shown
from estimators.counting.tally import Tally

MINIMUM = least_shown.PUBLIC
_STEPS = (1, 2, 5, 10)
LEAST_IN_GROUP = least_shown.IN_GROUP
# The number of reports by group; '' stands for links without a group.
Sizes = Mapping[str, int]
# By question the counts of its cells.
Counts = Mapping[str, Sequence[int]]


def next_milestone(n: int) -> int:
    """Return the first milestone far enough from a snapshot of n reports."""
    least = max(n + MINIMUM, MINIMUM)
    power = int(10 ** (len(str(least)) - 1))
    return next(step * power for step in _STEPS if step * power >= least)


def is_milestone(n: int) -> bool:
    return next_milestone(n - MINIMUM) == n


def groups_to_show(n: int, sizes: Sizes, shown: Sizes, last: Sizes) -> Sizes:
    """Choose the groups to show of n reports, each as it is now or as it was shown before.

    `last` are the sizes at the last snapshot, also of those groups that it did not show.
    """
    growth = {name: size - shown.get(name, 0) for name, size in sizes.items()}
    largest_first = sorted(growth, key=lambda name: (growth[name], name), reverse=True)
    renewed = [name for name in largest_first if growth[name] >= MINIMUM]

    def is_too_few() -> bool:
        rest = n - sum(shown.values()) - sum(growth[name] for name in renewed)
        came = sum(size - last.get(name, 0) for name, size in sizes.items() if name not in renewed)
        left = sum(last.get(name, 0) - shown.get(name, 0) for name in renewed)
        return 0 < rest < MINIMUM or 0 < came + left < MINIMUM

    # With none renewed, all new reports come to the rest, and they are a crowd.
    while renewed and is_too_few():
        renewed.pop()
    return {**shown, **{name: sizes[name] for name in renewed}}


def partition_groups(sizes: Sizes) -> Mapping[str, tuple[str, ...]]:
    """Return the groups that may be shown, each with the groups that are counted in it.

    Small groups are counted with the reports without a group. If these are then still too few, the
    smallest remaining groups join them, until they are enough or no group is left.
    """
    smallest_first = sorted((name for name in sizes if name), key=lambda name: (sizes[name], name))
    joined, without = [""], sizes.get("", 0)
    for name in smallest_first:
        if sizes[name] >= LEAST_IN_GROUP and not 0 < without < LEAST_IN_GROUP:
            break
        joined.append(name)
        without += sizes[name]
    return {"": tuple(joined)} | {name: (name,) for name in sorted(sizes.keys() - set(joined))}


def partition_sizes(sizes: Sizes) -> Sizes:
    """Return the number of reports of each group that may be shown."""
    members = partition_groups(sizes)
    return {name: sum(sizes.get(each, 0) for each in members[name]) for name in members}


def tallies_of(survey: Survey, counts: Counts) -> dict[str, Tally]:
    """Turn the counts of each question's cells into tallies, in the document's order."""
    return {
        # Each report adds to as many cells as the mechanism has marks; so n is known from them,
        # also where only some people are asked a question.
        question.id: Tally(
            tuple(counts[question.id]), sum(counts[question.id]) // question.mechanism.marks
        )
        for question in survey.questions
    }


def few_asked(survey: Survey, everybody: Counts, groups: Iterable[Counts] = ()) -> set[str]:
    """List the questions that some but too few people were asked, in or outside the groups."""
    total = _asked(survey, everybody)
    by_group = [_asked(survey, counts) for counts in groups]
    found = set()
    for id, n in total.items():
        parts = [asked[id] for asked in by_group]
        if any(0 < part < MINIMUM for part in [*parts, n - sum(parts)]):
            found.add(id)
    return found


def few_since(survey: Survey, shown: Counts, now: Counts) -> set[str]:
    """List the questions that too few people were asked since these counts were shown."""
    before = _asked(survey, shown)
    return {
        id
        for id, n in _asked(survey, now).items()
        if before[id] >= MINIMUM and 0 < n - before[id] < MINIMUM
    }


def without(questions: Collection[str], counts: Counts) -> Counts:
    """Return the counts with zeros for these questions."""
    return {id: [0] * len(cells) if id in questions else cells for id, cells in counts.items()}


def _asked(survey: Survey, counts: Counts) -> dict[str, int]:
    return {id: tally.n for id, tally in tallies_of(survey, counts).items()}
