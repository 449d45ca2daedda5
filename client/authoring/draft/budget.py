"""Split a total epsilon among the questions of a survey (math 6)."""

import math
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Decimal

from client.authoring.draft.faults import Faults
from client.authoring.draft.reader import Fields
from client.core.primitives import channel
from client.core.primitives.refusal import Refusal, require

# Epsilons may have six decimals; split ones are rounded down to four, for readability.
SPLIT_STEP = Decimal("0.0001")
ROOT_STEP = Decimal("0.000000001")

# What a survey without any epsilon begins with, in the editor and from a form made elsewhere.
USUAL_TOTAL = "2"

Epsilons = list[Decimal | None]


def split_budget(
    drafts: Sequence[Fields], total: object, default: object, asked: int, faults: Faults
) -> Epsilons:
    """Return each question's epsilon: its own, the survey's default, or a part of the total.

    With a total, weights say how much the precision of each question matters: epsilon is
    proportional to the cube root of the weight, which is within 2 % of the best split. None stands
    for an epsilon that cannot be determined.
    """
    if total is not None:
        return _split_total(drafts, total, default, asked, faults)
    usual: Decimal | None = None
    if default is not None:
        # Checked even if every question has its own: no field of a file goes unread.
        with faults.noting():
            usual = channel.parse_epsilon(default)
    return [_own_epsilon(fields, usual, default is None, faults) for fields in drafts]


def _own_epsilon(
    fields: Fields, usual: Decimal | None, is_needed: bool, faults: Faults
) -> Decimal | None:
    with fields.noting(faults):
        require("weight" not in fields.values, "weight_without_total", "weight")
    with fields.noting(faults):
        own = fields.take("epsilon")
        if own is None and (is_needed or "epsilon" in fields.values):
            raise Refusal("missing_field.epsilon", "epsilon", part=fields.where)
        return usual if own is None else channel.parse_epsilon(own)
    return None


def _split_total(
    drafts: Sequence[Fields], total: object, default: object, asked: int, faults: Faults
) -> Epsilons:
    unknown: Epsilons = [None] * len(drafts)
    alone = default is None and not any("epsilon" in fields.values for fields in drafts)
    with faults.noting():
        require(alone, "two_budgets", "total_epsilon")
        budget = channel.parse_epsilon(total, "total_epsilon")
        weights = [_weight(fields, faults) for fields in drafts]
        known = [weight for weight in weights if weight is not None]
        return _parts(drafts, budget, known, asked) if len(known) == len(drafts) else unknown
    return unknown


def _parts(
    drafts: Sequence[Fields], budget: Decimal, weights: Sequence[Decimal], asked: int
) -> Epsilons:
    # Rounded, so that the root of 27 is 3 on every machine.
    roots = [Decimal(math.cbrt(weight)).quantize(ROOT_STEP) for weight in weights]
    # Even a person who draws the costliest questions must stay within the total.
    spent = sum(sorted(roots, reverse=True)[:asked], Decimal(0))
    # Multiply before dividing: three equal parts of 3 are 1 each, not 0.9999.
    parts = [budget * root / spent for root in roots]
    rounded: Epsilons = []
    for fields, part in zip(drafts, parts, strict=True):
        epsilon = part.quantize(SPLIT_STEP, rounding=ROUND_FLOOR)
        require(
            epsilon >= channel.MIN_EPSILON,
            "epsilon_out_of_range.part",
            "total_epsilon",
            total=budget,
            left=epsilon,
            question=fields.where,
            least=channel.MIN_EPSILON,
        )
        rounded.append(epsilon)
    return rounded


def _weight(fields: Fields, faults: Faults) -> Decimal | None:
    with fields.noting(faults):
        weight = fields.read_decimal("weight")
        require(weight > 0, "bad_weight", "weight", weight=weight)
        return weight
    return None
