"""Check a survey file before it is published: its faults, and what is unwise."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from client.authoring.draft.faults import Path, field_of, path_text
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.places import SurveyFile, place_of
from client.authoring.files import parse_survey_file
from client.authoring.unfinished import unfinished_texts
from client.core.completion import NO_PANEL
from client.core.kinds import Kind
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.languages import INTERFACE, best
from client.wording.levels import is_weak

ERROR, WARNING = "error", "warning"
# What a form made elsewhere loses; whoever publishes it must know.
LEFT_OUT, CHANGED = "left out", "changed"
# Longer slugs are cut off where links are shown.
LONG_SLUG = 40
LONG_PROMPT = 300
# Options that belong at the end of a list, in the languages of the page.
_AT_THE_END = """
Other / Others / Something else / None of these / None of the above / All of these / Don't know
Andere / Anderes / Sonstige / Sonstiges / Etwas anderes / Keine davon / Nichts davon / Weiß nicht
Otro / Otra / Otros / Otras / Otra cosa / Ninguno / Ninguna / Ninguna de estas / No lo sé / No sé
أخرى / آخر / غير ذلك / لا شيء مما سبق / لا أعرف
"""


@dataclass(frozen=True)
class Problem:
    """One fault or warning about a survey file, with its place in the file."""

    severity: str
    refusal: Refusal
    place: str
    message: str

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def path(self) -> Path:
        """The path in the draft; a problem of the file itself has none there."""
        return self.refusal.path

    @property
    def field(self) -> str:
        return path_text(field_of(self.path))

    def as_json(self) -> dict[str, str]:
        names = ("severity", "code", "place", "field", "message")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class FileProblem(Problem):
    """A problem of the file itself, which belongs to no field of the draft."""

    @property
    def field(self) -> str:
        return ""


@dataclass(frozen=True)
class LintResult:
    """The problems of a file, and the survey if there are no faults."""

    problems: tuple[Problem, ...]
    file: SurveyFile | None
    survey: Survey | None


def lint_bytes(data: bytes, name: str) -> LintResult:
    """Return every fault of a survey file or, if there is none, every warning."""
    try:
        file = parse_survey_file(data, name)
    except Refusal as refusal:
        return LintResult((_in_file(ERROR, refusal, name),), None, None)
    return lint_survey_file(file, name)


def lint_survey_file(file: SurveyFile, name: str) -> LintResult:
    """Like `lint_bytes`, for a file that has already been parsed."""
    losses = [_in_file(LEFT_OUT, reason, name) for reason in file.left_out]
    losses += [_in_file(CHANGED, reason, name) for reason in file.changed]
    notes = [*losses, *(_in_file(WARNING, note, name) for note in file.notes)]
    errors = [_in_file(ERROR, fault, name) for fault in file.faults]
    if not file.faults or file.draft.get("questions"):
        errors += [problem_of(ERROR, fault, file) for fault in file.reading.faults]
    survey = file.reading.survey
    if errors or survey is None:
        return LintResult((*errors, *notes), file, None)
    warnings = (problem_of(WARNING, warning, file) for warning in _warnings(survey))
    return LintResult((*notes, *warnings), file, survey)


def problem_of(severity: str, refusal: Refusal, file: SurveyFile | None) -> Problem:
    """Return a fault of the draft, or a warning about it, with its place in the file."""
    place = place_of(refusal.path, file.places if file else {})
    return Problem(severity, refusal, place, refusal.message)


def _in_file(severity: str, refusal: Refusal, name: str) -> Problem:
    """Return a problem of the file: at a sheet and row of a workbook, or of the file as a whole."""
    place = refusal.names[0] if refusal.names else name
    return FileProblem(severity, refusal, place, refusal.sentence())


def _warnings(survey: Survey) -> Iterator[Refusal]:
    if is_weak(survey.total_epsilon):
        yield Refusal("weak_budget", total=decimal_text(survey.total_epsilon))
    if not survey.delete_on:
        yield Refusal("no_delete_on", "delete_on")
    if len(survey.slug) > LONG_SLUG:
        yield Refusal("long_slug", "slug", length=len(survey.slug))
    for language in survey.languages:
        if best([language], INTERFACE) is None:
            known = list(INTERFACE)
            yield Refusal("page_in_another_language", "language", known=known, language=language)
    yield from unfinished_texts(survey)
    if survey.completion != NO_PANEL:
        yield Refusal("panel_knows_who", "completion")
    if survey.completion.by_group:
        yield Refusal("panel_knows_group", "completion")
    for index, question in enumerate(survey.questions):
        for warning in _about(question):
            warning.path = ("questions", index, *warning.path)
            warning.names = (question.id,)
            yield warning


def _about(question: Question) -> Iterator[Refusal]:
    kind = question.kind
    if not kind.decline:
        yield Refusal("no_decline", "decline")
    if len(question.prompt) > LONG_PROMPT:
        yield Refusal("long_prompt", "prompt", length=len(question.prompt))
    for option, label in enumerate(kind.own_labels if question.shuffle else ()):
        if _letters(label) in _last_letters() and option not in question.anchored:
            yield Refusal("moving_other", "anchored", option=label)
    for field, labels in _lists(kind).items():
        for one, other in _alike(labels):
            yield Refusal("alike", field, one=one, other=other)


def _lists(kind: Kind) -> dict[str, tuple[str, ...]]:
    """Return the lists of labels that the author wrote, each with the options for silence."""
    declared = KIND_DECLARATIONS[kind.name].own.items()
    return {
        name: (*getattr(kind, name), *kind.silence)
        for name, field in declared
        if field.form.name == "labels"
    }


def _alike(labels: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield pairs of labels that differ only in accents, spaces or punctuation."""
    seen: dict[str, str] = {}
    for label in labels:
        letters = _letters(label)
        if letters and letters in seen:
            yield seen[letters], label
        seen.setdefault(letters, label)


@cache
def _last_letters() -> frozenset[str]:
    found = {_letters(label) for label in re.split(r"[/\n]", _AT_THE_END)}
    return frozenset(found - {""})


def _letters(label: str) -> str:
    # In a number, the sign matters.
    if re.fullmatch(r"-?[0-9.]+", label):
        return label
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", label).casefold() if sign.isalnum()
    )


def problems_as_json(name: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Return the problems as plain values, for programs and for the editor in the browser."""
    names = {ERROR: "errors", WARNING: "warnings", LEFT_OUT: "left_out", CHANGED: "changed"}
    counts = {
        counted: sum(problem.severity == severity for problem in problems)
        for severity, counted in names.items()
    }
    return {"file": name, **counts, "problems": [problem.as_json() for problem in problems]}
