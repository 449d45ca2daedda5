"""Compare one question between groups: figures, differences, tests and weighted figures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from client.core.primitives.refusal import Refusal, require
from estimators.compare.figures import SHARE, Figure, Figures
from estimators.compare.joint import holm, joint_tests
from estimators.compare.means import welch_interval, welch_test
from estimators.compare.ratio import ratio_of
from estimators.compare.result import (
    POSTSTRATIFIED,
    Comparison,
    Difference,
    GroupFigure,
    WeightedFigure,
)
from estimators.compare.samples import Outcome, Sample, ScoreSample, ShareSample
from estimators.compare.two_shares import (
    MEE,
    MOVER,
    difference_interval,
    same_channel,
    shares_test,
)
from estimators.compare.weighting import Weighted, poststratify
from estimators.shares.intervals import Interval, bonferroni
from estimators.shares.spread import Array

WELCH_INTERVAL = "welch"
# A longer table helps nobody, and takes long.
MOST_COMPARISONS = 1000


def select_figures(figures: Figures, option: str | None) -> tuple[Figure, ...]:
    """Return the figures to compare: one option, or all; of two options only the second."""
    known = [figure.label for figure in figures.figures]
    if option is not None:
        require(figures.quantity == SHARE, "bad_option.mean", "option", option=option)
        require(option in known, "bad_option.unknown", "option", option=option, known=known)
        return (figures.figures[known.index(option)],)
    is_mirrored = figures.covariance is not None and len(known) == 2
    return figures.figures[1:] if is_mirrored else figures.figures


def compare_figures(
    heading: Comparison,
    figures: Figures,
    chosen: Sequence[Figure],
    reference: str | None,
) -> Comparison:
    """Fill the groups, differences and tests of a comparison that has its heading."""
    groups = figures.groups
    require(len(groups) >= 2, "too_few_groups", heading.by, count=len(groups))
    samples = [[figure.sample(g) for g in range(len(groups))] for figure in chosen]
    pairs = _pairs(groups, reference)
    count = len(pairs) * len(chosen)
    require(
        count <= MOST_COMPARISONS,
        "too_many_comparisons",
        heading.by,
        most=MOST_COMPARISONS,
        count=count,
    )
    each = bonferroni(heading.confidence, count)
    rows = [
        _difference(figure.label, groups, pair, own, each, figures.quantity)
        for figure, own in zip(chosen, samples, strict=True)
        for pair in pairs
    ]
    adjusted = holm([row.test.p_value for row in rows])
    return replace(
        heading,
        comparisons=count,
        confidence_each=each,
        groups=tuple(
            _group_figure(group, figure.label, sample, heading.confidence, figures.quantity)
            for figure, own in zip(chosen, samples, strict=True)
            for group, sample in zip(groups, own, strict=True)
        ),
        differences=tuple(replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True)),
        tests=tuple(joint_tests(figures, chosen, samples)),
    )


def _pairs(groups: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    """Return each group beside the reference, or all pairs."""
    if reference is None:
        return list(combinations(range(len(groups)), 2))
    require(
        reference in groups,
        "unknown_group.reference",
        "reference",
        name=reference,
        known=list(groups),
    )
    place = groups.index(reference)
    return [(g, place) for g in range(len(groups)) if g != place]


def _difference(
    option: str,
    groups: Sequence[str],
    pair: tuple[int, int],
    samples: Sequence[Sample],
    confidence: float,
    quantity: str,
) -> Difference:
    first, second = (samples[place] for place in pair)
    interval, method, test = _compared(first, second, confidence)
    return Difference(
        option=option,
        group=groups[pair[0]],
        reference=groups[pair[1]],
        difference=first.value - second.value,
        low=interval.low,
        high=interval.high,
        interval_method=method,
        ratio=ratio_of(first, second, confidence) if quantity == SHARE else None,
        test=test,
        p_holm=test.p_value,
    )


def _compared(first: Sample, second: Sample, confidence: float) -> tuple[Interval, str, Outcome]:
    if isinstance(first, ShareSample) and isinstance(second, ShareSample):
        method = MEE if same_channel(first, second) else MOVER
        interval = difference_interval(first, second, confidence)
        return interval, method, shares_test(first, second)
    interval = welch_interval(first, second, confidence)
    return interval, WELCH_INTERVAL, welch_test(first, second)


def _group_figure(
    group: str, option: str, sample: Sample, confidence: float, quantity: str
) -> GroupFigure:
    interval = sample.interval(confidence)
    flag = quantity == SHARE and (interval.high < 0 or interval.low > 1)
    return GroupFigure(group, option, sample.n, sample.value, interval.low, interval.high, flag)


def poststratified(
    comparison: Comparison,
    figures: Figures,
    chosen: Sequence[Figure],
    parts: Mapping[str, float],
) -> Comparison:
    """Add the figures of a population in which every group has its known part."""
    for group in figures.groups:
        if group not in parts:
            raise Refusal("bad_parts.missing", comparison.by, level=group)
    shown = [parts[group] for group in figures.groups]
    total = sum(shown)
    require(total > 0, "bad_parts.none", comparison.by)
    missing = tuple(g for g, part in parts.items() if g not in figures.groups and part > 0)
    rows = []
    for figure in chosen:
        weights = [part / total for part in shown]
        if figure.base is None:
            samples = [figure.sample(g) for g in range(len(figures.groups))]
            found = poststratify(samples, weights)
        else:
            found = figure.weighted(_poststratifying(figure, weights))
        rows.append(weighted_figure(POSTSTRATIFIED, figure.label, found, comparison.confidence))
    return replace(comparison, weighted=(*comparison.weighted, *rows), not_weighted=missing)


def _poststratifying(figure: Figure, weights: Sequence[float]) -> Callable[[Array], Weighted]:
    return lambda scores: poststratify(
        [ScoreSample.of(scores, counts) for counts in figure.counts], weights
    )


def weighted_figure(method: str, option: str, found: Weighted, confidence: float) -> WeightedFigure:
    """Return a weighted figure with its interval."""
    ends = found.interval(confidence)
    return WeightedFigure(
        method=method,
        option=option,
        value=found.value,
        standard_error=found.standard_error,
        low=ends.low,
        high=ends.high,
        n=found.n,
        effective_n=found.effective_n,
    )
