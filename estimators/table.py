"""Estimates as a table: one row per option of every question, the same in CSV, JSON and on pages."""

import math
from collections.abc import Mapping
from typing import Any

from client.channel import decimal_text
from client.survey import Question, Survey
from estimators.estimate import Estimate, estimate_options
from estimators.tally import Tally

CONFIDENCE = 0.95
METHOD = "wilson"

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


def estimate_table(survey: Survey, tallies: Mapping[str, Tally]) -> list[dict[str, Any]]:
    """Every option's estimate; figures are None while a question has no reports."""
    return [row for question in survey.questions for row in _rows(survey, question, tallies)]


def _rows(survey: Survey, question: Question, tallies: Mapping[str, Tally]) -> list[dict[str, Any]]:
    tally = tallies[question.id]
    estimates = estimate_options(question.mechanism, tally) if tally.n else ()
    return [
        {
            "question": question.id,
            "option": option,
            "label": label,
            "n": tally.n,
            **(_figures(estimates[option]) if estimates else dict.fromkeys(_FIGURES)),
            "method": METHOD,
            "confidence": CONFIDENCE,
            "epsilon": decimal_text(question.epsilon),
            "p": float(question.mechanism.p),
            "q": float(question.mechanism.q),
            "version": survey.version,
        }
        for option, label in enumerate(question.options)
    ]


def _figures(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval(CONFIDENCE)
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
