"""What a simulation found, as plain figures: a row per figure for tables, nested for JSON."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from client.core.primitives.values import decimal_text
from client.core.question import Question
from estimators.curator.distrust import Price, curated_variances
from estimators.study.study import MEAN, Study
from estimators.study.sweep import Rehearsal
from estimators.tables.promised_errors import value_of_levels

Row = dict[str, Any]


def rehearsal_json(rehearsal: Rehearsal) -> Row:
    """One cell of a sweep: how it was drawn, and the figures of every question."""
    plan = rehearsal.plan
    survey = plan.truths.survey
    return {
        "epsilon": decimal_text(survey.total_epsilon),
        "respondents": plan.respondents,
        "repeats": rehearsal.repeats,
        "engine": plan.engine,
        "engine_reason": rehearsal.cell.reason,
        "questions": [_question_json(rehearsal, question) for question in survey.questions],
        "seconds": round(rehearsal.seconds, 3),
        "respondents_per_second": rehearsal.respondents_per_second,
    }


def long_table(cells: Iterable[Row]) -> list[Row]:
    """One row for every figure of every question of every cell."""
    return [
        {
            "total_epsilon": cell["epsilon"],
            "respondents": cell["respondents"],
            "repeats": cell["repeats"],
            "engine": cell["engine"],
            **{key: question[key] for key in ("question", "kind", "mechanism", "epsilon")},
            **figure,
        }
        for cell in cells
        for question in cell["questions"]
        for figure in figures_of(question)
    ]


def figures_of(question: Row) -> list[Row]:
    """The shares of its options, or its one mean."""
    options: list[Row] = question.get("options") or [
        {"option": None, "label": MEAN, **question["mean"]}
    ]
    return options


def prices(rehearsal: Rehearsal, question: Question) -> list[Price]:
    """Beside each study, what a trusted curator would make of the same respondents."""
    truths = rehearsal.plan.truths
    survey = truths.survey
    expected = max(1, round(rehearsal.plan.respondents * survey.asked / len(survey.questions)))
    shares = np.array(truths.truths()[question.id])
    central, _ = curated_variances(question, shares, expected)
    return [
        Price(
            study.label,
            expected,
            local_noise_variance=study.promised_noise_error**2,
            central_noise_variance=float(noise),
            sampling_variance=max(0.0, study.promised_error**2 - study.promised_noise_error**2),
        )
        for study, noise in zip(rehearsal.studies[question.id], central, strict=True)
    ]


def _question_json(rehearsal: Rehearsal, question: Question) -> Row:
    """Shares under `options`, or the one mean."""
    studies = rehearsal.studies[question.id]
    rows = [
        _figure_json(study, price)
        for study, price in zip(studies, prices(rehearsal, question), strict=True)
    ]
    figures: Row = (
        {"mean": rows[0]}
        if value_of_levels(question) is not None
        else {
            "options": [
                {"option": option, "label": study.label, **row}
                for option, (study, row) in enumerate(zip(studies, rows, strict=True))
            ]
        }
    )
    return {
        "question": question.id,
        "kind": question.kind.name,
        "mechanism": question.mechanism.name,
        "shape": question.mechanism.shape,
        "epsilon": decimal_text(question.epsilon),
        **figures,
    }


def _figure_json(study: Study, price: Price) -> Row:
    figures = {
        "truth": study.truth,
        "mean_estimate": study.mean_estimate,
        "bias": study.bias,
        "bias_error": study.bias_error,
        "rmse": study.rmse,
        "promised_error": study.promised_error,
        "noise_rmse": study.noise_rmse,
        "promised_noise_error": study.promised_noise_error,
        "coverage": study.coverage,
        "coverage_error": study.coverage_error,
        "curator_error": price.central_error,
        "curator_respondents": price.curator_respondents,
    }
    # JSON has no NaN: a box that nobody was asked about has no figures.
    return {key: value if math.isfinite(value) else None for key, value in figures.items()}
