"""Where everybody is asked only some of the questions, a crowd may hold few who were asked one."""

from collections.abc import Collection, Iterable

from client.core.survey import Survey
from server.store.disclosure.milestones import MINIMUM
from server.store.reading import Counts, tallies_of


def few_asked(survey: Survey, everybody: Counts, groups: Iterable[Counts] = ()) -> set[str]:
    """The questions that some but too few people were asked: in a group, or beside all of them."""
    total = _asked(survey, everybody)
    by_group = [_asked(survey, counts) for counts in groups]
    found = set()
    for id, n in total.items():
        parts = [asked[id] for asked in by_group]
        if any(0 < part < MINIMUM for part in [*parts, n - sum(parts)]):
            found.add(id)
    return found


def few_since(survey: Survey, shown: Counts, now: Counts) -> set[str]:
    """The questions that too few people were asked since they were shown like this."""
    before = _asked(survey, shown)
    return {
        id
        for id, n in _asked(survey, now).items()
        if before[id] >= MINIMUM and 0 < n - before[id] < MINIMUM
    }


def without(questions: Collection[str], counts: Counts) -> Counts:
    """The same counts, with nothing about these questions."""
    return {id: [0] * len(cells) if id in questions else cells for id, cells in counts.items()}


def _asked(survey: Survey, counts: Counts) -> dict[str, int]:
    return {id: tally.n for id, tally in tallies_of(survey, counts).items()}
