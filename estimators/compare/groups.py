"""The doors of this room: compare groups by their tallies, or by the columns of a data set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from client.core.primitives.refusal import require
from client.core.question import Question
from estimators.columns.frame import NO_LEVEL, Frame
from estimators.columns.randomized import Randomized
from estimators.compare.comparison import (
    compare_figures,
    poststratified,
    select_figures,
    weighted_figure,
)
from estimators.compare.figures import (
    LEAST_REPORTS,
    Figure,
    Figures,
    figures_of_column,
    figures_of_tallies,
)
from estimators.compare.result import RAKED, Comparison
from estimators.compare.weighting import Levels, Margins, Weighted, check_parts, rake
from estimators.confidence import CONFIDENCE
from estimators.counting.group_columns import GROUP
from estimators.counting.tally import Tally
from estimators.shares.intervals import check_confidence
from estimators.shares.spread import Array


def compare_tallies(
    question: Question,
    tallies: Mapping[str, Tally],
    option: str | None = None,
    reference: str | None = None,
    parts: Mapping[str, float] | None = None,
    confidence: float = CONFIDENCE,
    by: str = GROUP,
) -> Comparison:
    """Compare a question between groups that have a tally each.

    `option` limits it to one option or box. Each group is compared with the `reference`, or with
    every other one. `parts` are the groups' known parts of the population. `by` names what tells
    the groups apart.
    """
    shown = [group for group, tally in tallies.items() if tally.n >= LEAST_REPORTS]

    def figures_of(groups: Sequence[str]) -> Figures:
        return figures_of_tallies(question, {group: tallies[group] for group in groups})

    heading = _heading(question.id, by, question.unit, confidence)
    found = _compare(heading, figures_of, shown, option, reference, parts)
    return _naming_left_out(found, list(tallies))


def compare_frame(
    frame: Frame,
    name: str,
    by: str = GROUP,
    option: str | None = None,
    reference: str | None = None,
    parts: Mapping[str, float] | None = None,
    margins: Margins | None = None,
    confidence: float = CONFIDENCE,
) -> Comparison:
    """Compare a randomized column between the values of a plain one.

    `margins` are the known parts of the levels of plain columns, to which all rows are raked. The
    other arguments are those of `compare_tallies`.
    """
    column = frame.question(name)
    require(bool(frame.plain), "no_groups.compare", by)
    groups, places = frame.levels(by)
    sizes = np.bincount(places[column.asked & (places >= 0)], minlength=len(groups))
    shown = [group for group, size in zip(groups, sizes, strict=True) if size >= LEAST_REPORTS]

    def figures_of(kept: Sequence[str]) -> Figures:
        new = {group: place for place, group in enumerate(kept)}
        moved = np.array([*(new.get(group, NO_LEVEL) for group in groups), NO_LEVEL])
        return figures_of_column(column, kept, moved[places])

    unit = column.question.unit if column.question else ""
    heading = _heading(name, by, unit, confidence)
    heading = replace(heading, without_group=int((column.asked & (places < 0)).sum()))
    found = _naming_left_out(_compare(heading, figures_of, shown, option, reference, parts), groups)
    return found if margins is None else _raked(found, frame, column, option, margins)


def _heading(question: str, by: str, unit: str, confidence: float) -> Comparison:
    check_confidence(confidence)
    return Comparison(question, by, "", unit, confidence, 0, confidence, (), (), ())


def _compare(
    heading: Comparison,
    figures_of: Callable[[Sequence[str]], Figures],
    groups: Sequence[str],
    option: str | None,
    reference: str | None,
    parts: Mapping[str, float] | None,
) -> Comparison:
    """Compare the groups that have enough reports about everything that is compared."""
    require(len(groups) >= 2, "too_few_groups", heading.by, count=len(groups))
    figures = figures_of(groups)
    chosen = select_figures(figures, option)
    places = range(len(groups))
    known = [place for place in places if all(figure.is_known(place) for figure in chosen)]
    if len(known) < len(groups):
        kept = [groups[place] for place in known]
        return _compare(heading, figures_of, kept, option, reference, parts)
    heading = replace(heading, quantity=figures.quantity)
    found = compare_figures(heading, figures, chosen, reference)
    if parts is None:
        return found
    return poststratified(found, figures, chosen, check_parts(heading.by, parts))


def _naming_left_out(found: Comparison, groups: Sequence[str]) -> Comparison:
    shown = {row.group for row in found.groups}
    return replace(found, left_out=tuple(group for group in groups if group not in shown))


def _raked(
    found: Comparison,
    frame: Frame,
    column: Randomized,
    option: str | None,
    margins: Margins,
) -> Comparison:
    """Add the figures of all rows, weighted so that every attribute has its known parts."""
    known = {name: check_parts(name, parts) for name, parts in margins.items()}
    levels, places = {}, {}
    for name in margins:
        levels[name], places[name] = frame.levels(name)
    stacked = np.stack(list(places.values()), axis=1)
    used = column.asked & (stacked >= 0).all(axis=1)
    require(bool(used.any()), "bad_margins.nobody", *margins)
    cells, own = np.unique(stacked[used], axis=0, return_inverse=True)
    place = np.full(frame.n, NO_LEVEL)
    place[used] = own.ravel()
    named = {
        name: [levels[name][number] for number in cells[:, column_number].tolist()]
        for column_number, name in enumerate(margins)
    }
    figures = figures_of_column(column, [str(cell) for cell in range(len(cells))], place)
    rows = [
        weighted_figure(
            RAKED, figure.label, figure.weighted(_raking(figure, named, known)), found.confidence
        )
        for figure in select_figures(figures, option)
    ]
    return replace(found, weighted=(*found.weighted, *rows))


def _raking(figure: Figure, levels: Levels, margins: Margins) -> Callable[[Array], Weighted]:
    return lambda scores: rake(scores, figure.counts, levels, margins)
