"""What a table has in its rows or columns: the labels of a question, and scores for them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from client.core.kinds.choice import MAX_SIDE
from client.core.primitives.refusal import Refusal, require
from estimators.columns.frame import Frame
from estimators.columns.randomized import NOT_ASKED, Codes, Randomized
from estimators.shares.spread import Array

# Exactly one label holds; any number of them; or there is one number instead of labels.
CATEGORIES, BOXES, NUMBER = "categories", "boxes", "number"
# Separates a question from its option, box or limits, as in conditions:Asthma and age:30,60.
MARK = ":"


@dataclass(frozen=True)
class Side:
    """One side of a table.

    `scores` has a row per distinct report and a column per label; the column of a number is the
    number's own score, followed by that of "answered" if people can be silent. `codes` is the
    place of each row's report, NOT_ASKED if it has none. `chosen` is the option or box that the
    side is about, None if it is about all of them.
    """

    name: str
    column: Randomized
    kind: str
    labels: tuple[str, ...]
    scores: Array
    codes: Codes
    chosen: int | None = None


def side_of(frame: Frame, name: str) -> Side:
    """Return a question's side, or that of one option or box, or of a number cut into classes."""
    if name in frame.randomized or MARK not in name:
        return _whole(name, frame.question(name))
    question, _, part = name.partition(MARK)
    column = frame.question(question)
    if column.values is not None and (
        (_is_number(column) and part not in column.labels[len(column.values) :])
        or part not in column.labels
    ):
        return _classes(name, column, column.values, part)
    return _chosen(name, column, part)


def _is_number(column: Randomized) -> bool:
    """Whether means say more than shares: a number, or levels with more labels than a table has.

    Other people's designs name their options 0 and 1, too.
    """
    if column.values is None:
        return False
    return column.question is not None or len(column.labels) > MAX_SIDE


def _whole(name: str, column: Randomized) -> Side:
    if _is_number(column) and column.mean_scores is not None:
        answered = column.answer_scores
        means = np.column_stack([column.mean_scores, *([] if answered is None else [answered])])
        return Side(name, column, NUMBER, ("mean",), means, column.codes)
    kind = BOXES if column.chances is None else CATEGORIES
    return Side(name, column, kind, column.labels, column.scores, column.codes)


def _chosen(name: str, column: Randomized, part: str) -> Side:
    """Return no and yes: whether an option was chosen, or a box ticked."""
    if part not in column.labels:
        raise Refusal("unknown_label", column.name, label=part, known=list(column.labels))
    place = column.labels.index(part)
    ticked = column.scores[:, place]
    about = np.append(~np.isnan(ticked), False)
    scores = np.nan_to_num(np.column_stack((1 - ticked, ticked)))
    codes = np.where(about[column.codes], column.codes, NOT_ASKED)
    return Side(name, column, CATEGORIES, (f"not {part}", part), scores, codes, place)


def _classes(name: str, column: Randomized, values: Array, part: str) -> Side:
    """Return classes of numbers: below the first limit, from it to below the next, and so on.

    Options for silence are classes of their own.
    """
    limits = _limits(name, part)
    classes = np.searchsorted(limits, values, side="right")
    used = np.unique(classes)
    require(
        len(used) == len(limits) + 1,
        "bad_limits.empty",
        name,
        low=float(values[0]),
        high=float(values[-1]),
    )
    levels = len(values)
    members = np.equal.outer(classes, used).astype(np.float64)
    labels = _class_labels([f"{limit:g}" for limit in limits])
    scores = np.column_stack((column.scores[:, :levels] @ members, column.scores[:, levels:]))
    silent = column.labels[levels:]
    return Side(name, column, CATEGORIES, (*labels, *silent), scores, column.codes)


def _limits(name: str, part: str) -> list[float]:
    try:
        limits = [float(text) for text in part.split(",")]
    except ValueError:
        raise Refusal("bad_limits.text", name, text=part) from None
    rising = all(low < high for low, high in pairwise(limits))
    require(rising and bool(np.isfinite(limits).all()), "bad_limits.text", name, text=part)
    return limits


def _class_labels(limits: list[str]) -> tuple[str, ...]:
    between = pairwise(limits)
    return (
        f"below {limits[0]}",
        *(f"{low} to below {high}" for low, high in between),
        f"{limits[-1]} or more",
    )
