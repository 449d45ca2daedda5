"""Standard errors: one convention for all models (math 16)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import require
from estimators.shares.spread import Array

Cov = Literal["nonrobust", "HC0", "HC1", "cluster"]
FEWEST_CLUSTERS = 2
FEW_CLUSTERS = 30


@dataclass(frozen=True)
class Errors:
    """Which errors are wanted. `clusters` has a whole number per row, from 0 without a gap."""

    cov: Cov
    clusters: NDArray[np.int64] | None = None
    # Only n/(n-1) or G/(G-1), as R's survey package and Stata's svy have it.
    survey_correction: bool = False


def covariance(bread: Array, scores: Array, n: float, errors: Errors, repeats: Array) -> Array:
    """Return the covariance of the parameters.

    `bread` is the inverse of the information, `scores` the rows' weighted gradients for one
    repeat of each row, and `n` the number of rows with all repeats.
    """
    if errors.cov == "nonrobust":
        return bread
    if errors.clusters is None:
        meat = (scores * repeats[:, np.newaxis]).T @ scores
    else:
        sums = cluster_sums(scores * repeats[:, np.newaxis], errors.clusters)
        meat = sums.T @ sums
    found: Array = _factor(n, len(bread), errors) * (bread @ meat @ bread)
    return found


def cluster_sums(scores: Array, clusters: NDArray[np.int64]) -> Array:
    """Return the sum of the scores of each cluster; raise if these sums tell too little.

    All of them add up to 0, so k clusters leave a combination of k coefficients without an error.
    """
    count, k = int(clusters.max()) + 1, scores.shape[1]
    require(count >= FEWEST_CLUSTERS, "too_few_clusters.two", "cluster", clusters=count)
    enough = count > k
    require(enough, "too_few_clusters.parameters", "cluster", clusters=count, parameters=k)
    columns = [np.bincount(clusters, column, count) for column in scores.T]
    return np.column_stack(columns)


def _factor(n: float, k: int, errors: Errors) -> float:
    """Return the correction for a finite sample."""
    if errors.clusters is not None:
        groups = int(errors.clusters.max()) + 1
        factor = groups / (groups - 1)
        return factor if errors.survey_correction else factor * (n - 1) / (n - k)
    if errors.survey_correction:
        return n / (n - 1)
    return n / (n - k) if errors.cov == "HC1" else 1.0
