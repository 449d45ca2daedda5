"""Everything that was ever published of a survey, and which figures may be published next.

Kept are the counts of reports by group, by the total that first counted them and by the publication
of their group that first counted them: a few dozen integers, without a time or an order. Readers
keep every figure and may combine them with any coefficients, so the new figures are those that
leave no combination of fewer than the minimum (`crowd.isolates`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from server.surveys.crowd import Parts, edges_of, isolates
from server.surveys.disclosure import MINIMUM, Sizes

# The group, and the numbers of the total and of the publication of the group that first counted
# them; None where none does.
Cell = tuple[str, int | None, int | None]
# Up to this many groups, each is tried when one has to go. Of more, the smallest go, ever more of
# them at once, because somebody waits for a report to be stored.
MOST_TRIED = 16


@dataclass(frozen=True)
class History:
    """How many reports there are of each cell."""

    cells: Mapping[Cell, int]

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, int | None, int | None, int]]) -> "History":
        return cls({(group, total, block): count for group, total, block, count in rows})

    @property
    def rows(self) -> list[tuple[str, int | None, int | None, int]]:
        return [(*cell, count) for cell, count in self.cells.items() if count]

    @cached_property
    def parts(self) -> Parts:
        """The reports by what published figures tell apart."""
        found: dict[tuple[int | None, tuple[str, int] | None], int] = {}
        for (group, total, block), count in self.cells.items():
            place = (total, None if block is None else (group, block))
            found[place] = found.get(place, 0) + count
        return found

    @property
    def sizes(self) -> Sizes:
        """The reports of each group."""
        return self._counted(lambda cell: True)

    @property
    def shown(self) -> Sizes:
        """The reports of each group that its newest figure counts."""
        return self._counted(lambda cell: cell[2] is not None)

    @property
    def waiting(self) -> Sizes:
        """The reports of each group that no total counts."""
        return self._counted(lambda cell: cell[1] is None)

    @property
    def total(self) -> int:
        """The reports that the newest total counts."""
        return sum(count for (_, total, _), count in self.cells.items() if total is not None)

    def _counted(self, is_counted: Callable[[Cell], bool]) -> dict[str, int]:
        found: dict[str, int] = {}
        for cell, count in self.cells.items():
            found[cell[0]] = found.get(cell[0], 0) + (count if is_counted(cell) else 0)
        return found

    def arrived(self, sizes: Sizes) -> "History":
        """Return the history with the reports that came since, given how many there are now."""
        before = self.sizes
        new: dict[Cell, int] = {
            (name, None, None): size - before.get(name, 0) + self.cells.get((name, None, None), 0)
            for name, size in sizes.items()
        }
        return History({**self.cells, **new})

    def published(
        self, groups: Collection[str], renews_total: bool, held: Collection[str] = ()
    ) -> "History":
        """Return the history after these groups are shown, and a total without those held."""
        next_total = 1 + max((total for _, total, _ in self.cells if total is not None), default=-1)
        next_block = 1 + max((block for *_, block in self.cells if block is not None), default=-1)
        after: dict[Cell, int] = {}
        for (group, total, block), count in self.cells.items():
            if total is None and renews_total and group not in held:
                total = next_total
            if block is None and group in groups:
                block = next_block
            after[group, total, block] = after.get((group, total, block), 0) + count
        return History(after)

    def without_hidden_names(self) -> "History":
        """Return the history that names no group which was never shown."""
        after: dict[Cell, int] = {}
        for (group, total, block), count in self.cells.items():
            cell = ("" if block is None else group, total, block)
            after[cell] = after.get(cell, 0) + count
        return History(after)


@dataclass(frozen=True)
class Figures:
    """What is published next: a total without those held, and new figures of some groups."""

    groups: frozenset[str]
    renews_total: bool
    held: frozenset[str]
    history: History


def next_figures(before: History, candidates: Collection[str]) -> Figures | None:
    """Return the new figures with the most groups; None if nothing may be published now.

    Strays are the reports without a group and those of groups below the minimum. The new ones may
    be left out of the total, so that they cost no group its figure; or the total stays as it was.
    """
    strays = frozenset(n for n, size in before.sizes.items() if not n or size < MINIMUM)
    found: Figures | None = None
    for renews_total, held in ((True, frozenset[str]()), (True, strays), (False, frozenset[str]())):
        figures = _most_groups(before, candidates, renews_total, held)
        if figures and (found is None or len(figures.groups) > len(found.groups)):
            found = figures
    return found


def _most_groups(
    before: History, candidates: Collection[str], renews_total: bool, held: frozenset[str]
) -> Figures | None:
    """Drop groups until no combination isolates too few; return None if none of this is new."""
    sizes, shown = before.sizes, before.shown
    smallest_first = sorted(
        (n for n in candidates if n not in held and sizes[n] - shown[n] >= MINIMUM),
        key=lambda name: (sizes[name], name),
    )

    def after(names: Collection[str]) -> History:
        return before.published(names, renews_total, held)

    def is_safe(names: Collection[str]) -> bool:
        return not isolates(edges_of(after(names).parts), MINIMUM)

    dropped = 1
    while not is_safe(smallest_first):
        if not smallest_first:
            return None
        if len(smallest_first) > MOST_TRIED:
            smallest_first, dropped = smallest_first[dropped:], 2 * dropped
            continue
        rest = ([n for n in smallest_first if n != name] for name in smallest_first)
        smallest_first = next(filter(is_safe, rest), smallest_first[1:])
    history = after(smallest_first)
    if not smallest_first and history.total == before.total:
        return None
    return Figures(frozenset(smallest_first), renews_total, held, history)
