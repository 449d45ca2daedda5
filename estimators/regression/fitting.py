"""Fit a model, and refuse what cannot be trusted: never a silent number (math 16)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from client.core.primitives.refusal import Refusal, require
from estimators.regression.columns import Columns
from estimators.regression.likelihoods.covariance import FEW_CLUSTERS, Errors, covariance
from estimators.regression.likelihoods.newton import Evaluation
from estimators.regression.models import LikelyModel, Model
from estimators.shares.spread import Array

# A fitted share below this is at the boundary: its logit is beyond -15.
BOUNDARY = float(expit(-15))
# The smallest eigenvalue of the information, as a part of the largest, on orthogonal columns.
FLAT = 1e-8


@dataclass(frozen=True)
class Estimated:
    """Parameters with their covariance, and what a reader must know about them."""

    model: Model
    theta: Array
    covariance: Array
    errors: Errors
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Fitted(Estimated):
    """A maximum of a likelihood."""

    model: LikelyModel
    llf: float
    # The information of the parameters: minus the second derivatives of the log-likelihood.
    information: Array
    steps: int


def fit(columns: Columns, model: LikelyModel, errors: Errors) -> Fitted:
    """Maximise a likelihood; raise if there is no maximum inside, or none was reached."""
    likelihood = model.likelihood
    k = len(likelihood.matrix)
    require(columns.n > k, "too_few_rows", "formula", n=columns.n, parameters=k)
    maximum = likelihood.maximum()
    theta = likelihood.matrix @ maximum.t + likelihood.shift
    here = maximum.evaluation
    _check_separated(columns, model, theta, maximum.converged and not _is_flat(here))
    _check_boundary(model, theta)
    require(not _is_flat(here), "flat_likelihood", "formula")
    require(maximum.converged, "not_converged", "formula", steps=maximum.steps)
    matrix = likelihood.matrix
    bread = np.asarray(np.linalg.inv(here.information), dtype=np.float64)
    scores = np.zeros((0, k))
    if errors.cov != "nonrobust":
        per_repeat = columns.weights / columns.repeats
        scores = likelihood.rows(maximum.t)[1] * per_repeat[:, np.newaxis]
    own = covariance(bread, scores, columns.n, errors, columns.repeats)
    inverse = np.linalg.inv(matrix)
    return Fitted(
        model,
        theta,
        matrix @ own @ matrix.T,
        errors,
        (*fit_notes(columns, errors), *likelihood.notes),
        here.value,
        inverse.T @ here.information @ inverse,
        maximum.steps,
    )


def _is_flat(here: Evaluation) -> bool:
    values = np.linalg.eigvalsh(here.information)
    return not values[0] > FLAT * values[-1]


def _check_separated(columns: Columns, model: LikelyModel, theta: Array, found: bool) -> None:
    """Raise if the terms tell the answers of an outcome that was not randomized apart."""
    outcome = columns.formula.outcome
    if found or outcome in columns.frame.randomized or not model.are_shares:
        return
    shares = model.mean(theta, model.exog.x)
    certain = np.minimum(shares, 1 - shares).min() < BOUNDARY
    require(
        not certain, "separated_outcome", "formula", labels=[f"{outcome} = 0", f"{outcome} = 1"]
    )


def _check_boundary(model: LikelyModel, theta: Array) -> None:
    """Raise if a share is estimated as 0, with the moment estimate of the rows where it is."""
    shares = model.near_boundary(theta)
    smallest = shares.min(axis=0)
    place = int(np.argmin(smallest))
    if smallest[place] >= BOUNDARY:
        return
    rows = shares[:, place] < BOUNDARY
    scores = model.scores()[rows, place]
    raise Refusal(
        "at_boundary",
        "formula",
        rows=int(rows.sum()),
        n=len(rows),
        label=model.truths[place],
        share=f"{scores.mean():.6f}",
        error=f"{scores.std(ddof=1) / np.sqrt(len(scores)):.6f}" if len(scores) > 1 else "unknown",
    )


def fit_notes(columns: Columns, errors: Errors) -> tuple[str, ...]:
    """Return sentences about rows that were left out and about few clusters."""
    notes = []
    if columns.left_out:
        notes.append(
            f"{columns.left_out:,} rows were left out: they lack a value, or a report about this."
        )
    if errors.clusters is not None:
        count = int(errors.clusters.max()) + 1
        if count < FEW_CLUSTERS:
            notes.append(
                f"There are only {count} clusters: with fewer than {FEW_CLUSTERS} the errors "
                "are too small."
            )
    return tuple(notes)
