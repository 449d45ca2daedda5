"""analyse.R's last part: calls of glm, RRreg and rrLogit with the numbers of every question.

A report that supports an option is like an answer in Kuk's design: yes with probability p if the
option is the truth, and q if not.
"""

from collections.abc import Iterator

from client.core.mechanisms import (
    RandomizedResponse,
    RandomThreshold,
    SlidingWindow,
    SubsetSelection,
    Supporting,
    TwoLevel,
)
from client.core.question import Question
from client.core.survey import Survey

_R = """
# ---- regressions on the true answers -----------------------------------------------------------
#
# A report belongs to nobody: the one thing about its sender that is in this file and not randomized
# is the group of the link. Answers to other questions are randomized too; as covariates they would
# make every effect look smaller than it is.
# The calls of glm need R alone; Candor's own tests run them.
# RRreg (Heck and Moshagen 2018): run with the sources of version 0.7.5. Its coefficients are those
#   of glm; its standard errors rest on the observed information, those of glm on the expected one.
#   "Warner" takes P(report = truth); "Kuk" takes P(yes | true) and P(yes | not true), our p and q.
#   RRuni(y, model = "Kuk", p = c(p, q)) gives the share and the standard_error of estimates.csv.
# rrLogit (Schafer): NOT RUN, only read, in the manual and the sources of version 1.0.1. `pertMat`
#   is P(report | truth), rows by columns. It refuses missing values: leave out who was not asked.
"""


def r_calls(survey: Survey, by_group: bool) -> str:
    """Comments to be pasted, each with the numbers of its question."""
    lines = [f"# {line}\n" for q in survey.questions for line in _r_lines(q, by_group)]
    return _R + ('# group <- factor(reports[["_group"]])\n' if by_group else "") + "".join(lines)


def _r_lines(question: Question, by_group: bool) -> Iterator[str]:
    id, mechanism = question.id, question.mechanism
    x = "group" if by_group else "1"
    yield f"{id} ({question.kind.name}, {mechanism.name})"
    if isinstance(mechanism, SlidingWindow):
        yield f'  lm(mean_score(design["{id}", ], reports[["{id}"]]) ~ {x})'
        return
    assert isinstance(mechanism, Supporting)
    p, q = float(mechanism.p), float(mechanism.q)
    option, meaning = _example(question)
    yield f'  y <- reported("{id}", {option})  # {meaning}; NA: not asked'
    yield f"  glm(y ~ {x}, family = binomial(randomized(p = {p!r}, q = {q!r})))"
    if isinstance(mechanism, RandomizedResponse):
        yield f'  RRreg::RRlog(y ~ {x}, model = "Warner", p = {p!r})'
    else:
        yield f'  RRreg::RRlog(y ~ {x}, model = "Kuk", p = c({p!r}, {q!r}))'
    if _names_one(mechanism):
        levels = f"0:{len(question.options) - 1}"
        yield f'  y <- factor(gsub("[^0-9]", "", reports[["{id}"]]), {levels})'
        yield f'  rrLogit::rrLogit(y ~ {x}, pertMat = perturbation("{id}"))'


def _example(question: Question) -> tuple[int, str]:
    """An option to begin with: Yes, or a level in the middle; only numbers go into a script."""
    if isinstance(question.mechanism, RandomThreshold):
        level = (question.mechanism.top + 1) // 2
        return level, f"at least level {level}"
    return 1, "supports option 1"


def _names_one(mechanism: TwoLevel) -> bool:
    """Whether a report names one option out of those that can be the truth."""
    is_one = isinstance(mechanism, SubsetSelection) and mechanism.size == 1
    return is_one or isinstance(mechanism, RandomizedResponse)
