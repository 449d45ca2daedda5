"""Cross two questions of the same people, or read a `cross` question as a table (math 15)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from estimators.columns.frame import Frame
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally
from estimators.cross import building
from estimators.cross.advice import Advice, advise
from estimators.cross.association import cramers_v, log_odds_ratio, phi
from estimators.cross.cells import cells_of_joint, cells_of_pairs
from estimators.cross.independence import (
    ChiSquare,
    independence_of_cells,
    independence_of_joint,
    independence_of_pairs,
)
from estimators.cross.joint import Joint, check_size, joint_of_boxes, joint_of_cells, joint_of_pairs
from estimators.cross.pairs import Pairs, count_pairs
from estimators.cross.sides import CATEGORIES, NUMBER, Side, side_of
from estimators.cross.table import CrossTable, Estimate, GroupMean, Margin
from estimators.shares.choices import ChoiceEstimates
from estimators.shares.intervals import normal_quantile
from estimators.shares.spread import Array
from estimators.tables.question import estimate_question

# With fewer reports in support of a cell its errors hold only roughly.
FEW_REPORTS = 5


@runtime_checkable
class PairedBoxes(Protocol):
    """A mechanism whose reports tell two boxes together, but not as two independent bits."""

    def pair_scores(self, reports: Sequence[Any], first: int, second: int) -> Array:
        """Return for each report an unbiased score of "both boxes are ticked"."""


@runtime_checkable
class TwoSided(Protocol):
    """A kind whose first options are the cells of a table, row by row."""

    @property
    def row_prompt(self) -> str: ...

    @property
    def rows(self) -> tuple[str, ...]: ...

    @property
    def column_prompt(self) -> str: ...

    @property
    def columns(self) -> tuple[str, ...]: ...


class _Head(NamedTuple):
    """The name and the labels of one side of a table."""

    name: str
    labels: tuple[str, ...]


def cross(
    frame: Frame, first: str, second: str | None = None, confidence: float = CONFIDENCE
) -> CrossTable:
    """Return the table of two questions, or of one question of the kind `cross`.

    A name is that of a question. `question:option` means one option or box, yes or no, and
    `question:30,60` a number cut into classes at these limits.
    """
    if second is None:
        return _own_table(frame, first, confidence)
    one, other = side_of(frame, first), side_of(frame, second)
    if one.kind == NUMBER:
        one, other = other, one
    require(one.kind != NUMBER, "two_numbers", first, first=first, second=second)
    check_size(len(one.labels), len(other.labels))
    if one.column.name == other.column.name:
        return _two_boxes(one, other, confidence)
    pairs = _pairs(one, other)
    require(pairs.n >= 2, "no_pairs.two", first, second=second)
    return _of_pairs(one, other, pairs, confidence)


def _pairs(one: Side, other: Side) -> Pairs:
    shape = len(one.scores), len(other.scores)
    return Pairs(count_pairs(one.codes, other.codes, shape), one.scores, other.scores)


def _of_pairs(one: Side, other: Side, pairs: Pairs, confidence: float) -> CrossTable:
    test = independence_of_pairs(pairs)
    if one.kind == other.kind == CATEGORIES:
        joint = joint_of_pairs(pairs)
        table = _of_joint(_heads(one, other), joint, joint, test, confidence, _advice(one, other))
        return replace(table, few_reports=pairs.fewest_in_support(False) < FEW_REPORTS)
    z, cells = normal_quantile(confidence), cells_of_pairs(pairs)
    is_number = other.kind == NUMBER
    if is_number and pairs.second.shape[1] > 1:
        means, mean = building.answered_means_of(pairs, one.labels, z)
        rows, _ = building.pair_margins(pairs, one.labels, (*other.labels, "answered"), z)
        return _of_means(one, other, pairs, confidence, rows, means, mean, test)
    rows, columns = building.pair_margins(pairs, one.labels, other.labels, z)
    if is_number:
        means = building.table_means(cells, one.labels, z)
        return _of_means(one, other, pairs, confidence, rows, means, columns[0].share, test)
    return _table(
        _heads(one, other),
        n=pairs.n,
        confidence=confidence,
        columns=other.labels,
        cells=building.table_cells(cells, one.labels, other.labels, z),
        row_margins=rows,
        column_margins=columns,
        test=test,
        few_reports=pairs.fewest_in_support(False) < FEW_REPORTS,
    )


def _of_means(
    one: Side,
    other: Side,
    pairs: Pairs,
    confidence: float,
    rows: tuple[Margin, ...],
    means: tuple[GroupMean, ...],
    mean: Estimate,
    test: ChiSquare,
) -> CrossTable:
    """Return the table of a number: its mean in every row."""
    return _table(
        _heads(one, other),
        n=pairs.n,
        confidence=confidence,
        row_margins=rows,
        means=means,
        mean=mean,
        test=test,
        few_reports=pairs.fewest_in_support(True) < FEW_REPORTS,
    )


def _of_joint(
    heads: tuple[_Head, _Head],
    joint: Joint,
    answered: Joint | None,
    test: ChiSquare,
    confidence: float,
    advice: Advice | None = None,
    silence: float | None = None,
) -> CrossTable:
    """Return the table of labels that exclude each other.

    `answered` is the table of those who answered; None if nobody seems to have done so.
    """
    z, (one, other) = normal_quantile(confidence), heads
    rows, columns = building.joint_margins(joint, one.labels, other.labels, z)
    is_two_by_two = joint.shape == (2, 2)
    return _table(
        heads,
        n=joint.n,
        confidence=confidence,
        columns=other.labels,
        cells=building.table_cells(cells_of_joint(joint), one.labels, other.labels, z),
        row_margins=rows,
        column_margins=columns,
        phi=phi(answered, z) if answered and is_two_by_two else None,
        log_odds_ratio=log_odds_ratio(answered, z) if answered and is_two_by_two else None,
        cramers_v=cramers_v(answered, z) if answered else None,
        test=test,
        silence=silence,
        advice=advice,
    )


def _table(heads: tuple[_Head, _Head], **figures: Any) -> CrossTable:
    one, other = heads
    return CrossTable(first=one.name, second=other.name, rows=one.labels, **figures)


def _heads(one: Side, other: Side) -> tuple[_Head, _Head]:
    return _Head(one.name, one.labels), _Head(other.name, other.labels)


def _advice(one: Side, other: Side) -> Advice | None:
    """Return what one `cross` question would have given, if it could have been asked instead."""
    first, second = one.column.question, other.column.question
    is_whole = one.labels == one.column.labels and other.labels == other.column.labels
    if first is None or second is None or not is_whole:
        return None
    return advise(first, second)


def _two_boxes(one: Side, other: Side, confidence: float) -> CrossTable:
    """Return the table of two boxes of one question, if its reports tell it."""
    column, first, second = one.column, one.chosen, other.chosen
    are_boxes = column.chances is None and first is not None and second is not None
    require(are_boxes and first != second, "same_question", column.name)
    if first is None or second is None or not isinstance(column.channel, PairedBoxes):
        # The bits of different boxes are independent draws.
        pairs = _pairs(one, other)
        require(pairs.n >= 2, "not_identified.one_box", column.name)
        return _of_pairs(one, other, pairs, confidence)
    both = column.channel.pair_scores(column.reports, first, second)
    joint = joint_of_boxes(column.counts(), both, column.scores[:, [first, second]])
    test = independence_of_joint(joint)
    supporting = (column.scores[:, [first, second]] > 0).all(axis=1)
    table = _of_joint(_heads(one, other), joint, joint, test, confidence)
    return replace(table, few_reports=float(column.counts() @ supporting) < FEW_REPORTS)


def _own_table(frame: Frame, name: str, confidence: float) -> CrossTable:
    question = frame.question(name).question
    if question is None or not is_table(question):
        raise Refusal("needs_second_question", name)
    return cross_question(question, frame.tallies()[name], confidence)


def is_table(question: Question) -> bool:
    """Whether the options of a question are the cells of a table."""
    return isinstance(question.kind, TwoSided)


def label_table(table: CrossTable, question: Question) -> CrossTable:
    """Return the table of a question with its words in another language."""
    kind = question.kind
    assert isinstance(kind, TwoSided)
    return table.labelled(kind.row_prompt, kind.rows, kind.column_prompt, kind.columns)


def cross_question(question: Question, tally: Tally, confidence: float = CONFIDENCE) -> CrossTable:
    """Return the table of one question of the kind `cross`; raise unless it has two reports."""
    require(tally.n >= 2, "no_pairs.cross", question.id)
    table, estimates = question.kind, estimate_question(question, tally)
    if not (isinstance(table, TwoSided) and isinstance(estimates, ChoiceEstimates)):
        raise Refusal("needs_second_question", question.id)
    rows, columns = len(table.rows), len(table.columns)
    joint = joint_of_cells(estimates, rows, columns)
    answered: Joint | None = joint
    silence = None
    if len(estimates.shares) > rows * columns:
        total = float(joint.cells.sum())
        slope = np.zeros(len(joint.covariance))
        slope[: joint.cells.size] = 1
        answered, silence = joint.scaled(total, slope) if total > 0 else None, 1 - total
    found = _of_joint(
        (_Head(table.row_prompt, table.rows), _Head(table.column_prompt, table.columns)),
        joint,
        answered,
        independence_of_cells(estimates, rows, columns),
        confidence,
        silence=silence,
    )
    few = int(estimates.reported[: rows * columns].min()) < FEW_REPORTS
    return replace(found, few_reports=few)
