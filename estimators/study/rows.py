"""The results of a simulation as plain figures: flat rows for tables, nested for JSON."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from client.core.primitives.values import decimal_text
from client.core.question import Question
from estimators.curator.distrust import Price, curated_variances
from estimators.study.study import MEAN, Study
from estimators.study.sweep import CellResult
from estimators.tables.promised_errors import value_of_levels

Row = dict[str, Any]


def cell_json(result: CellResult) -> Row:
    """Return one cell of a sweep: how it was drawn, and the figures of every question."""
    plan = result.plan
    survey = plan.truths.survey
    return {
        "epsilon": decimal_text(survey.total_epsilon),
        "respondents": plan.respondents,
        "repeats": result.repeats,
        "engine": plan.engine,
        "engine_reason": result.cell.reason,
        "questions": [_question_json(result, question) for question in survey.questions],
        "seconds": round(result.seconds, 3),
        "respondents_per_second": result.respondents_per_second,
    }


def long_table(cells: Iterable[Row]) -> list[Row]:
    """Return one row for every figure of every question of every cell."""
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
    """Return the rows of a question: the shares of its options, or its one mean."""
    options: list[Row] = question.get("options") or [
        {"option": None, "label": MEAN, **question["mean"]}
    ]
    return options


def prices(result: CellResult, question: Question) -> list[Price]:
    """Return for each study what a trusted curator would make of the same respondents."""
    truths = result.plan.truths
    survey = truths.survey
    expected = max(1, round(result.plan.respondents * survey.asked / len(survey.questions)))
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
        for study, noise in zip(result.studies[question.id], central, strict=True)
    ]


def _question_json(result: CellResult, question: Question) -> Row:
    """Return the figures of a question, shares under `options` or the one `mean`."""
    studies = result.studies[question.id]
    rows = [
        _figure_json(study, price)
        for study, price in zip(studies, prices(result, question), strict=True)
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
