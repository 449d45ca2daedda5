"""A regression as plain figures, for JSON and for tables."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from client.core.primitives.refusal import require
from estimators.confidence import CONFIDENCE
from estimators.plots.prediction import Band, PredictionPanel
from estimators.regression.scenarios import curve, scenario
from estimators.regression.terms import overall_test, term_tests

Figures = dict[str, Any]


def regression_figures(results: Any, confidence: float = CONFIDENCE) -> Figures:
    """Return everything that a fit says, by statsmodels' names."""
    require(0 < confidence < 1, "bad_confidence", "confidence", confidence=confidence)
    names = results.fitted.model.parameters
    overall = overall_test(results)
    average = results.get_prediction(average=True)
    return {
        "n": _whole(results.nobs),
        "model": results.model_name,
        "outcome": results.columns.formula.outcome,
        "params": _by_name(names, results.params),
        "bse": _by_name(names, results.bse),
        "conf_int": _by_name(names, results.conf_int(alpha=1 - confidence)),
        "pvalues": _by_name(names, results.pvalues),
        "llf": results.llf,
        "cov_type": results.cov_type,
        "llnull": getattr(results, "llnull", None),
        "aic": float(results.aic),
        "bic": float(results.bic),
        "df_resid": _whole(results.df_resid),
        "confidence": confidence,
        "overall_test": None if overall is None else asdict(overall),
        "mean_prediction": _predicted(average, confidence),
        "rows_left_out": results.columns.left_out,
        "notes": list(results.notes),
    }


def margin_figures(results: Any, confidence: float = CONFIDENCE) -> list[Figures]:
    """Return the average marginal effects: one row per covariate and outcome."""
    found = results.get_margeff(dummy=True)
    rows = iter(found.summary_frame(1 - confidence).values.tolist())
    return [
        {
            "column": name,
            "outcome": outcome,
            "change": "from 0 to 1" if discrete else "per unit",
            **dict(zip(("effect", "standard_error", "low", "high"), next(rows), strict=True)),
        }
        for name, discrete in zip(found.margins.names, found.margins.discrete, strict=True)
        for outcome in found.margins.outcomes
    ]


def prediction_figures(
    results: Any, values: Mapping[str, Any], confidence: float = CONFIDENCE
) -> Figures:
    """Return the predicted shares, or the mean, for one sort of person."""
    row = scenario(results.columns, values)
    prediction = results.get_prediction(row)
    at = {name: row[name].iloc[0] for name in row.columns}
    plain = {name: getattr(value, "item", lambda own=value: own)() for name, value in at.items()}
    return {"at": plain, "predicted": _predicted(prediction, confidence)}


def term_figures(results: Any) -> dict[str, Figures]:
    """Return a test of each term."""
    return {term: asdict(test) for term, test in term_tests(results).items()}


def _predicted(prediction: Any, confidence: float) -> dict[str, Figures]:
    """Return the figures of one predicted row by outcome."""
    rows = prediction.summary_frame(1 - confidence).values.tolist()
    names = ("mean", "standard_error", "low", "high")
    return {
        outcome: dict(zip(names, row, strict=True))
        for outcome, row in zip(prediction.predicted.outcomes, rows, strict=True)
    }


def _by_name(names: tuple[str, ...], figures: Any) -> Figures:
    return dict(zip(names, np.asarray(figures).tolist(), strict=True))


def _whole(number: float) -> int | float:
    return int(number) if np.isclose(number, round(number)) else float(number)


def prediction_panel(
    results: Any, over: str | None, values: Mapping[str, Any], confidence: float = CONFIDENCE
) -> PredictionPanel:
    """Return predictions along one covariate, for a figure."""
    name, rows = curve(results.columns, over, values)
    predicted = results.get_prediction(rows).predicted
    low, high = predicted.interval(confidence)
    outcome = results.columns.formula.outcome
    labels = [label if label == outcome else f"{outcome} = {label}" for label in predicted.outcomes]
    return PredictionPanel(
        outcome,
        name,
        tuple(rows[name].tolist()),
        tuple(
            Band(
                labels[place],
                *(tuple(part[:, place].tolist()) for part in (predicted.mean, low, high)),
            )
            for place in range(len(labels))
        ),
        predicted.are_shares,
        confidence,
        _held(rows, name),
    )


def _held(rows: Any, over: str) -> str:
    """Return the values of the covariates that do not change along a curve."""
    first = rows.iloc[0].drop(over)
    return ", ".join(
        f"{name} = {value:.4g}" if isinstance(value, float) else f"{name} = {value}"
        for name, value in first.items()
    )
