"""A cell of a file of true answers: the label of an option, labels of check-boxes, or a number."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from client.decimals import decimal_text, parse_decimal
from client.domain import Checks, Levels
from client.kinds import Number, Scale
from client.question import Question
from client.refusal import Refusal, require

BOXES_APART = ";"
# A refusal names this many of the labels that would have been right.
MOST_NAMED = 8

ReadCell = Callable[[str], Any]


def cell_reader(question: Question) -> ReadCell:
    """How the cells of one question are read, the labels looked at once."""
    if isinstance(question.domain, Levels):
        assert isinstance(question.kind, Number | Scale)
        return partial(_level, question.kind)
    if isinstance(question.domain, Checks):
        for label in question.options:
            require(
                BOXES_APART not in label,
                "bad_label",
                f"the label {label[:40]!r} must not hold the {BOXES_APART} that parts boxes here",
            )
        return partial(_boxes, question, question.domain, _numbers(question))
    return partial(_option, question, _numbers(question))


def _numbers(question: Question) -> dict[str, int]:
    """Options by their labels; capitals matter only where labels differ by nothing else."""
    plain = {label.casefold(): number for number, label in enumerate(question.options)}
    return plain | {label: number for number, label in enumerate(question.options)}


def _find(question: Question, numbers: Mapping[str, int], text: str) -> int:
    number = numbers.get(text, numbers.get(text.casefold()))
    if number is None:
        named = ", ".join(question.options[:MOST_NAMED])
        more = ", ..." if len(question.options) > MOST_NAMED else ""
        raise Refusal("option_out_of_range", f"must be one of {named}{more}, got {text[:80]!r}")
    return number


def _option(question: Question, numbers: Mapping[str, int], cell: str) -> int:
    """An empty cell is silence, where the question has room for it."""
    if cell:
        return _find(question, numbers, cell)
    require(
        bool(question.kind.decline),
        "empty_cell",
        "must not be empty, for the question cannot be declined",
    )
    return len(question.kind.own_labels)


def _boxes(question: Question, domain: Checks, numbers: Mapping[str, int], cell: str) -> list[int]:
    """An empty cell is no box."""
    labels = [part.strip() for part in cell.split(BOXES_APART)] if cell else []
    ticked = sorted(_find(question, numbers, label) for label in labels)
    require(
        len(set(ticked)) == len(ticked), "repeated_box", f"must name a box once, got {cell[:80]!r}"
    )
    require(
        len(ticked) < 2 or ticked[-1] < len(question.kind.own_labels),
        "silence_and_more",
        f"must have nothing beside an option for silence, got {cell[:80]!r}",
    )
    require(
        len(ticked) <= domain.at_most,
        "too_many_options",
        f"must have at most {domain.at_most} boxes, got {cell[:80]!r}",
    )
    return ticked


def _level(kind: Number | Scale, cell: str) -> int:
    lo, hi, step = Decimal(kind.lo), Decimal(kind.hi), Decimal(kind.step)
    value = parse_decimal(cell, "it")
    require(
        lo <= value <= hi and (value - lo) % step == 0,
        "option_out_of_range",
        f"must be from {decimal_text(lo)} to {decimal_text(hi)} in steps of {decimal_text(step)}, "
        f"got {decimal_text(value)}",
    )
    return int((value - lo) / step)
