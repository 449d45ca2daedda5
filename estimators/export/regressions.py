"""The last part of analyse.R: calls of glm with the numbers of every question."""

from collections.abc import Iterator

from client.core.question import Question
from client.core.survey import Survey
from estimators.mechanisms import analysis_of

_R = """
# ---- regressions on the true answers -----------------------------------------------------------
#
# Nobody's name is on a report. The only thing about its sender that is not randomized is the group
# of the link. Answers to other questions are randomized too: as covariates they would make every
# effect look smaller than it is.
# The calls need R alone; Candor's own tests run them.
"""


def r_calls(survey: Survey, by_group: bool) -> str:
    """Return commented-out calls, each with the numbers of its question."""
    lines = [f"# {line}\n" for q in survey.questions for line in _r_lines(q, by_group)]
    return _R + ('# group <- factor(reports[["_group"]])\n' if by_group else "") + "".join(lines)


def _r_lines(question: Question, by_group: bool) -> Iterator[str]:
    mechanism = question.mechanism
    yield f"{question.id} ({question.kind.name}, {mechanism.name})"
    for call in analysis_of(mechanism).regression(question.id, "group" if by_group else "1"):
        yield f"  {call}"
