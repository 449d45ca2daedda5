"""What so many respondents will not be able to tell: the warnings that take the planner."""

from collections.abc import Iterator

from client.authoring.draft.places import SurveyFile
from client.authoring.lint import (
    WARNING,
    LintResult,
    Problem,
    look_through,
    look_through_file,
    problem_of,
)
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.planning.advice import Shortage

# A margin above this, of a share or as a part of a range, says little.
WIDE_MARGIN = 0.1


def lint(data: bytes, name: str, respondents: int | None = None) -> tuple[Problem, ...]:
    """Every problem of a survey file; with a number of respondents, of its precision too."""
    return _with_precision(look_through(data, name), respondents)


def lint_file(file: SurveyFile, name: str, respondents: int) -> tuple[Problem, ...]:
    """The same for what was read already."""
    return _with_precision(look_through_file(file, name), respondents)


def _with_precision(looked: LintResult, respondents: int | None) -> tuple[Problem, ...]:
    if looked.survey is None or respondents is None:
        return looked.problems
    return (*looked.problems, *_imprecise(looked, looked.survey, respondents))


def _imprecise(looked: LintResult, survey: Survey, respondents: int) -> Iterator[Problem]:
    """One sentence for the whole survey, with what would help."""
    shortage = Shortage(survey, respondents, WIDE_MARGIN)
    short = sum(need > respondents for need in shortage.needs)
    if short:
        remedies = list(shortage.remedies())
        warning = Refusal(
            "imprecise",
            respondents=f"{respondents:,}",
            margin=f"{WIDE_MARGIN:.0%}",
            points=f"{100 * WIDE_MARGIN:g}",
            short=short,
            questions=len(survey.questions),
            helps="; or ".join(remedy.in_file for remedy in remedies),
            remedies="; or ".join(remedy.in_words for remedy in remedies),
        )
        yield problem_of(WARNING, warning, looked.file)
