"""The rows of a question with options, and of any question without reports."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.domain import Levels
from client.kinds import Scale
from client.question import Question
from estimators.choices import ChoiceEstimates
from estimators.intervals import bonferroni
from estimators.levels import net_promoter_target
from estimators.score import Score
from estimators.shares import ShareEstimates
from estimators.spread import design_effects

Row = dict[str, Any]

FIGURES = tuple(
    (
        "value low high noise_variance sampling_variance noise_error sampling_error "
        "standard_error asked reported_count reported_share total share clipped_share clipped_low "
        "clipped_high norm_sub maximum_likelihood posterior_mean monotone simultaneous_low "
        "simultaneous_high design_effect effective_n flag"
    ).split()
)
SHARE, MEAN, MEDIAN, NET_PROMOTERS = "share", "mean", "median", "net_promoters"
# Of longer lists the likelihood and the posterior take seconds.
MAX_LIKELIEST = 1000


def method_name(exact: bool) -> str:
    """What the intervals of shares are called."""
    return "clopper_pearson" if exact else "wilson"


def blank_row(quantity: str, option: int | None = None, label: str = "") -> Row:
    """A row whose figures are all missing."""
    heading = {"quantity": quantity, "option": option, "label": label or quantity, "method": None}
    return heading | dict.fromkeys(FIGURES)


def empty_rows(question: Question) -> list[Row]:
    """What a question without reports has to say."""
    if isinstance(question.domain, Levels):
        return [blank_row(MEAN), blank_row(MEDIAN)]
    return [blank_row(SHARE, *pair) for pair in enumerate(question.options)]


def share_rows(
    estimates: ShareEstimates, labels: Sequence[str], confidence: float, exact: bool
) -> list[Row]:
    """One row per option."""
    columns = dict(_shares(estimates, confidence, exact))
    common = blank_row(SHARE) | {"method": method_name(exact)}
    # Zipped, not looked up: a list of ten thousand options has as many rows.
    rows = zip(*(plain(values) for values in columns.values()), strict=True)
    return [
        common | {"option": option, "label": label} | dict(zip(columns, figures, strict=True))
        for option, (label, figures) in enumerate(zip(labels, rows, strict=True))
    ]


def _shares(
    estimates: ShareEstimates, confidence: float, exact: bool
) -> list[tuple[str, NDArray[Any]]]:
    """Every figure of every option, column by column."""
    ends_of = estimates.exact_intervals if exact else estimates.intervals
    low, high = ends_of(confidence)
    low95, high95 = estimates.intervals()
    together = ends_of(bonferroni(confidence, len(low)))
    effects = design_effects(estimates.clipped(), estimates.p, estimates.q)
    columns = {
        "value": estimates.shares,
        "low": low,
        "high": high,
        "noise_variance": estimates.noise_variances,
        "sampling_variance": estimates.sampling_variances,
        "noise_error": estimates.noise_errors,
        "sampling_error": estimates.sampling_errors,
        "standard_error": estimates.standard_errors,
        "asked": estimates.asked,
        "reported_count": estimates.reported,
        "reported_share": estimates.reported_shares,
        "total": estimates.totals,
        "share": estimates.shares,
        "clipped_share": estimates.clipped(),
        "clipped_low": np.clip(low, 0, 1),
        "clipped_high": np.clip(high, 0, 1),
        "simultaneous_low": together[0],
        "simultaneous_high": together[1],
        "design_effect": effects,
        "effective_n": np.where(np.isfinite(effects), estimates.asked / effects, np.nan),
        "flag": (high95 < 0) | (low95 > 1),
    }
    return [*columns.items(), *_constrained(estimates)]


def _constrained(estimates: ShareEstimates) -> list[tuple[str, NDArray[Any]]]:
    columns = []
    sum_to_one = isinstance(estimates, ChoiceEstimates)
    if sum_to_one:
        columns.append(("norm_sub", estimates.norm_sub()))
    if len(estimates.shares) <= MAX_LIKELIEST:
        columns.append(("maximum_likelihood", estimates.maximum_likelihood()))
        if sum_to_one:
            columns.append(("posterior_mean", estimates.posterior_mean()))
    return columns


def plain(values: NDArray[Any]) -> list[Any]:
    """Numbers for JSON, which has no NaN and no infinity."""
    numbers: list[Any] = values.tolist()
    if np.isfinite(values).all():
        return numbers
    return [number if math.isfinite(number) else None for number in numbers]


def summary_rows(question: Question, estimates: ShareEstimates, confidence: float) -> list[Row]:
    """The mean of a scale among those who gave a level, and its net promoters on 0 to 10."""
    if not isinstance(question.kind, Scale):
        return []
    levels = len(question.kind.own_labels)
    answered = (np.arange(len(estimates.shares)) < levels).astype(np.float64)
    if estimates.score(answered).value <= 0:
        return [blank_row(MEAN)]
    means = answered * (question.kind.lo + np.arange(len(answered)))
    rows = [score_row(MEAN, estimates.ratio(means, answered), confidence)]
    if (question.kind.lo, question.kind.hi) == (0, 10):
        target = np.zeros(len(answered))
        target[:levels] = net_promoter_target()
        rows.append(score_row(NET_PROMOTERS, estimates.ratio(target, answered), confidence))
    return rows


def score_row(quantity: str, score: Score, confidence: float) -> Row:
    """A score with its interval for the population."""
    interval = score.interval(confidence)
    figures = {
        "value": score.value,
        "low": interval.low,
        "high": interval.high,
        "noise_variance": score.noise_variance,
        "sampling_variance": score.sampling_variance,
        "noise_error": score.noise_error,
        "sampling_error": score.sampling_error,
        "standard_error": score.standard_error,
    }
    return blank_row(quantity) | figures | {"method": "normal"}
