"""All that is to be said of a draft: what it is about, where to mend it, and what is wrong."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.authoring.lint import ERROR, Problem
from client.core.primitives.refusal import Refusal
from server.surveys.schedule import Schedule
from server.workbench.editor.form import Entry
from server.workbench.editor.languages import languages_of
from server.workbench.editor.naming import name_of_question
from server.workbench.editor.phrases import in_form_words

Draft = dict[str, Any]

# What is about the whole survey, and where in the page it can be changed.
_WHOLE = {
    "imprecise": ("respondents", "Planned respondents"),
    "weak_budget": ("total", "Total epsilon"),
    "total_epsilon_too_large": ("total", "Total epsilon"),
    "bad_questions": ("questions", "Questions"),
}
_FIELD = re.compile(r"questions\[(\d+)\](?:\.(.*))?")


@dataclass(frozen=True)
class Remark:
    """One thing to mend, or to think of."""

    # The entry below which it stands; that of the whole survey if it has none.
    entry: str
    # The id in the page of what can be changed about it.
    target: str
    # As in "Question 2, “Which?”: Options".
    about: str
    says: str
    # Whether publishing has to wait for it.
    is_needed: bool
    # Whether it is about something that the form cannot show, and can only take away.
    is_foreign: bool = False

    @property
    def sentence(self) -> str:
        """By itself, where it is seen what it is about."""
        return f"{self.says[:1].upper()}{self.says[1:]}"


def remarks_of(
    draft: Draft, problems: Sequence[Problem], entries: Mapping[str, Entry], now: str
) -> list[Remark]:
    """What is needed first, both in the order of the form."""
    found = [
        _remark(draft, problem, entries)
        for problem in [*_deletion(draft, problems, now), *problems]
        if problem.code != "no_delete_on"
    ]
    return sorted(found, key=lambda remark: not remark.is_needed)


def _deletion(draft: Draft, problems: Sequence[Problem], now: str) -> Iterator[Problem]:
    """What publishing will ask for, from the start."""
    if any(problem.field == "delete_on" and problem.severity == ERROR for problem in problems):
        return
    try:
        Schedule().require_deletion(str(draft.get("delete_on", "")), now)
    except Refusal as refusal:
        yield Problem(ERROR, refusal.code, "", "delete_on", refusal.message)


def _remark(draft: Draft, problem: Problem, entries: Mapping[str, Entry]) -> Remark:
    found = _FIELD.fullmatch(problem.field)
    index = int(found[1]) if found else None
    field = (found[2] or "") if found else problem.field
    id = "" if index is None else str(draft["questions"][index].get("id", ""))[:40]
    language, message = _language(problem.message, draft, id)
    says = in_form_words(message, id, field)
    entry = entries.get(problem.field)
    if entry is not None:
        name = entry.name
        target = _control(entry, language)
        title = f"{entry.title} ({language})" if language else entry.title
    elif index is not None:
        name, target, title = f"questions[{index}]", f"question-{index + 1}", ""
    else:
        target, title = _WHOLE.get(problem.code, ("problems", ""))
        name = target
    parts = ("" if index is None else name_of_question(draft, index), title)
    return Remark(
        name,
        target,
        ": ".join(part for part in parts if part),
        f"{says}.",
        problem.severity == ERROR,
        problem.code == "unknown_field",
    )


def _control(entry: Entry, language: str) -> str:
    names = [item.name for item in entry.inputs]
    return f"{entry.name}@{language}" if f"{entry.name}@{language}" in names else names[0]


def _language(message: str, draft: Draft, id: str) -> tuple[str, str]:
    """A sentence about a translation begins with its language."""
    before, colon, rest = message.partition(": ")
    is_language = bool(colon) and before != id and before in languages_of(draft)[1:]
    return (before, rest) if is_language else ("", message)
