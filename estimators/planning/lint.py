"""The lint warnings that need the planner: what this many respondents cannot tell."""

from collections.abc import Iterator
from math import prod

from client.authoring.draft.places import SurveyFile
from client.authoring.lint import (
    WARNING,
    LintResult,
    Problem,
    lint_bytes,
    lint_survey_file,
    problem_of,
)
from client.core.access import INVITED
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators import least_shown
from estimators.planning.advice import Shortage
from estimators.planning.group_size import people_in_group
from estimators.planning.timing import percent, timing

# A wider margin than this, of a share or as a part of a range, says little.
WIDE_MARGIN = 0.1
# A smaller part of the links is hardly more than guessing joins.
MOST_JOINED = 0.01


def lint(data: bytes, name: str, respondents: int | None = None) -> tuple[Problem, ...]:
    """Return every problem of a survey file, with respondents also those of its precision."""
    return _with_precision(lint_bytes(data, name), respondents)


def lint_file(file: SurveyFile, name: str, respondents: int) -> tuple[Problem, ...]:
    """Return every problem of a survey file that has been read already."""
    return _with_precision(lint_survey_file(file, name), respondents)


def _with_precision(result: LintResult, respondents: int | None) -> tuple[Problem, ...]:
    if result.survey is None or respondents is None:
        return result.problems
    return (
        *result.problems,
        *_imprecise(result, result.survey, respondents),
        *_small_groups(result, result.survey, respondents),
        *_joined_by_the_clock(result, result.survey, respondents),
    )


def shortage_words(survey: Survey, respondents: int) -> tuple[str, list[str]] | None:
    """Say in how many questions so many people are too few, with what helps; None if in none."""
    shortage = Shortage(survey, respondents, WIDE_MARGIN)
    short = sum(need > respondents for need in shortage.needs)
    if not short:
        return None
    told = (
        f"{respondents:,} people are too few in {short} of {len(survey.questions)} questions: "
        f"their margins are wider than {100 * WIDE_MARGIN:g} percentage points."
    )
    return told, [remedy.in_words for remedy in shortage.remedies()]


def _imprecise(result: LintResult, survey: Survey, respondents: int) -> Iterator[Problem]:
    """Yield one warning for the whole survey, with what would help."""
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
        yield problem_of(WARNING, warning, result.file)


def _joined_by_the_clock(result: LintResult, survey: Survey, respondents: int) -> Iterator[Problem]:
    """Yield a warning if whoever notes the seconds could join links with reports."""
    if survey.access != INVITED or survey.answer_from is not None:
        return
    found = timing(respondents)
    if found.at_once >= MOST_JOINED:
        warning = Refusal(
            "clock_joins",
            "answer_from",
            people=f"{respondents:,}",
            joined=percent(found.at_once),
            another_day=percent(found.another_day),
        )
        yield problem_of(WARNING, warning, result.file)


def _small_groups(result: LintResult, survey: Survey, respondents: int) -> Iterator[Problem]:
    """Yield a warning if most groups would be too small to be told apart."""
    if survey.groups is None:
        return
    # Few people decline, so those groups are not counted.
    count = prod(len(factor.levels) for factor in survey.groups.factors)
    least = people_in_group(survey)
    if respondents < least * count:
        warning = Refusal(
            "small_groups.asked" if survey.ask_each_person else "small_groups",
            "groups",
            respondents=f"{respondents:,}",
            groups=count,
            each=respondents // count,
            least=least_shown.IN_GROUP,
            needed=least,
        )
        yield problem_of(WARNING, warning, result.file)
