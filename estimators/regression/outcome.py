"""The outcome of a regression, in the form that each model wants."""

from typing import Literal

import numpy as np

from client.core.primitives.refusal import Refusal, require
from estimators.columns.randomized import Randomized
from estimators.regression.columns import Columns, label_place
from estimators.shares.spread import Array

ModelName = Literal["logit", "multinomial", "ordinal", "linear"]
# Two scores are the same if they differ by no more than rounding.
SAME = 1e-9


def as_binary(columns: Columns) -> tuple[Array, Array]:
    """Return P(what was seen | no) and P(what was seen | yes) of the outcome in every row.

    The outcome is a question with two labels, one label of a question with more, or a plain
    column of zeros and ones.
    """
    formula = columns.formula
    column = columns.frame.randomized.get(formula.outcome)
    if column is None:
        values = columns.frame.covariate(formula.outcome)[columns.rows]
        fits = values.dtype.kind in "fiub" and bool(np.isin(values, (0, 1)).all())
        require(fits and formula.label is None, "not_binary.plain", formula.outcome)
        return 1.0 - values, 0.0 + values
    place = label_place(column, formula.label)
    if len(column.labels) == 2 and column.chances is not None:
        chances = columns.of_rows(column, column.chances)
        return chances[:, 1 - place].copy(), chances[:, place].copy()
    labels = column.labels
    named = formula.label is not None
    require(named, "not_binary.labels", column.name, labels=labels, example=labels[-1])
    scores = columns.of_rows(column, column.scores[:, place])
    low, high = scores.min(), scores.max()
    two = np.minimum(scores - low, high - scores) <= SAME * (high - low)
    require(bool(two.all()) and high > low, "not_binary.scores", column.name)
    # A score of two values is (support - q)/(p - q).
    more = 1 / (high - low)
    q = -low * more
    supports = high - scores < scores - low
    no, yes = (np.where(supports, chance, 1 - chance) for chance in (q, q + more))
    return no, yes


def as_categories(columns: Columns) -> tuple[Array, tuple[str, ...]]:
    """Return P(report | truth) of the outcome in every row, and the labels of the truths."""
    name = columns.formula.outcome
    require(name in columns.frame.randomized, "not_categories.plain", name)
    require(columns.formula.label is None, "not_categories.label", name)
    column = columns.frame.question(name)
    return columns.of_rows(column, channel_of(column)), column.labels


def channel_of(column: Randomized) -> Array:
    """Return P(report | truth); raise if truths are sets of boxes or cannot be told apart."""
    if column.chances is None:
        labels = column.labels
        raise Refusal("not_categories.boxes", column.name, labels=labels, example=labels[-1])
    for one, other in zip(column.labels, column.labels[1:], strict=False):
        places = column.labels.index(one), column.labels.index(other)
        differ = np.abs(column.chances[:, places[0]] - column.chances[:, places[1]]).max()
        require(bool(differ > 0), "not_identified", column.name, one=one, other=other)
    return column.chances


def as_numbers(columns: Columns) -> Array:
    """Return an unbiased score of the outcome in every row."""
    formula = columns.formula
    column = columns.frame.randomized.get(formula.outcome)
    if column is None:
        values = columns.frame.covariate(formula.outcome)[columns.rows]
        fits = values.dtype.kind in "fiub" and formula.label is None
        require(fits, "not_numbers", formula.outcome)
        return values.astype(np.float64)
    if formula.label is None and column.mean_scores is not None:
        require(column.answer_scores is None, "not_numbers.silence", column.name)
        return columns.of_rows(column, column.mean_scores)
    two = len(column.labels) == 2 or formula.label is not None
    require(two, "not_numbers", column.name)
    place = label_place(column, formula.label)
    return columns.of_rows(column, column.scores[:, place])


def usual_model(columns: Columns) -> ModelName:
    """Return the model that suits the outcome if none is named."""
    name = columns.formula.outcome
    column = columns.frame.randomized.get(name)
    if column is None:
        values = columns.frame.covariate(name)[columns.rows]
        is_binary = values.dtype.kind in "fiub" and bool(np.isin(values, (0, 1)).all())
        return "logit" if is_binary else "linear"
    if len(column.labels) == 2 or columns.formula.label is not None:
        return "logit"
    return "multinomial" if column.values is None else "linear"


def outcome_scores(columns: Columns) -> Array:
    """Return an unbiased score of every label of the outcome in every row; of no and yes alone."""
    formula = columns.formula
    column = columns.frame.randomized.get(formula.outcome)
    if column is not None and formula.label is None and len(column.labels) > 2:
        return columns.of_rows(column, column.scores)
    if column is None:
        yes = as_numbers(columns)
    else:
        yes = columns.of_rows(column, column.scores[:, label_place(column, formula.label)])
    return np.column_stack((1 - yes, yes))
