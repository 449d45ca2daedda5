"""All that is to be said of a draft: what it is about, where to mend it, and what is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.faults import Path, field_of, question_of
from client.authoring.lint import ERROR, Problem, problem_of
from client.core.primitives.refusal import Refusal
from server.surveys.schedule import Schedule
from server.workbench.editor.form import Entry
from server.workbench.editor.naming import name_of_question
from server.workbench.editor.wording import in_form_words

Draft = dict[str, Any]

# What is about the whole survey, and where in the page it can be changed.
_WHOLE = {
    "imprecise": ("respondents", "Planned respondents"),
    "weak_budget": ("total", "Total epsilon"),
    "total_epsilon_too_large": ("total", "Total epsilon"),
    "bad_questions": ("questions", "Questions"),
}


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
        yield problem_of(ERROR, refusal, None)


def _remark(draft: Draft, problem: Problem, entries: Mapping[str, Entry]) -> Remark:
    index = question_of(problem.path)
    entry = entries.get(problem.field)
    if entry is not None:
        name, (target, title) = entry.name, _control(entry, problem.path)
    elif index >= 0:
        name, target, title = f"questions[{index}]", f"question-{index + 1}", ""
    else:
        target, title = _WHOLE.get(problem.code, ("problems", ""))
        name = target
    parts = ("" if index < 0 else name_of_question(draft, index), title)
    return Remark(
        name,
        target,
        ": ".join(part for part in parts if part),
        f"{in_form_words(problem.refusal)}.",
        problem.severity == ERROR,
        problem.code == "unknown_field",
    )


def _control(entry: Entry, path: Path) -> tuple[str, str]:
    """The control to look at, and its title: a fault of a translation stands at its language."""
    language = path[-1] if len(path) > len(field_of(path)) else ""
    names = [item.name for item in entry.inputs]
    told = f"{entry.name}@{language}"
    return (told, f"{entry.title} ({language})") if told in names else (names[0], entry.title)
