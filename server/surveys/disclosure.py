"""Who may see which results, and when: results never reveal a small number of reports.

The public sees snapshots, at 50, 100, 200, 500, 1,000, ... reports. Somebody who compares results
from before and after a report could see that report being counted. So every snapshot has at least
MINIMUM reports, and at least MINIMUM more than the one before. Little is lost: at epsilon 1, fifty
reports determine a share only to within 30 points.

No combination of all figures that were ever public involves fewer than MINIMUM reports, groups
included (`history`). If each person is asked only some of the questions, this applies to the people
who were asked each question.

Researchers see and export the live tallies; those of a survey by invitation only once it is closed
(`Published.is_readable`). Live tallies tell no groups apart: the difference of two would tell a
single report's group. Closing tells them apart once, if they have LEAST_IN_GROUP reports, and as
many people who were asked each question that was asked at all. Reports without a group and of
smaller groups are counted together, or held back if they are too few as well (`strays`). When
reports are deleted, the totals that the public could have seen may stay.
"""

from collections.abc import Mapping, Sequence

from client.core.survey import Survey
from estimators import least_shown
from estimators.counting.tally import Tally

MINIMUM = least_shown.PUBLIC
_STEPS = (1, 2, 5, 10)
# Smaller groups could nearly be traced to people: they are not made or shown.
LEAST_IN_GROUP = least_shown.IN_GROUP
# The number of reports by group; '' stands for links without a group.
Sizes = Mapping[str, int]
# By question that only some people are asked, how many of each group were asked it.
Asked = Mapping[str, Sizes]
# By question the counts of its cells.
Counts = Mapping[str, Sequence[int]]


def next_milestone(n: int) -> int:
    """Return the first milestone far enough from a snapshot of n reports."""
    least = max(n + MINIMUM, MINIMUM)
    power = int(10 ** (len(str(least)) - 1))
    return next(step * power for step in _STEPS if step * power >= least)


def is_milestone(n: int) -> bool:
    return next_milestone(n - MINIMUM) == n


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


def asked(survey: Survey, counts: Counts) -> dict[str, int]:
    """Return how many people were asked each question."""
    return {id: tally.n for id, tally in tallies_of(survey, counts).items()}


def asked_by_group(survey: Survey, counts: Mapping[str, Counts]) -> Asked:
    """Return how many of each group were asked each question; nothing if everybody is asked all."""
    if not survey.ask_each_person:
        return {}
    found = {name: asked(survey, of_group) for name, of_group in counts.items()}
    return {
        question.id: {name: by_question[question.id] for name, by_question in found.items()}
        for question in survey.questions
    }


def few_asked(survey: Survey, counts: Counts) -> set[str]:
    """List the questions that some but too few people were asked."""
    return {id for id, n in asked(survey, counts).items() if 0 < n < MINIMUM}
