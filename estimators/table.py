"""Estimates as a table: one row per option of every question, for CSV, JSON and pages alike."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from client.decimals import decimal_text
from client.survey import Question, Survey
from estimators.estimate import Estimate, estimate_options
from estimators.tally import Tally

CONFIDENCE = 0.95

_FIGURES = (
    "reported_count reported_share total share noise_variance sampling_variance noise_error "
    "sampling_error standard_error low high clipped_share clipped_low clipped_high "
    "design_effect effective_n flag"
).split()
COLUMNS = (
    *("question", "option", "label", "n"),
    *_FIGURES,
    *("method", "confidence", "epsilon", "p", "q", "version"),
)


def estimate_table(
    survey: Survey,
    tallies: Mapping[str, Tally],
    confidence: float = CONFIDENCE,
    exact: bool = False,
) -> list[dict[str, Any]]:
    """Every option's estimate; figures are None while a question has no reports."""
    return [
        row | {"version": survey.version}
        for question in survey.questions
        for row in _rows(question, tallies[question.id], confidence, exact)
    ]


def _rows(
    question: Question, tally: Tally, confidence: float, exact: bool
) -> Iterator[dict[str, Any]]:
    estimates = estimate_options(question.mechanism, tally) if tally.n else ()
    for option, label in enumerate(question.options):
        yield {
            "question": question.id,
            "option": option,
            "label": label,
            "n": tally.n,
            **(
                figures(estimates[option], confidence, exact)
                if estimates
                else dict.fromkeys(_FIGURES)
            ),
            "method": method_name(exact),
            "confidence": confidence,
            "epsilon": decimal_text(question.epsilon),
            "p": float(question.mechanism.p),
            "q": float(question.mechanism.q),
        }


def method_name(exact: bool) -> str:
    """What the intervals of a table are called."""
    return "clopper_pearson" if exact else "wilson"


def figures(
    estimate: Estimate, confidence: float = CONFIDENCE, exact: bool = False
) -> dict[str, Any]:
    """One estimate as plain numbers, ready for JSON."""
    interval = estimate.exact_interval(confidence) if exact else estimate.interval(confidence)
    # At a share of exactly 0 or 1 no finite design effect exists; JSON has no infinity.
    has_spread = math.isfinite(estimate.design_effect)
    return {
        "reported_count": estimate.reported,
        "reported_share": estimate.reported_share,
        "total": estimate.total,
        "share": estimate.share,
        "noise_variance": estimate.noise_variance,
        "sampling_variance": estimate.sampling_variance,
        "noise_error": estimate.noise_error,
        "sampling_error": estimate.sampling_error,
        "standard_error": estimate.standard_error,
        "low": interval.low,
        "high": interval.high,
        "clipped_share": estimate.clipped_share,
        "clipped_low": interval.clipped.low,
        "clipped_high": interval.clipped.high,
        "design_effect": estimate.design_effect if has_spread else None,
        "effective_n": estimate.effective_n if has_spread else None,
        "flag": estimate.flag,
    }
