"""Changes to a draft by buttons: its questions, its groups, unknown fields, and the budget."""

import re
from decimal import Decimal
from typing import Any

from client.authoring.draft.budget import USUAL_TOTAL
from client.authoring.draft.fields import SURVEY
from client.authoring.draft.kinds import question_fields
from client.authoring.draft.survey import read_draft
from client.core.primitives.values import decimal_text
from client.core.survey import MAX_QUESTIONS
from server.workbench.editor.groups import change_factors, is_about_groups, known_groups

Draft = dict[str, Any]

TOTAL, EACH = "total", "each"
BUDGETS = ((TOTAL, "one total, split by weights"), (EACH, "an epsilon for each question"))
# The fields that make no sense for each of them.
HIDDEN_FIELDS = {TOTAL: frozenset(["epsilon"]), EACH: frozenset(["total_epsilon", "weight"])}
_STEP = re.compile(r"(remove|up|down)-([0-9]{1,3})")


def budget_of(draft: Draft) -> str:
    return TOTAL if "total_epsilon" in draft else EACH


def with_budget(draft: Draft) -> Draft:
    """Return the draft with the usual total epsilon if it says nothing about epsilon."""
    questions = draft.get("questions")
    parts = [draft, *(questions if isinstance(questions, list) else [])]
    says = any("epsilon" in part or "total_epsilon" in part for part in parts)
    return draft if says else {**draft, "total_epsilon": USUAL_TOTAL}


def change_budget(draft: Draft, way: str) -> Draft:
    """Return the draft with its budget written the other way, as far as possible."""
    if way not in HIDDEN_FIELDS or way == budget_of(draft):
        return draft
    spent = _epsilons_of(draft)
    gone = HIDDEN_FIELDS[way]
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


def _epsilons_of(draft: Draft) -> list[Decimal]:
    """Return every question's epsilon; an empty list if the draft has faults."""
    survey = read_draft(draft).survey
    return [question.epsilon for question in survey.questions] if survey else []


def apply_action(draft: Draft, action: str) -> Draft:
    """Return the draft after a button's action: add, remove, up, down or forget."""
    if is_about_groups(action):
        return change_factors(draft, action)
    questions = list(draft["questions"])
    step = _STEP.fullmatch(action)
    if action == "add" and len(questions) < MAX_QUESTIONS:
        questions.append(new_question(draft))
    elif action == "forget":
        known = {name: value for name, value in draft.items() if name in SURVEY}
        groups = {"groups": known_groups(draft)} if "groups" in draft else {}
        return {**known, **groups, "questions": [_known(question) for question in questions]}
    elif step and int(step[2]) < len(questions):
        question = questions.pop(int(step[2]))
        if step[1] != "remove":
            questions.insert(index_after(draft, action) or 0, question)
    return {**draft, "questions": questions}


def _known(question: Draft) -> Draft:
    declared = question_fields(question)
    return {name: value for name, value in question.items() if name in declared}


def index_after(draft: Draft, action: str) -> int | None:
    """Return the index of the question that the page should show after a button's action."""
    last = len(draft["questions"]) - 1
    if action == "add":
        return min(last + 1, MAX_QUESTIONS - 1)
    step = _STEP.fullmatch(action)
    if step is None or int(step[2]) > last:
        return None
    moved = {"up": -1, "down": 1, "remove": 0}[step[1]]
    place = min(max(0, int(step[2]) + moved), last - (step[1] == "remove"))
    return place if place >= 0 else None


def new_question(draft: Draft) -> Draft:
    """Return a yes/no question without text, under an unused id."""
    taken = {question.get("id") for question in draft["questions"]}
    number = next(n for n in range(1, len(taken) + 2) if f"q{n}" not in taken)
    spent = {} if budget_of(draft) == TOTAL or "epsilon" in draft else {"epsilon": "1"}
    return {"id": f"q{number}", "kind": "yes_no", "decline": "true", **spent}
