"""Build the model that a formula asks for, from the columns of a data set."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import numpy as np

from client.core.primitives.refusal import Refusal, require
from estimators.columns.randomized import Randomized
from estimators.regression.columns import Columns, label_place
from estimators.regression.likelihoods.binary import BinaryLikelihood
from estimators.regression.likelihoods.multinomial import MultinomialLikelihood
from estimators.regression.likelihoods.ordinal import OrdinalLikelihood
from estimators.regression.likelihoods.predictor import (
    LogitOutcome,
    NormalOutcome,
    Outcome,
    PredictorLikelihood,
)
from estimators.regression.models import (
    INTERCEPT,
    BinaryModel,
    LikelyModel,
    MultinomialModel,
    OrdinalModel,
    PredictorModel,
)
from estimators.regression.outcome import (
    ModelName,
    as_binary,
    as_categories,
    as_numbers,
    channel_of,
    outcome_scores,
)
from estimators.shares.spread import Array

# A predictor model sums over all combinations of true values in every row.
MOST_COMBINATIONS = 64


def build_model(columns: Columns, name: ModelName) -> LikelyModel:
    """Return the model of the outcome; every model but a linear one without predictors."""
    if columns.predictors:
        return _predictor_model(columns, name)
    return _BUILD[name](columns)


def yes_label(columns: Columns) -> str:
    """Return what the truth 1 is called."""
    column = columns.frame.randomized.get(columns.formula.outcome)
    if column is None:
        return columns.formula.outcome
    return column.labels[label_place(column, columns.formula.label)]


def _binary(columns: Columns) -> LikelyModel:
    no, yes = as_binary(columns)
    require(bool((no != yes).any()), "not_identified.rows", columns.formula.outcome)
    label = yes_label(columns)
    likelihood = BinaryLikelihood(columns.weights, columns.design, no, yes)
    truths = (_other_label(columns, label), label)
    return BinaryModel("logit", (label,), truths, partial(outcome_scores, columns), likelihood)


def _other_label(columns: Columns, label: str) -> str:
    """Return what the truth 0 is called."""
    column = columns.frame.randomized.get(columns.formula.outcome)
    others = () if column is None else tuple(name for name in column.labels if name != label)
    return others[0] if len(others) == 1 else f"not {label}"


def _multinomial(columns: Columns) -> LikelyModel:
    chances, labels = as_categories(columns)
    likelihood = MultinomialLikelihood(columns.weights, columns.design, chances)
    scores = partial(outcome_scores, columns)
    return MultinomialModel("multinomial", labels, labels, scores, likelihood)


def _ordinal(columns: Columns) -> LikelyModel:
    chances, labels = as_categories(columns)
    column = columns.frame.question(columns.formula.outcome)
    require(column.answer_scores is None, "not_categories.silence", column.name)
    design = columns.without((INTERCEPT,)).design
    constant = [name for name, column in zip(design.names, design.x.T, strict=True) if _one(column)]
    for name in constant:
        raise Refusal("singular_design.thresholds", "formula", column=name)
    likelihood = OrdinalLikelihood(columns.weights, design, chances)
    scores = partial(outcome_scores, columns)
    return OrdinalModel("ordinal", labels, labels, scores, likelihood)


_BUILD: Mapping[ModelName, Callable[[Columns], LikelyModel]] = {
    "logit": _binary,
    "multinomial": _multinomial,
    "ordinal": _ordinal,
}


def _one(column: Array) -> bool:
    return bool(np.ptp(column) == 0)


def _predictor_model(columns: Columns, name: ModelName) -> LikelyModel:
    known = columns.formula.outcome not in columns.frame.randomized
    fits = name == "logit" or (name == "linear" and known)
    own = columns.formula
    require(fits, "no_predictor_model", "model", outcome=own.outcome, names=own.predictors)
    outcome: Outcome
    if name == "logit":
        outcome = LogitOutcome(*as_binary(columns))
    else:
        outcome = NormalOutcome(as_numbers(columns))
        require(outcome.values.std() > 0, "constant_outcome", columns.formula.outcome)
    sizes = [len(column.labels) for column in columns.predictors]
    count = int(np.prod(sizes))
    names = columns.formula.predictors
    most = MOST_COMBINATIONS
    require(count <= most, "too_many_combinations", "formula", names=names, count=count, most=most)
    effects = [effect for column in columns.predictors for effect in effect_names(column)]
    kept = [place for place, name in enumerate(effects) if name not in columns.dropped]
    likelihood = PredictorLikelihood(
        *(columns.weights, columns.design, columns.own, _joint(columns, channel_of)),
        *(_effects(sizes)[:, kept], outcome),
    )
    values = list(product(*(column.labels for column in columns.predictors)))
    truths = tuple(
        ", ".join(f"{name}={label}" for name, label in zip(names, value, strict=True))
        for value in values
    )
    return PredictorModel(
        *(name, (yes_label(columns),), truths),
        *(lambda: _joint(columns, lambda column: column.scores), likelihood),
        *(tuple(effects[place] for place in kept), truths[1:]),
    )


def effect_names(column: Randomized) -> tuple[str, ...]:
    """Return the names of a predictor's effects: its own if it has two labels."""
    if len(column.labels) == 2:
        return (column.name,)
    return tuple(f"{column.name}[{label}]" for label in column.labels[1:])


def _joint(columns: Columns, figures: Callable[[Randomized], Array]) -> Array:
    """Return the product of the predictors' figures for every combination of true values."""
    found = np.ones((int(columns.rows.sum()), 1))
    for column in columns.predictors:
        own = columns.of_rows(column, figures(column))
        found = (found[:, :, np.newaxis] * own[:, np.newaxis, :]).reshape(len(own), -1)
    return found


def _effects(sizes: list[int]) -> Array:
    """Return which effects each combination of true values has: none for each first label."""
    parts = [np.eye(size)[:, 1:] for size in sizes]
    rows = product(*(range(size) for size in sizes))
    return np.array(
        [np.concatenate([part[v] for part, v in zip(parts, row, strict=True)]) for row in rows]
    )
