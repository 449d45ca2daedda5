"""Regress a question on covariates or other questions: the one entry of this room."""

from typing import Any, Literal

from client.core.primitives.refusal import Refusal, require
from estimators.columns.frame import Frame
from estimators.regression.choice import build_model
from estimators.regression.columns import Columns, Roles, take_columns
from estimators.regression.fitting import fit
from estimators.regression.libraries import load_analysis
from estimators.regression.likelihoods.covariance import Cov, Errors
from estimators.regression.outcome import ModelName, usual_model


def regress(
    frame: Frame,
    formula: str,
    model: ModelName | None = None,
    *,
    weights: str | None = None,
    freq_weights: str | None = None,
    cluster: str | None = None,
    cov: Cov | None = None,
    correction: Literal["survey"] | None = None,
    predictors_on: str | None = None,
) -> Any:
    """Fit a model of the true answers, and return results with statsmodels' names.

    `formula` is `outcome ~ terms`; questions in it are recognised by name. Without `model` it is
    logit for two labels, linear for numbers, else multinomial. `weights`, `freq_weights` (repeats)
    and `cluster` name plain columns. `predictors_on` are terms that a randomized predictor may
    depend on beside the other covariates.
    """
    load_analysis()
    roles = Roles(weights, freq_weights, cluster, predictors_on)
    columns = take_columns(frame, formula, roles)
    has_terms = bool(columns.design.names or columns.predictors)
    require(has_terms, "bad_formula.nothing", "formula", text=formula)
    chosen = usual_model(columns) if model is None else model
    errors = _errors(columns, chosen, cov, correction is not None)
    return fit_columns(columns, chosen, errors)


def fit_columns(columns: Columns, model: ModelName, errors: Errors) -> Any:
    """Fit a model to columns that were taken from a data set."""
    if model == "linear" and not columns.predictors:
        from estimators.regression.linear import fit_linear

        return fit_linear(columns, errors)
    from estimators.regression.results import wrap

    return wrap(columns, fit(columns, build_model(columns, model), errors))


def _errors(columns: Columns, model: ModelName, cov: Cov | None, survey: bool) -> Errors:
    """Return the errors to compute; raise if those asked for would be wrong."""
    if columns.clusters is not None:
        require(cov in (None, "cluster"), "bad_cov.cluster", "cov", cov=cov)
        return Errors("cluster", columns.clusters, survey)
    require(cov != "cluster", "bad_cov.no_cluster", "cov")
    robust = columns.is_weighted or (model == "linear" and not columns.predictors)
    if robust and cov == "nonrobust":
        raise Refusal("bad_cov.robust", "cov")
    return Errors(cov or ("HC1" if robust else "nonrobust"), None, survey)
