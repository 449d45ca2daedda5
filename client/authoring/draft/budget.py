"""How a total epsilon is split among the questions of a survey (math 6)."""

import math
from collections.abc import Callable, Sequence
from decimal import ROUND_FLOOR, Decimal

from client.authoring.draft.reader import Fields
from client.core.primitives import channel
from client.core.primitives.refusal import Refusal, require, within

# Epsilons have at most six decimals; a split is rounded down to fewer, to stay readable.
SPLIT_STEP = Decimal("0.0001")
ROOT_STEP = Decimal("0.000000001")


def split_budget(
    drafts: Sequence[Fields], total: object, default: object, asked: int
) -> list[Decimal]:
    """Each question's epsilon: its own, the survey's default, or its part of the total.

    With a total, weights say how much the precision of each question matters: epsilon goes with
    the cube root of the weight, which is within 2 % of the best split.
    """
    if total is None:
        if default is not None:
            # Asked even where every question has its own: nothing in a file goes unread.
            channel.parse_epsilon(default)
        return [_in_question(_own, fields, default) for fields in drafts]
    require(
        default is None and not any("epsilon" in fields.values for fields in drafts),
        "two_budgets",
        "give either total_epsilon with weights, or an epsilon per question, not both",
        "total_epsilon",
    )
    budget = channel.parse_epsilon(total, "total_epsilon")
    # Rounded, so that the root of 27 is 3 whatever the machine.
    roots = [
        Decimal(math.cbrt(_in_question(_weight, fields))).quantize(ROOT_STEP) for fields in drafts
    ]
    # Whoever draws the dearest questions must stay within the total.
    spent = sum(sorted(roots, reverse=True)[:asked], Decimal(0))
    # Multiplied before divided: three parts of 3 are 1 each, not 0.9999.
    parts = [budget * root / spent for root in roots]
    rounded = [part.quantize(SPLIT_STEP, rounding=ROUND_FLOOR) for part in parts]
    for fields, part in zip(drafts, rounded, strict=True):
        require(
            part >= channel.MIN_EPSILON,
            "epsilon_out_of_range",
            f"total_epsilon {total} leaves {part} for {fields.where}, "
            f"less than {channel.MIN_EPSILON}; ask each person fewer questions",
            "total_epsilon",
        )
    return rounded


def _in_question(take: Callable[..., Decimal], fields: Fields, *more: object) -> Decimal:
    with within(_name(fields)):
        return take(fields, *more)


def _name(fields: Fields) -> str:
    return str(fields.values.get("id", fields.where))[:40]


def _own(fields: Fields, default: object) -> Decimal:
    require(
        "weight" not in fields.values,
        "weight_without_total",
        "weight has no meaning unless the survey has a total_epsilon",
        "weight",
    )
    text = fields.take("epsilon") if "epsilon" in fields.values else default
    if text is None:
        raise Refusal(
            "missing_field", f"{_name(fields)} needs an epsilon, its own or the survey's", "epsilon"
        )
    return channel.parse_epsilon(text, f"{_name(fields)}.epsilon")


def _weight(fields: Fields) -> Decimal:
    weight = fields.take_decimal("weight")
    require(weight > 0, "bad_weight", f"weight must be above 0, got {weight}", "weight")
    return weight
