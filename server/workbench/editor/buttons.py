"""What the buttons of the form do to the questions: add, remove and move them, drop the unknown."""

import re
from typing import Any

from client.authoring.draft.fields import SURVEY, question_fields
from client.core.survey import MAX_QUESTIONS
from server.workbench.editor.budget import TOTAL, way_of

Draft = dict[str, Any]

_STEP = re.compile(r"(remove|up|down)-([0-9]{1,3})")


def carry_out(draft: Draft, deed: str) -> Draft:
    """What a button does to the questions, beside saving."""
    questions = list(draft["questions"])
    step = _STEP.fullmatch(deed)
    if deed == "add" and len(questions) < MAX_QUESTIONS:
        questions.append(new_question(draft))
    elif deed == "forget":
        known = {name: value for name, value in draft.items() if name in SURVEY}
        return {**known, "questions": [_known(question) for question in questions]}
    elif step and int(step[2]) < len(questions):
        question = questions.pop(int(step[2]))
        if step[1] != "remove":
            questions.insert(place_after(draft, deed) or 0, question)
    return {**draft, "questions": questions}


def _known(question: Draft) -> Draft:
    declared = question_fields(question)
    return {name: value for name, value in question.items() if name in declared}


def place_after(draft: Draft, deed: str) -> int | None:
    """The index of the question that a button is about, once it has done its deed."""
    last = len(draft["questions"]) - 1
    if deed == "add":
        return min(last + 1, MAX_QUESTIONS - 1)
    step = _STEP.fullmatch(deed)
    if step is None or int(step[2]) > last:
        return None
    moved = {"up": -1, "down": 1, "remove": 0}[step[1]]
    place = min(max(0, int(step[2]) + moved), last - (step[1] == "remove"))
    return place if place >= 0 else None


def new_question(draft: Draft) -> Draft:
    """A yes/no question that is still to be worded."""
    taken = {question.get("id") for question in draft["questions"]}
    number = next(n for n in range(1, len(taken) + 2) if f"q{n}" not in taken)
    spent = {} if way_of(draft) == TOTAL or "epsilon" in draft else {"epsilon": "1"}
    return {"id": f"q{number}", "kind": "yes_no", "decline": "true", **spent}
