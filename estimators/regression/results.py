"""Fitted models as statsmodels knows them, with its names; predictions are of the truth.

Importing this module imports statsmodels.
"""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2
from statsmodels.base.model import (
    GenericLikelihoodModel,
    GenericLikelihoodModelResults,
    LikelihoodModelResults,
    LikelihoodResultsWrapper,
)
from statsmodels.genmod.generalized_linear_model import GLM, GLMResults, GLMResultsWrapper

from client.core.primitives.refusal import require
from estimators.confidence import CONFIDENCE
from estimators.regression.choice import effect_names
from estimators.regression.columns import Columns
from estimators.regression.effects import (
    Margins,
    Predicted,
    marginal_effects,
    mean_prediction,
    predictions,
)
from estimators.regression.fitting import Estimated, Fitted
from estimators.regression.link import reports_family
from estimators.regression.models import BinaryModel
from estimators.regression.scenarios import new_rows
from estimators.shares.spread import Array


class Prediction:
    """Predicted means of the truth, as statsmodels' `get_prediction` returns them."""

    def __init__(self, predicted: Predicted, index: Any) -> None:
        self.predicted = predicted
        self.predicted_mean = _flat(predicted.mean)
        self.se = _flat(predicted.error)
        self._index = index

    def conf_int(self, alpha: float = 1 - CONFIDENCE) -> Array:
        """Return the ends of the intervals, in the last dimension."""
        return np.stack([_flat(end) for end in self.predicted.interval(1 - alpha)], axis=-1)

    def summary_frame(self, alpha: float = 1 - CONFIDENCE) -> pd.DataFrame:
        """Return a row per prediction, or per prediction and outcome."""
        low, high = self.predicted.interval(1 - alpha)
        figures = {
            "mean": self.predicted.mean,
            "mean_se": self.predicted.error,
            "mean_ci_lower": low,
            "mean_ci_upper": high,
        }
        index = self._index
        if len(self.predicted.outcomes) > 1:
            index = pd.MultiIndex.from_product([index, self.predicted.outcomes])
        return pd.DataFrame({name: part.ravel() for name, part in figures.items()}, index=index)


class MarginalEffects:
    """Average marginal effects, as statsmodels' `get_margeff` returns them."""

    def __init__(self, margins: Margins) -> None:
        self.margins = margins
        self.margeff = _flat(margins.margeff)
        self.margeff_se = _flat(margins.margeff_se)

    def summary_frame(self, alpha: float = 1 - CONFIDENCE) -> pd.DataFrame:
        """Return a row per column of the design, or per column and outcome."""
        low, high = self.margins.interval(1 - alpha)
        index: Any = list(self.margins.names)
        if len(self.margins.outcomes) > 1:
            index = pd.MultiIndex.from_product([index, self.margins.outcomes])
        figures = {
            "dy/dx": self.margins.margeff,
            "Std. Err.": self.margins.margeff_se,
            "Conf. Int. Low": low,
            "Cont. Int. Hi.": high,
        }
        return pd.DataFrame({name: part.ravel() for name, part in figures.items()}, index=index)


class AboutTruth:
    """What all results have beside statsmodels' own: predictions and effects of the truth."""

    fitted: Estimated
    columns: Columns

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about this fit."""
        return self.fitted.notes

    @property
    def model_name(self) -> str:
        return self.fitted.model.name

    def predict(self, exog: Any = None, transform: bool = True) -> Any:
        """Return the mean of the truth, not of the reports, for rows of covariates or design."""
        rows, index = self._exog(exog, transform)
        mean = self.fitted.model.mean(self.fitted.theta, rows)
        if len(self.fitted.model.outcomes) > 1:
            return pd.DataFrame(mean, index=index, columns=list(self.fitted.model.outcomes))
        return pd.Series(mean[:, 0], index=index)

    def get_prediction(
        self, exog: Any = None, transform: bool = True, average: bool = False
    ) -> Prediction:
        """Return means of the truth with errors; with `average`, their mean over all rows."""
        if average:
            return Prediction(mean_prediction(self.fitted, self.columns.weights), ["mean"])
        rows, index = self._exog(exog, transform)
        return Prediction(predictions(self.fitted, rows), index)

    def get_margeff(self, dummy: bool = False) -> MarginalEffects:
        """Return average marginal effects; with `dummy`, zeros and ones change from 0 to 1."""
        effects = (effect_names(column) for column in self.columns.predictors)
        names = {name: own for own in (*self.columns.terms.values(), *effects) for name in own}
        weights = self.columns.weights
        return MarginalEffects(marginal_effects(self.fitted, weights, names, dummy))

    def as_json(self, confidence: float = CONFIDENCE) -> dict[str, Any]:
        """Return the figures of this fit as plain values, those of `candor regress --json`."""
        # Imported late: the tests of terms in it fit models, which end as these results.
        from estimators.regression.report import regression_figures

        return regression_figures(self, confidence)

    def _exog(self, exog: Any, transform: bool) -> tuple[Array, Any]:
        return new_rows(self.columns, self.fitted.model, exog, transform)


class TruthResults(AboutTruth):
    """Results of a likelihood."""

    fitted: Fitted
    k_params: int

    @property
    def llf(self) -> float:
        return self.fitted.llf

    @cached_property
    def llnull(self) -> float:
        """The log-likelihood without covariates."""
        return self.fitted.model.null()

    @property
    def aic(self) -> float:
        return -2 * self.llf + 2 * self.k_params

    @property
    def bic(self) -> float:
        return float(-2 * self.llf + np.log(self.columns.n) * self.k_params)

    def compare_lr_test(self, restricted: Any) -> tuple[float, float, int]:
        """Return the likelihood-ratio statistic, its p-value and degrees of freedom."""
        plain = not (self.columns.is_weighted or self.fitted.errors.clusters is not None)
        require(plain, "no_likelihood_ratio.weights", "compare_lr_test")
        same = np.array_equal(self.columns.rows, restricted.columns.rows)
        require(same, "no_likelihood_ratio.rows", "compare_lr_test")
        freedom = self.k_params - restricted.k_params
        require(freedom > 0, "no_likelihood_ratio.nested", "compare_lr_test")
        ratio = max(2 * (self.llf - restricted.llf), 0.0)
        return ratio, float(chi2.sf(ratio, freedom)), freedom


class ReportsGLM(GLM):  # type: ignore[misc]
    """A GLM whose design is known to have full rank."""

    def initialize(self) -> None:
        """Set the degrees of freedom without statsmodels' singular values, which are slow."""
        self.wnobs, columns = self.exog.shape
        if self.freq_weights is not None and len(self.freq_weights) == self.wnobs:
            self.wnobs = self.freq_weights.sum()
        self.df_model, self.df_resid = columns - 1, self.wnobs - columns


class ShareResults(TruthResults, GLMResults):  # type: ignore[misc]
    """A yes/no truth: a binomial GLM with the link of the reports."""


class LikelihoodResults(TruthResults, GenericLikelihoodModelResults):  # type: ignore[misc]
    """Every other likelihood."""

    def summary(self, *arguments: Any, **options: Any) -> Any:
        """Return statsmodels' summary with the names of all parameters."""
        options.setdefault("xname", list(self.fitted.model.parameters))
        return super().summary(*arguments, **options)


class TruthModel(GenericLikelihoodModel):  # type: ignore[misc]
    """A likelihood of ours as a model of statsmodels, for parameters that people read."""

    def __init__(self, endog: Any, exog: Any, fitted: Fitted) -> None:
        self.fitted = fitted
        super().__init__(endog, exog)
        self.data.param_names = list(fitted.model.parameters)

    def initialize(self) -> None:
        """Set the degrees of freedom; the design is known to have full rank."""
        k = len(self.fitted.theta)
        self.df_model, self.df_resid = float(k - self.k_constant), float(len(self.endog) - k)

    def loglikeobs(self, params: Array) -> Array:
        return self.fitted.model.likelihood.rows(self._t(params))[0]

    def score_obs(self, params: Array) -> Array:
        likelihood = self.fitted.model.likelihood
        scores = likelihood.rows(self._t(params))[1] @ np.linalg.inv(likelihood.matrix)
        return np.asarray(scores, dtype=np.float64)

    def _t(self, params: Array) -> Array:
        likelihood = self.fitted.model.likelihood
        found = np.linalg.solve(likelihood.matrix, np.asarray(params) - likelihood.shift)
        return np.asarray(found, dtype=np.float64)


def wrap(columns: Columns, fitted: Fitted) -> Any:
    """Return a fit as statsmodels' results, whose vectors are pandas Series with names."""
    if isinstance(fitted.model, BinaryModel):
        return _wrap_binary(columns, fitted, fitted.model)
    name = columns.formula.outcome
    design = fitted.model.exog
    exog = pd.DataFrame(design.x, columns=list(design.names))
    model = TruthModel(pd.Series(np.zeros(len(exog)), name=name), exog, fitted)
    inner = LikelihoodModelResults(model, fitted.theta, np.linalg.inv(fitted.information))
    results = LikelihoodResults(model, inner)
    return LikelihoodResultsWrapper(_finish(results, columns, fitted))


def _wrap_binary(columns: Columns, fitted: Fitted, own: BinaryModel) -> Any:
    endog, family = reports_family(own.fitted.no, own.fitted.yes)
    model = ReportsGLM(
        pd.Series(endog, name=columns.formula.outcome),
        pd.DataFrame(own.exog.x, columns=list(own.exog.names)),
        family=family,
        freq_weights=columns.repeats if (columns.repeats != 1).any() else None,
    )
    results = ShareResults(model, fitted.theta, np.linalg.inv(fitted.information), 1.0)
    return GLMResultsWrapper(_finish(results, columns, fitted))


def _finish(results: Any, columns: Columns, fitted: Fitted) -> Any:
    results.fitted, results.columns = fitted, columns
    results.k_params = len(fitted.theta)
    results.cov_params_default = fitted.covariance
    results.cov_type = fitted.errors.cov
    results.cov_kwds = {}
    results.nobs, results.df_resid = columns.n, columns.n - results.k_params
    results.use_t = False
    results.method, results.fit_history = "Newton", {"iteration": fitted.steps}
    return results


def _flat(figures: Array) -> Array:
    """Drop the dimension of the outcomes if there is one outcome."""
    return figures[..., 0] if figures.shape[-1] == 1 else figures
