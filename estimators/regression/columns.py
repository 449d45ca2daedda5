"""The rows and columns of a regression, taken from a data set."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from client.core.primitives.refusal import Refusal, require
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.counting.group_columns import GROUP
from estimators.regression.formula import Formula, parse_formula, parse_terms
from estimators.regression.libraries import load_analysis
from estimators.regression.likelihoods.design import Design
from estimators.shares.spread import Array

Rows = NDArray[np.bool_]
# The constant as formulaic writes it.
CONSTANT = "1"


@dataclass(frozen=True)
class Columns:
    """A formula and the rows of a data set that have everything the formula needs."""

    frame: Frame
    formula: Formula
    rows: Rows
    design: Design
    # formulaic's memory of categories, splines and scales: new rows become columns by it.
    spec: Any
    # The columns that a randomized predictor's own model has.
    own: Design
    weights: Array
    repeats: Array
    clusters: NDArray[np.int64] | None
    is_weighted: bool
    # Effects of randomized predictors that a restricted model does not have.
    dropped: tuple[str, ...] = ()

    @property
    def left_out(self) -> int:
        """Rows in which something is missing."""
        return int(self.frame.n - self.rows.sum())

    @property
    def n(self) -> float:
        """The number of reports, with repeats."""
        return float(self.repeats.sum())

    @cached_property
    def terms(self) -> dict[str, tuple[str, ...]]:
        """The names of each term's columns; the constant is no term."""
        names = [str(name) for name in self.spec.column_names]
        return {
            str(term): tuple(names[place] for place in places)
            for term, places in self.spec.term_indices.items()
            if str(term) != CONSTANT
        }

    @cached_property
    def predictors(self) -> tuple[Randomized, ...]:
        return tuple(self.frame.question(name) for name in self.formula.predictors)

    def of_rows(self, column: Randomized, figures: Array) -> Array:
        """Return figures by report as figures by row."""
        return column.by_row(figures)[self.rows]

    def without(self, names: tuple[str, ...]) -> "Columns":
        """Return the same rows without some columns of the design, or effects of predictors."""
        keep = [place for place, name in enumerate(self.design.names) if name not in names]
        kept = tuple(self.design.names[place] for place in keep)
        dropped = tuple(name for name in names if name not in self.design.names)
        return replace(self, design=Design(kept, self.design.x[:, keep]), dropped=dropped)


@dataclass(frozen=True)
class Roles:
    """Which columns of the data set are weights, repeats and clusters."""

    weights: str | None = None
    freq_weights: str | None = None
    cluster: str | None = None
    predictors_on: str | None = None


def take_columns(frame: Frame, text: str, roles: Roles) -> Columns:
    """Parse a formula and take what it needs from a data set; raise if something is wrong."""
    formula = parse_formula(text, frame)
    more = None if roles.predictors_on is None else parse_terms(roles.predictors_on, frame)
    numbers = [name for name in (roles.weights, roles.freq_weights) if name is not None]
    for name in numbers:
        require(frame.covariate(name).dtype.kind in "fiu", "bad_weights.numbers", name)
    used = [*formula.covariates, *numbers]
    used += [] if more is None else more.covariates
    used += [] if roles.cluster is None else [roles.cluster]
    rows = _complete(frame, formula, used)
    require(bool(rows.any()), "no_complete_rows", "formula")
    table = _table(frame, used, rows)
    design, spec = materialise(formula.plain, table)
    own = _own_design(formula, design, table)
    own = own if more is None else _joined(own, materialise(more.plain, table)[0])
    weights, repeats = (_weights(frame, name, rows) for name in (roles.weights, roles.freq_weights))
    clusters = None if roles.cluster is None else _clusters(frame.covariate(roles.cluster)[rows])
    return Columns(
        frame,
        formula,
        rows,
        design,
        spec,
        own,
        weights * repeats,
        repeats,
        clusters,
        roles.weights is not None,
    )


def materialise(terms: Any, table: Any) -> tuple[Design, Any]:
    """Return the columns of the terms, and formulaic's memory of them."""
    libraries = load_analysis()
    try:
        # What is not finite is refused below.
        with np.errstate(all="ignore"):
            matrix = terms.get_model_matrix(table, context={}, output="numpy", na_action="ignore")
    except (libraries.formulaic.errors.FormulaicError, ValueError, TypeError) as error:
        reason = str(error).split("\n")[0]
        raise Refusal("bad_formula.values", "formula", reason=reason) from None
    x = np.ascontiguousarray(matrix, dtype=np.float64)
    names = tuple(map(str, matrix.model_spec.column_names))
    for place, name in enumerate(names):
        finite = bool(np.isfinite(x[:, place]).all())
        require(finite, "bad_formula.infinite", "formula", column=name)
    return Design(names, x.reshape(len(table), len(names))), matrix.model_spec


def _own_design(formula: Formula, design: Design, table: Any) -> Design:
    """Return the columns of a randomized predictor's own model: those of the design.

    It has a constant even if the formula has none, because `0 +` is about the outcome.
    """
    if not formula.predictors or CONSTANT in map(str, formula.plain):
        return design
    return materialise(load_analysis().formulaic.Formula([CONSTANT, *formula.plain]), table)[0]


def _joined(design: Design, more: Design) -> Design:
    """Return all columns of the first design, then those that only the second has."""
    new = [place for place, name in enumerate(more.names) if name not in design.names]
    names = (*design.names, *(more.names[place] for place in new))
    return Design(names, np.column_stack((design.x, more.x[:, new])))


def _complete(frame: Frame, formula: Formula, used: list[str]) -> Rows:
    """Return which rows have an answer to each randomized question and no missing value."""
    rows = np.ones(frame.n, dtype=np.bool_)
    for name in (formula.outcome, *formula.predictors):
        if name in frame.randomized:
            rows &= _says_something(frame.randomized[name], formula.label)
        else:
            rows &= ~_missing(name, frame.covariate(name))
    for name in used:
        rows &= ~_missing(name, frame.covariate(name))
    return rows


def _says_something(column: Randomized, label: str | None) -> Rows:
    """Return which rows hold a report, about the box `label` if there are boxes."""
    if label is None or column.chances is not None:
        return column.asked
    scores = column.by_row(column.scores[:, label_place(column, label)])
    return np.asarray(~np.isnan(scores))


def label_place(column: Randomized, label: str | None) -> int:
    """Return the place of a label, by default the second: yes."""
    if label is None:
        return 1
    require(label in column.labels, "unknown_label", column.name, label=label, known=column.labels)
    return column.labels.index(label)


def _missing(name: str, values: NDArray[Any]) -> Rows:
    """Return which values are missing; no group is a group of its own."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind in "US" and name != GROUP:
        return np.asarray(values == "")
    return np.zeros(len(values), dtype=np.bool_)


def _table(frame: Frame, used: list[str], rows: Rows) -> Any:
    columns = {name: _covariate(frame, name, rows) for name in dict.fromkeys(used)}
    return load_analysis().pandas.DataFrame(columns, index=range(int(rows.sum())))


def _covariate(frame: Frame, name: str, rows: Rows) -> Any:
    """Return a plain column; that of a factor has its levels in order, the reference first."""
    values = frame.covariate(name)[rows]
    if name not in frame.factors:
        return values
    present = set(values.tolist())
    levels = [level for level in frame.levels(name)[0] if level in present]
    return load_analysis().pandas.Categorical(values, categories=levels)


def _weights(frame: Frame, name: str | None, rows: Rows) -> Array:
    if name is None:
        return np.ones(int(rows.sum()))
    weights = frame.covariate(name)[rows].astype(np.float64)
    worst = float(weights.min())
    finite = bool(np.isfinite(weights).all())
    require(finite and worst > 0, "bad_weights.sign", name, worst=worst)
    return weights


def _clusters(values: NDArray[Any]) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
