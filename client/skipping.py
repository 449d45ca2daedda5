"""Skip logic, on the device only: a hidden question still answers, "does not apply" (math 0.6)."""

from collections.abc import Mapping
from typing import Any

from client.question import Question


def is_shown(question: Question, answers: Mapping[str, Any]) -> bool:
    """Whether the answers so far let a question appear; a hidden decider hides it too."""
    rule = question.show_if
    return rule is None or answers.get(rule.question) in rule.options
