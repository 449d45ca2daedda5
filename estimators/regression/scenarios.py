"""Rows to predict: from values that somebody names, or from a table of covariates."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from client.core.primitives.refusal import Refusal, require
from estimators.regression.choice import effect_names
from estimators.regression.columns import Columns, materialise
from estimators.regression.libraries import load_analysis
from estimators.regression.models import Model
from estimators.shares.spread import Array

# Points of a curve.
POINTS = 61


def parse_values(text: str, columns: Columns) -> dict[str, Any]:
    """Read `age=30,arm=a` as the values of covariates and predictors."""
    known = [*columns.formula.covariates, *columns.formula.predictors]
    found: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        require(sign == "=", "bad_scenario.shape", "predict", text=part)
        require(name in known, "bad_scenario.name", "predict", name=name, known=known)
        is_number = name in columns.formula.covariates and _is_number(columns, name)
        found[name] = _number(name, value) if is_number else value
    return found


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Refusal("bad_scenario.number", "predict", name=name, text=text) from None


def scenario(columns: Columns, values: Mapping[str, Any]) -> Any:
    """Return a table of one row: the mean of numbers, the most frequent text, unless named."""
    row = {name: _usual(columns, name) for name in columns.formula.covariates}
    return load_analysis().pandas.DataFrame([{**row, **values}])


def curve(columns: Columns, over: str | None, values: Mapping[str, Any]) -> tuple[str, Any]:
    """Return a covariate and a table of rows in which only it changes, over its whole range."""
    numbers = [name for name in columns.formula.covariates if _is_number(columns, name)]
    free = [name for name in numbers if name not in values]
    chosen = over if over is not None else next(iter(free), None)
    if chosen is None or chosen not in numbers:
        raise Refusal("bad_curve" if numbers else "bad_curve.none", "over", known=numbers)
    own = columns.frame.covariate(chosen)[columns.rows]
    table = scenario(columns, values)
    points = np.linspace(float(own.min()), float(own.max()), POINTS)
    rows = table.loc[table.index.repeat(POINTS)].reset_index(drop=True)
    rows[chosen] = points
    return chosen, rows


def _is_number(columns: Columns, name: str) -> bool:
    return columns.frame.covariate(name).dtype.kind in "fiub"


def _usual(columns: Columns, name: str) -> Any:
    values = columns.frame.covariate(name)[columns.rows]
    if _is_number(columns, name):
        return float(values.mean())
    found, counts = np.unique(values, return_counts=True)
    return found[np.argmax(counts)].item()


def new_rows(columns: Columns, model: Model, exog: Any, transform: bool) -> tuple[Array, Any]:
    """Return rows of the design and their index.

    `exog` is None for the rows of the fit, a table of covariates, or the design itself if it is
    not to be transformed. In the rows of the fit, randomized predictors have their first label.
    """
    design = model.exog
    if exog is None:
        return design.x, range(len(design.x))
    if not transform or not hasattr(exog, "columns"):
        rows = np.atleast_2d(np.asarray(exog, dtype=np.float64))
        fits = rows.shape[1] == len(design.names)
        require(fits, "bad_exog.columns", "exog", wanted=design.names, got=rows.shape[1])
        return rows, getattr(exog, "index", range(len(rows)))
    needed = [*columns.formula.covariates, *columns.formula.predictors]
    for name in needed:
        require(name in exog.columns, "bad_exog.missing", "exog", name=name, wanted=needed)
    for name in columns.formula.covariates:
        _check_seen(columns, name, exog[name])
    own, _ = materialise(columns.spec, exog)
    keep = [place for place, name in enumerate(own.names) if name in design.names]
    return np.column_stack((own.x[:, keep], _effects(columns, exog))), exog.index


def _check_seen(columns: Columns, name: str, values: Any) -> None:
    """Raise if a text was not in the rows of the fit: nothing is known about it."""
    seen = columns.frame.covariate(name)[columns.rows]
    if seen.dtype.kind == "U":
        known = set(seen.tolist())
        for value in map(str, values):
            require(value in known, "bad_exog.unseen", "exog", name=name, value=value)


def _effects(columns: Columns, exog: Any) -> Array:
    """Return the columns of the randomized predictors' effects, from their labels."""
    found = np.zeros((len(exog), 0))
    for column in columns.predictors:
        labels = [str(label) for label in exog[column.name]]
        for label in labels:
            known = label in column.labels
            require(known, "unknown_label", column.name, label=label, known=column.labels)
        places = np.array([column.labels.index(label) for label in labels])
        own = np.arange(1, len(effect_names(column)) + 1)
        found = np.column_stack((found, places[:, np.newaxis] == own))
    return found
