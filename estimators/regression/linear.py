"""A number or a share by least squares on its unbiased scores, with robust errors (math 16).

Importing this module imports statsmodels.
"""

from typing import Any

import numpy as np
import pandas as pd
from statsmodels.regression.linear_model import WLS, RegressionResults, RegressionResultsWrapper

from client.core.primitives.refusal import Refusal, require
from estimators.regression.choice import yes_label
from estimators.regression.columns import Columns
from estimators.regression.fitting import Estimated, fit_notes
from estimators.regression.likelihoods.covariance import Errors, covariance
from estimators.regression.models import LinearModel
from estimators.regression.outcome import as_numbers
from estimators.regression.results import AboutTruth


class ScoreResults(AboutTruth, RegressionResults):  # type: ignore[misc]
    """Least squares: predictions are means of the truth, because scores are unbiased."""

    @property
    def nobs(self) -> float:
        return float(self.model.repeats.sum())

    def compare_lr_test(self, restricted: Any) -> tuple[float, float, int]:
        """Raise: scores are not normal, so their least squares have no likelihood."""
        raise Refusal("no_likelihood_ratio.linear", "compare_lr_test")


def fit_linear(columns: Columns, errors: Errors) -> Any:
    """Regress the unbiased scores of the outcome on the design."""
    design, scores = columns.design, as_numbers(columns)
    k = len(design.names)
    require(columns.n > k, "too_few_rows", "formula", n=columns.n, parameters=k)
    z, weights = design.z, columns.weights
    gram = z.T @ (weights[:, np.newaxis] * z)
    bread = np.asarray(np.linalg.inv(gram), dtype=np.float64)
    found = bread @ (z.T @ (weights * scores))
    left = scores - z @ found
    own = z * (left * weights / columns.repeats)[:, np.newaxis]
    matrix = design.to_coefficients
    sandwich = matrix @ covariance(bread, own, columns.n, errors, columns.repeats) @ matrix.T
    model = WLS(
        pd.Series(scores, name=columns.formula.outcome),
        pd.DataFrame(design.x, columns=list(design.names)),
        weights=weights,
    )
    model.repeats = columns.repeats
    results = ScoreResults(model, matrix @ found, matrix @ bread @ matrix.T, use_t=False)
    own_model = LinearModel("linear", (_name_of_mean(columns),), design)
    notes = fit_notes(columns, errors)
    results.fitted = Estimated(own_model, matrix @ found, sandwich, errors, notes)
    results.columns = columns
    results.cov_params_default = sandwich
    results.cov_type = errors.cov
    results.cov_kwds = {"description": "Standard errors are robust: scores vary unequally."}
    results.df_resid = columns.n - k
    return RegressionResultsWrapper(results)


def _name_of_mean(columns: Columns) -> str:
    """Return what the mean is of: an answer whose share it is, or the outcome itself."""
    column = columns.frame.randomized.get(columns.formula.outcome)
    is_number = column is not None and column.mean_scores is not None
    if is_number and columns.formula.label is None:
        return columns.formula.outcome
    return yes_label(columns)
