"""What is sound in a draft that still has faults: enough for figures and a preview of that part.

Nothing is invented: a question counts only as its author wrote it, and epsilons only where the
whole budget can be read.
"""

from dataclasses import dataclass, replace
from typing import Any

from client.authoring.draft.mending import mend
from client.core.question import Question
from client.core.survey import Survey
from server.workbench.editor.languages import in_own_language

Draft = dict[str, Any]

_BUDGET = ("total_epsilon", "epsilon", "ask_each_person")


@dataclass(frozen=True)
class SoundPart:
    """A survey in which faults are mended somehow, and which of its questions are as written."""

    survey: Survey
    questions: frozenset[int]
    # Whether every part of a total, and the sum of epsilons, are the author's.
    has_budget: bool
    has_total: bool

    @property
    def is_whole(self) -> bool:
        return len(self.questions) == len(self.survey.questions)


def sound_part(draft: Draft) -> SoundPart | None:
    """None where nothing can be said, such as when there is no question."""
    mended = mend(draft)
    if mended.faults:
        # Translations that are still missing change no figure.
        draft = in_own_language(draft)
        mended = mend(draft)
    if mended.survey is None:
        return None
    pairs = list(zip(draft["questions"], mended.draft["questions"], strict=True))
    has_budget = _budget_of(draft) == _budget_of(mended.draft)
    return SoundPart(
        mended.survey,
        frozenset(i for i, (own, other) in enumerate(pairs) if has_budget and own == other),
        has_budget,
        has_budget and all(own.get("epsilon") == other.get("epsilon") for own, other in pairs),
    )


def _budget_of(draft: Draft) -> list[Any]:
    """All that a question's part of a total depends on."""
    weights = [question.get("weight") for question in draft["questions"]]
    return [*(draft.get(name) for name in _BUDGET), *weights]


def preview_of(part: SoundPart) -> Survey | None:
    """The survey with its sound questions only, and without those that hang on others."""
    if part.is_whole:
        return part.survey
    kept: list[Question] = []
    for index, question in enumerate(part.survey.questions):
        rule = question.show_if
        is_decided = rule is None or rule.question in {item.id for item in kept}
        if index in part.questions and is_decided:
            kept.append(question)
    if not kept:
        return None
    asked = part.survey.ask_each_person
    fewer = asked if asked < len(kept) else 0
    return replace(part.survey, questions=tuple(kept), ask_each_person=fewer, translations=())
