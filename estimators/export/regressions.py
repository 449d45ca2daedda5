"""The last part of analyse.R: example calls with this survey's own questions and numbers."""

from collections.abc import Iterator

from client.core.primitives.domain import Levels
from client.core.question import Question
from client.core.survey import Survey
from estimators.mechanisms import analysis_of

_EXAMPLES = """
# ---- examples with the questions of this survey ------------------------------------------------
#
# Each call returns tables. Type it after source("analyse.R").
"""
_R = """
# ---- regressions on the true answers -----------------------------------------------------------
#
# Nobody's name is on a report. The only thing about its sender that is not randomized is the group.
# Answers to other questions are randomized too: as covariates of glm they would make every effect
# look smaller than it is. regress() allows for that.
# The calls need R alone; Candor's own tests run them.
"""


def r_calls(survey: Survey, by_group: bool) -> str:
    """Return commented-out calls, each with the numbers of its question."""
    lines = [f"# {line}\n" for q in survey.questions for line in _r_lines(q, by_group)]
    examples = "".join(f"# {line}\n" for line in _examples(survey, by_group))
    group = '# group <- factor(reports[["group"]])\n' if by_group else ""
    return _EXAMPLES + examples + _R + group + "".join(lines)


def _examples(survey: Survey, by_group: bool) -> Iterator[str]:
    """Yield a call of compare(), cross() and regress() for every use that this survey has."""
    levels = [q for q in survey.questions if isinstance(q.domain, Levels)]
    numbers = [q.id for q in levels]
    choices = [q.id for q in survey.questions if q.id not in numbers]
    firsts = [*choices[:1], *numbers[:1]]
    # The mean of a number that can be declined is a ratio, which no regression fits.
    declinable = [q.id for q in levels if q.kind.silence]
    covariates = "group" if by_group else "1"
    factors = [factor.id for factor in survey.groups.factors] if survey.groups else []
    if by_group:
        yield from (f'compare("{id}")' for id in firsts)
    if by_group and len(factors) > 1:
        yield f'compare("{firsts[0]}", by = reports[["{factors[0]}"]])'
        yield f"regress({firsts[0]} ~ {' + '.join(factors)})"
    if len(choices) > 1:
        yield f'cross("{choices[0]}", "{choices[1]}")'
    fitted = [*choices[:1], *(id for id in numbers if id not in declinable)][:2]
    yield from (f"regress({id} ~ {covariates})" for id in fitted)
    if choices:
        yield f'regress({choices[-1]} ~ {covariates}, option = 0, model = "linear")'


def _r_lines(question: Question, by_group: bool) -> Iterator[str]:
    mechanism = question.mechanism
    yield f"{question.id} ({question.kind.name}, {mechanism.name})"
    for call in analysis_of(mechanism).regression(question.id, "group" if by_group else "1"):
        yield f"  {call}"
