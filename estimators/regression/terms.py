"""Is a term needed? Likelihood-ratio tests, or Wald tests where there is no likelihood."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import chi2

from estimators.regression.choice import effect_names
from estimators.regression.columns import Columns
from estimators.regression.fitting import Estimated
from estimators.regression.models import INTERCEPT
from estimators.regression.regress import fit_columns

LIKELIHOOD_RATIO, WALD = "likelihood ratio", "Wald"


@dataclass(frozen=True)
class TermTest:
    """The test that all coefficients of a term are 0."""

    test: str
    statistic: float
    df: int
    pvalue: float


def overall_test(results: Any) -> TermTest | None:
    """Test all covariates together; None if there are none, or no constant."""
    fitted: Estimated = results.fitted
    places = fitted.model.slopes
    constant = INTERCEPT in results.columns.design.names or fitted.model.name == "ordinal"
    if not places or not constant:
        return None
    if not _has_likelihood(results):
        return _wald(fitted, places)
    ratio = max(2 * (results.llf - results.llnull), 0.0)
    return _chi_square(LIKELIHOOD_RATIO, ratio, len(places))


def term_tests(results: Any) -> dict[str, TermTest]:
    """Test every term of the formula, the other terms kept."""
    columns: Columns = results.columns
    terms = {
        **columns.terms,
        **{column.name: effect_names(column) for column in columns.predictors},
    }
    return {term: _test(results, names) for term, names in terms.items()}


def _test(results: Any, names: tuple[str, ...]) -> TermTest:
    kept = results.columns.without(names)
    # Without any column there is no model to compare with.
    if not (_has_likelihood(results) and kept.design.names):
        return _wald(results.fitted, results.fitted.model.places(names))
    restricted = fit_columns(kept, results.fitted.model.name, results.fitted.errors)
    ratio, _, freedom = results.compare_lr_test(restricted)
    return _chi_square(LIKELIHOOD_RATIO, ratio, freedom)


def _has_likelihood(results: Any) -> bool:
    """Say whether the log-likelihood is one: not of weighted or clustered rows, nor of scores."""
    weighted = results.columns.is_weighted or results.columns.clusters is not None
    is_linear = results.fitted.model.name == "linear" and not results.columns.predictors
    return not (weighted or is_linear)


def _wald(fitted: Estimated, places: list[int]) -> TermTest:
    own = fitted.theta[places]
    statistic = own @ np.linalg.solve(fitted.covariance[np.ix_(places, places)], own)
    return _chi_square(WALD, float(statistic), len(places))


def _chi_square(test: str, statistic: float, df: int) -> TermTest:
    return TermTest(test, statistic, df, float(chi2.sf(statistic, df)))
