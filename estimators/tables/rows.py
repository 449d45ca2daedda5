"""The rows of a question's table: options or levels, and their summaries."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.tally import Tally
from estimators.ordinal.levels import net_promoter_target
from estimators.shares.arrays import ShareArrays
from estimators.shares.intervals import bonferroni
from estimators.shares.score import Score
from estimators.shares.shares import ShareEstimates
from estimators.shares.spread import Array
from estimators.tables.question import estimate_question

Row = dict[str, Any]

FIGURES = tuple(
    (
        "value low high noise_variance sampling_variance noise_error sampling_error "
        "standard_error asked reported_count reported_share total total_noise_variance "
        "total_sampling_variance total_standard_error total_low total_high share possible_share "
        "simultaneous_low simultaneous_high design_effect effective_n flag"
    ).split()
)
# Of two options the share says which one is larger.
FEWEST_OPTIONS = 3
SHARE, MEAN, NET_PROMOTERS = "share", "mean", "net_promoters"
# The share of those who chose an option for silence where a number is asked for.
SILENT = "silent"


def method_name(exact: bool) -> str:
    """Return the name of the method for intervals of shares."""
    return "clopper_pearson" if exact else "wilson"


def blank_row(quantity: str, option: int | None = None, label: str = "") -> Row:
    """Return a row whose figures are all missing."""
    heading = {"quantity": quantity, "option": option, "label": label or quantity, "method": None}
    return heading | dict.fromkeys(FIGURES)


def empty_rows(question: Question) -> list[Row]:
    """Return the rows of a question about shares that has no reports."""
    return [blank_row(SHARE, *pair) for pair in enumerate(question.options)]


def share_rows(
    estimates: ShareArrays, labels: Sequence[str], confidence: float, exact: bool
) -> list[Row]:
    """Return one row per option."""
    columns = _shares(estimates, confidence, exact)
    common = blank_row(SHARE) | {"method": method_name(exact)}
    # Zip the columns instead of indexing them: there may be ten thousand options.
    rows = zip(*(plain(values) for values in columns.values()), strict=True)
    return [
        common | {"option": option, "label": label} | dict(zip(columns, figures, strict=True))
        for option, (label, figures) in enumerate(zip(labels, rows, strict=True))
    ]


def _shares(estimates: ShareArrays, confidence: float, exact: bool) -> dict[str, NDArray[Any]]:
    """Return every figure of every option, column by column."""
    n = estimates.n
    ends_of = estimates.exact_intervals if exact else estimates.intervals
    low, high = ends_of(confidence)
    together = ends_of(bonferroni(confidence, len(low)))
    return {
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
        "total_noise_variance": n**2 * estimates.noise_variances,
        "total_sampling_variance": n**2 * estimates.sampling_variances,
        "total_standard_error": estimates.total_errors,
        "total_low": n * low,
        "total_high": n * high,
        "share": estimates.shares,
        "possible_share": estimates.possible_shares,
        "simultaneous_low": together[0],
        "simultaneous_high": together[1],
        "design_effect": estimates.design_effects,
        "effective_n": estimates.effective_n,
        "flag": estimates.flags,
    }


def plain(values: NDArray[Any]) -> list[Any]:
    """Return numbers for JSON, which has no NaN and no infinity."""
    numbers: list[Any] = values.tolist()
    if np.isfinite(values).all():
        return numbers
    return [number if math.isfinite(number) else None for number in numbers]


def summary_rows(question: Question, estimates: ShareEstimates, confidence: float) -> list[Row]:
    """Return the mean of a scale among those who gave a level, and its net promoters on 0 to 10."""
    grid = question.kind.grid
    if grid is None:
        return []
    levels = len(question.kind.own_labels)
    answered = (np.arange(len(estimates.shares)) < levels).astype(np.float64)
    if estimates.score(answered).value <= 0:
        return [blank_row(MEAN)]

    def row(quantity: str, target: Array) -> Row:
        total = estimates.score(target).scaled(estimates.n)
        return score_row(quantity, estimates.ratio(target, answered), total, confidence)

    rows = [row(MEAN, answered * (float(grid.lo) + np.arange(len(answered))))]
    if [grid.lo, grid.hi] == [0, 10]:
        target = np.zeros(len(answered))
        target[:levels] = net_promoter_target()
        rows.append(row(NET_PROMOTERS, target))
    return rows


def score_row(quantity: str, score: Score, total: Score, confidence: float) -> Row:
    """Return the row of a score and of its sum over all respondents, for the population."""
    total_interval = total.interval(confidence)
    figures = {
        "total": total.value,
        "total_noise_variance": total.noise_variance,
        "total_sampling_variance": total.sampling_variance,
        "total_standard_error": total.whole_error,
        "total_low": total_interval.low,
        "total_high": total_interval.high,
    }
    found = _score_figures(score, confidence) if score.is_known else {}
    return blank_row(quantity) | found | figures | {"method": score.method}


def _score_figures(score: Score, confidence: float) -> Row:
    interval = score.interval(confidence)
    return {
        "value": score.value,
        "low": interval.low,
        "high": interval.high,
        "noise_variance": score.noise_variance,
        "sampling_variance": score.sampling_variance,
        "noise_error": score.noise_error,
        "sampling_error": score.sampling_error,
        "standard_error": score.standard_error,
    }


def leader_table(
    survey: Survey, tallies: Mapping[str, Tally], confidence: float
) -> list[dict[str, Any]]:
    """Return one row for each question with reports and enough options."""
    rows = []
    for question in survey.questions:
        tally = tallies[question.id]
        if len(question.options) < FEWEST_OPTIONS or tally.n == 0:
            continue
        estimates = estimate_question(question, tally)
        if isinstance(estimates, ShareEstimates):
            leaders = leader_row(estimates, question.options, confidence)
            rows.append({"question": question.id} | leaders)
    return rows


def leader_row(estimates: ShareEstimates, labels: Sequence[str], confidence: float) -> Row:
    """Return the options that may have the largest share, and how far any share can be off."""
    error = estimates.max_error(1 - confidence)
    return {
        "best": [labels[option] for option in estimates.leaders(confidence).options],
        # JSON has no infinity: a box that nobody was asked about has no bound.
        "max_error": error if error < float("inf") else None,
        "confidence": confidence,
    }
