"""All that can be said of a survey file before it is published: its faults, and what is unwise."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from client.authoring.draft.mending import mend
from client.authoring.draft.places import Path, SurveyFile, path_text, place_of
from client.authoring.draft.survey import build_survey
from client.authoring.files import parse_survey_file
from client.core.kinds import Cross, Number
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.languages import INTERFACE, best
from client.wording.levels import is_weak

ERROR, WARNING = "error", "warning"
# Longer ones are cut short where links are shown.
LONG_SLUG = 40
LONG_PROMPT = 300
_PLACED = re.compile(r"((?:survey|choices|settings|sheet)\b[^:]*(?:::[^:]*)?): (.*)", re.DOTALL)


@dataclass(frozen=True)
class Problem:
    """One thing about a survey file, with its place in the file and its field in the draft."""

    severity: str
    code: str
    place: str
    field: str
    message: str

    def as_json(self) -> dict[str, str]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class LintResult:
    """A file that was looked through; the survey, if nothing is wrong with it."""

    problems: tuple[Problem, ...]
    file: SurveyFile | None
    survey: Survey | None

    def warning(self, code: str, path: Path, message: str) -> Problem:
        """One more, in the same file."""
        places = self.file.places if self.file else {}
        return Problem(WARNING, code, place_of(path, places), path_text(path), message)


def look_through(data: bytes, name: str) -> LintResult:
    """Every fault, or, where there is none, every warning."""
    try:
        file = parse_survey_file(data, name)
    except Refusal as refusal:
        return LintResult((_in_file(ERROR, refusal, name),), None, None)
    return look_through_file(file, name)


def look_through_file(file: SurveyFile, name: str) -> LintResult:
    """The same for what was read already."""
    notes = [_in_file(WARNING, note, name) for note in file.notes]
    errors = [*(_in_file(ERROR, fault, name) for fault in file.faults), *_faults(file)]
    if errors:
        return LintResult((*errors, *notes), file, None)
    survey = build_survey(file.draft)
    looked = LintResult((), file, survey)
    return LintResult((*notes, *_warnings(survey, looked)), file, survey)


def _in_file(severity: str, refusal: Refusal, name: str) -> Problem:
    """Such a refusal begins with its place, or is about the whole file."""
    placed = _PLACED.fullmatch(refusal.message)
    place, message = (placed[1], placed[2]) if placed else (name, refusal.message)
    return Problem(severity, refusal.code, place, "", message)


def _faults(file: SurveyFile) -> Iterator[Problem]:
    if file.faults and not file.draft.get("questions"):
        # All of them are at fault by themselves.
        return
    for path, refusal in sorted(mend(file.draft).faults, key=_question_of):
        place = place_of(path, file.places)
        yield Problem(ERROR, refusal.code, place, path_text(path), refusal.message)


def _question_of(fault: tuple[Path, Refusal]) -> int:
    """In the order of the file: what concerns the whole survey first."""
    return next((part for part in fault[0] if isinstance(part, int)), -1)


def _warnings(survey: Survey, looked: LintResult) -> Iterator[Problem]:
    if is_weak(survey.total_epsilon):
        total = decimal_text(survey.total_epsilon)
        message = f"a total epsilon of {total} is weak protection, and the page will say so"
        yield looked.warning("weak_budget", (), message)
    if not survey.delete_on:
        message = "no day is given on which the reports are deleted; publishing needs one"
        yield looked.warning("no_delete_on", ("delete_on",), message)
    if len(survey.slug) > LONG_SLUG:
        message = f"slug has {len(survey.slug)} characters; links are easier to read with fewer"
        yield looked.warning("long_slug", ("slug",), message)
    for language in survey.languages:
        if best([language], INTERFACE) is None:
            known = ", ".join(INTERFACE)
            message = f"the page's own words are there in {known}, not in {language}"
            yield looked.warning("page_in_another_language", ("language",), message)
    for index, question in enumerate(survey.questions):
        for code, field, message in _about(question):
            yield looked.warning(code, ("questions", index, field), f"{question.id}: {message}")


def _about(question: Question) -> Iterator[tuple[str, str, str]]:
    kind = question.kind
    if kind.labels and not kind.decline:
        yield "no_decline", "decline", "leaves no room for 'Prefer not to say'"
    if isinstance(kind, Number):
        yield (
            "no_decline",
            "kind",
            "a number leaves no room for silence; bands to choose from would",
        )
    if len(question.prompt) > LONG_PROMPT:
        yield "long_prompt", "prompt", f"is long for a phone, {len(question.prompt)} characters"
    lists: dict[str, tuple[str, ...]] = {"options": question.options}
    if isinstance(kind, Cross):
        lists = {"rows": kind.rows, "columns": kind.columns}
    for field, labels in lists.items():
        for one, other in _alike(labels):
            yield "alike", field, f"{one[:40]!r} and {other[:40]!r} look alike"


def _alike(labels: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Labels that differ in accents, spaces or marks only."""
    seen: dict[str, str] = {}
    for label in labels:
        letters = _letters(label)
        if letters and letters in seen:
            yield seen[letters], label
        seen.setdefault(letters, label)


def _letters(label: str) -> str:
    # A sign before a number says which number it is.
    if re.fullmatch(r"-?[0-9.]+", label):
        return label
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", label).casefold() if sign.isalnum()
    )


def problems_as_json(name: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    """For programs, and for the editor in the browser."""
    counts = {
        f"{severity}s": sum(problem.severity == severity for problem in problems)
        for severity in (ERROR, WARNING)
    }
    return {"file": name, **counts, "problems": [problem.as_json() for problem in problems]}
