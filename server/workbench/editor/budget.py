"""The two ways to share out epsilon, and how a draft changes from one to the other."""

from decimal import Decimal
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text

Draft = dict[str, Any]

TOTAL, EACH = "total", "each"
WAYS = ((TOTAL, "one total, split by weights"), (EACH, "an epsilon for each question"))
# What is no question while the other way is chosen.
HIDDEN = {TOTAL: frozenset(["epsilon"]), EACH: frozenset(["total_epsilon", "weight"])}
USUAL_TOTAL = "2"


def way_of(draft: Draft) -> str:
    return TOTAL if "total_epsilon" in draft else EACH


def with_budget(draft: Draft) -> Draft:
    """A file from elsewhere says nothing of epsilon: it begins with the total of a blank page."""
    questions = draft.get("questions")
    parts = [draft, *(questions if isinstance(questions, list) else [])]
    says = any("epsilon" in part or "total_epsilon" in part for part in parts)
    return draft if says else {**draft, "total_epsilon": USUAL_TOTAL}


def change_way(draft: Draft, way: str) -> Draft:
    """The same budget, written the other way, as far as it can be."""
    if way not in HIDDEN or way == way_of(draft):
        return draft
    spent = _spent(draft)
    gone = HIDDEN[way]
    survey = {name: value for name, value in draft.items() if name not in gone}
    questions = [
        {name: value for name, value in question.items() if name not in gone}
        for question in draft["questions"]
    ]
    if way == TOTAL:
        total = decimal_text(sum(spent, Decimal(0))) if spent else USUAL_TOTAL
        return {**survey, "total_epsilon": total, "questions": questions}
    if not spent:
        return {**survey, "epsilon": "1", "questions": questions}
    each = [
        {**question, "epsilon": decimal_text(epsilon)}
        for question, epsilon in zip(questions, spent, strict=True)
    ]
    return {**survey, "questions": each}


def _spent(draft: Draft) -> list[Decimal]:
    """What every question costs now, if the draft is sound."""
    try:
        return [question.epsilon for question in build_survey(draft).questions]
    except Refusal:
        return []
