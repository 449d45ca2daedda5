"""Remarks on a draft: what is wrong or unwise, where, and which control changes it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.faults import Path, field_of, question_of
from client.authoring.lint import ERROR, Problem, problem_of
from client.core.primitives.refusal import Refusal
from server.surveys.schedule import Schedule
from server.workbench.editor.form import Entry
from server.workbench.editor.naming import name_of_question
from server.workbench.editor.wording import form_sentence

Draft = dict[str, Any]

# Codes about the whole survey: the target in the page, and its title.
_WHOLE = {
    "imprecise": ("respondents", "Planned respondents"),
    "weak_budget": ("total", "Total epsilon"),
    "total_epsilon_too_large": ("total", "Total epsilon"),
    "bad_questions": ("questions", "Questions"),
    **dict.fromkeys(("bad_groups", "small_groups"), ("groups", "Groups")),
}


@dataclass(frozen=True)
class Remark:
    """Something to correct before publishing, or to think about."""

    # The entry below which it is shown, or the target if it belongs to none.
    entry: str
    # The id of the element in the page where it can be changed.
    target: str
    # Such as "Question 2, “Which?”: Options".
    about: str
    says: str
    # Whether it prevents publishing.
    is_needed: bool
    # Whether it is about a field that the form cannot show, only remove.
    is_foreign: bool = False

    @property
    def sentence(self) -> str:
        """The remark as a sentence, for places that show what it is about."""
        return f"{self.says[:1].upper()}{self.says[1:]}"


def remarks_of(
    draft: Draft, problems: Sequence[Problem], entries: Mapping[str, Entry], now: str
) -> list[Remark]:
    """Return all remarks in the order of the form, those that prevent publishing first."""
    found = [
        _remark(draft, problem, entries)
        for problem in [*_deletion(draft, problems, now), *problems]
        if problem.code != "no_delete_on"
    ]
    return sorted(found, key=lambda remark: not remark.is_needed)


def _deletion(draft: Draft, problems: Sequence[Problem], now: str) -> Iterator[Problem]:
    """Yield what publishing will demand of the day of deletion, so that it is said early."""
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
    parts = (_part_of(draft, problem.path), title)
    return Remark(
        name,
        target,
        ": ".join(part for part in parts if part),
        f"{form_sentence(problem.refusal)}.",
        problem.severity == ERROR,
        problem.code == "unknown_field",
    )


def _part_of(draft: Draft, path: Path) -> str:
    """Name the question or the factor that a path leads into; '' for the survey itself."""
    match path:
        case ("questions", int(index), *_):
            return name_of_question(draft, index)
        case ("groups", "factors", int(index), *_):
            return f"Groups, factor {index + 1}"
    return ""


def _control(entry: Entry, path: Path) -> tuple[str, str]:
    """Return the control for a path and its title; a translation has its own control."""
    language = path[-1] if len(path) > len(field_of(path)) else ""
    names = [item.name for item in entry.inputs]
    own = f"{entry.name}@{language}"
    return (own, f"{entry.title} ({language})") if own in names else (names[0], entry.title)
