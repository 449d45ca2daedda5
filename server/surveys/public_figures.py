"""The newest public figures of a survey, and how they are renewed at a snapshot."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from client.core.survey import Survey
from server.surveys.disclosure import MINIMUM, Counts, Sizes, asked
from server.surveys.history import Figures, History, next_figures
from server.surveys.strays import stray_groups

# The history of all reports; that of a question that only some people are asked goes by its id.
ALL = ""
# By group and question the counts of the cells.
GroupCounts = dict[str, dict[str, list[int]]]


@dataclass(frozen=True)
class PublicFigures:
    """What the public sees, and what decides about the next figures: plain values, to be stored."""

    # How many reports there were at the newest snapshot, with those that are not counted.
    taken: int = 0
    # How many of them are not counted because they are strays, too few beside the groups.
    strays: int = 0
    # The newest total of each question, and the newest figures of each group that was shown.
    totals: dict[str, list[int]] = field(default_factory=dict)
    groups: GroupCounts = field(default_factory=dict)
    # What the totals count of groups whose later reports may be held back.
    counted: GroupCounts = field(default_factory=dict)
    histories: dict[str, list[Any]] = field(default_factory=dict)

    def history(self, key: str = ALL) -> History:
        return History.of_rows(self.histories.get(key, ()))

    @property
    def n(self) -> int:
        """The number of reports that the figures of everybody count."""
        history = self.history()
        return max(history.total, sum(history.shown.values()))

    @property
    def is_sum(self) -> bool:
        """Whether the figures of everybody are those of the groups, added up."""
        return self.n > self.history().total

    @property
    def sizes(self) -> Sizes:
        """The groups that are shown, with the number of their reports."""
        shown = self.history().shown
        return {name: shown[name] for name in sorted(self.groups)}

    def counts(self, question: str, groups: Collection[str] | None = None) -> list[int]:
        """Return the newest counts of everybody or of some groups; none if there are none.

        Where the total could not be renewed, the groups together count more. Readers can add them
        up themselves, so this tells nothing new, and neither do the figures of several groups.
        """
        names = self.groups if groups is None else groups
        found = (self.groups[name] for name in names)
        parts = [counts[question] for counts in found if question in counts]
        together = [sum(cells) for cells in zip(*parts, strict=True)]
        return max(self.totals.get(question, []) if groups is None else [], together, key=sum)

    def final(self, reports: int) -> "PublicFigures":
        """Return the figures without what only the next ones would need."""
        named = {key: self.history(key).without_hidden_names().rows for key in self.histories}
        return replace(self, taken=reports, counted={}, histories=named)


@dataclass(frozen=True)
class Stock:
    """The reports of a survey at the moment of a snapshot, by group."""

    survey: Survey
    reports: int
    sizes: Sizes
    counts: Mapping[str, Counts]
    # Groups of which nothing more may ever be counted.
    held: Collection[str] = ()
    # Whether groups may get new figures.
    tells_groups: bool = True

    def next(self, before: PublicFigures) -> PublicFigures | None:
        """Return the figures after the snapshot; None if nothing may be published now."""
        named = self.tells_groups and len(self.sizes) > 1
        chosen = self._choose(before.history(), self.sizes, self.sizes if named else ())
        if chosen is None:
            return None
        after = PublicFigures(
            self.reports,
            self._strays(chosen),
            dict(before.totals),
            {name: dict(counts) for name, counts in before.groups.items()},
            {name: dict(counts) for name, counts in before.counted.items()},
            {ALL: chosen.history.rows},
        )
        for name in chosen.groups:
            after.groups.setdefault(name, {})
        for question in self.survey.questions:
            self._renew(before, after, question.id, chosen)
        return after

    def _renew(
        self, before: PublicFigures, after: PublicFigures, question: str, chosen: Figures
    ) -> None:
        """Renew the figures of one question; where only some are asked, as its history allows."""
        figures: Figures | None = chosen
        weights = self.sizes
        if self.survey.ask_each_person:
            old = before.history(question)
            weights = {name: asked(self.survey, self.counts[name])[question] for name in self.sizes}
            figures = self._choose(old, weights, after.groups)
            after.histories[question] = (figures.history if figures else old).rows
        if figures is None:
            return
        for name in figures.groups:
            after.groups[name][question] = list(self.counts[name][question])
        if not figures.renews_total:
            return
        for name in stray_groups(weights, MINIMUM):
            if name not in figures.held and name not in self.held:
                after.counted.setdefault(name, {})[question] = list(self.counts[name][question])
        parts = [
            after.counted.get(name, {}).get(question)
            if name in figures.held or name in self.held
            else self.counts[name][question]
            for name in self.sizes
        ]
        after.totals[question] = [sum(cells) for cells in zip(*filter(None, parts), strict=True)]

    def _choose(
        self, before: History, weights: Sizes, candidates: Collection[str]
    ) -> Figures | None:
        earlier, waiting = before.sizes, before.waiting
        now = {
            name: earlier.get(name, 0) - waiting.get(name, 0) if name in self.held else size
            for name, size in weights.items()
        }
        return next_figures(before.arrived(now), candidates)

    def _strays(self, chosen: Figures) -> int:
        """Return how many strays are not counted, if they are held back or would show."""
        waiting = {**chosen.history.waiting, **self._never_counted(chosen.history)}
        strays = {*stray_groups(self.sizes, MINIMUM), *self.held}
        few = sum(waiting.get(name, 0) for name in strays)
        return few if few < MINIMUM or self.held else 0

    def _never_counted(self, history: History) -> Sizes:
        return {name: self.sizes[name] - history.sizes.get(name, 0) for name in self.held}
