"""What so many respondents will not be able to tell: the warnings that take the planner."""

from collections.abc import Iterator
from typing import Any

from client.authoring.draft.places import SurveyFile
from client.authoring.lint import LintResult, Problem, look_through, look_through_file
from client.core.survey import Survey
from estimators.planning.advice import Shortage

# A margin above this, of a share or as a part of a range, says little.
WIDE_MARGIN = 0.1


def lint(data: bytes, name: str, respondents: int | None = None) -> tuple[Problem, ...]:
    """Every problem of a survey file; with a number of respondents, of its precision too."""
    return _with_precision(look_through(data, name), respondents)


def looked_through(
    draft: dict[str, Any], respondents: int
) -> tuple[Survey | None, tuple[Problem, ...]]:
    """The survey of a draft that is in no file, if it is sound, and every problem of it."""
    looked = look_through_file(SurveyFile(draft, {}), "the survey")
    return looked.survey, _with_precision(looked, respondents)


def _with_precision(looked: LintResult, respondents: int | None) -> tuple[Problem, ...]:
    if looked.survey is None or respondents is None:
        return looked.problems
    return (*looked.problems, *_imprecise(looked, looked.survey, respondents))


def _imprecise(looked: LintResult, survey: Survey, respondents: int) -> Iterator[Problem]:
    """One sentence for the whole survey, with what would help."""
    shortage = Shortage(survey, respondents, WIDE_MARGIN)
    short = sum(need > respondents for need in shortage.needs)
    if short:
        helps = "; or ".join(shortage.remedies())
        message = (
            f"{respondents:,} respondents are too few for margins of {WIDE_MARGIN:.0%} "
            f"(questions: {short} of {len(survey.questions)}); what helps: {helps}"
        )
        yield looked.warning("imprecise", (), message)
