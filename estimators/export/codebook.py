"""codebook.csv: what every question and every number of an option stands for."""

from collections.abc import Iterator
from typing import Any

from client.decimals import decimal_text
from client.kinds import Number, Scale
from client.question import Question
from client.survey import Survey

_SHAPE = ("options", "size", "asked", "at_most", "top", "width")
COLUMNS = (
    *("question", "kind", "prompt", "option", "label", "goal", "lo", "hi", "step", "unit"),
    *("show_if_question", "show_if_options", "epsilon", "mechanism", "threshold"),
    *_SHAPE,
)


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    """One row per option of each question; one where the answer is a number."""
    for question in survey.questions:
        about = facts(question)
        for option, label in enumerate(question.options):
            yield {**about, "option": option, "label": label}
        if not question.options:
            yield about


def facts(question: Question) -> dict[str, Any]:
    """What is the same for all its options."""
    kind, mechanism, rule = question.kind, question.mechanism, question.show_if
    ordered = kind if isinstance(kind, Scale | Number) else None
    return {
        "question": question.id,
        "kind": kind.name,
        "prompt": question.prompt,
        "goal": kind.goal,
        "lo": ordered and str(ordered.lo),
        "hi": ordered and str(ordered.hi),
        "step": ordered and str(ordered.step),
        "unit": question.unit,
        "show_if_question": rule and rule.question,
        "show_if_options": rule and " ".join(map(str, rule.options)),
        "epsilon": decimal_text(question.epsilon),
        "mechanism": mechanism.name,
        "threshold": mechanism.threshold,
        **mechanism.shape,
    }
