"""analyse.do: regressions in Stata with rrlogit.

A report that supports an option is like a forced response: a surrogate yes has probability q, a
surrogate no 1 - p.
"""

from collections.abc import Iterator

from client.core.mechanisms import (
    HadamardResponse,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    Supporting,
)
from client.core.question import Question
from client.core.survey import Survey
from estimators.ordinal.windows import moments

# Of longer lists a few options show how it is done.
MOST_SHOWN = 12


_STATA = """\
* Regressions on the true answers with rrlogit (Ben Jann; ssc install rrlogit).
* NOT RUN, only checked: the options against the help file of 11 May 2011, the formula
*   P(Y = 1) = pyes + (1 - pyes - pno) * P(true answer) with the same numbers in R.
* pyes() is our q, pno() is 1 - p. After rrlogit without covariates invlogit(_b[_cons]) is the share
* in estimates.csv, unless that is below 0 or above 1.
* A report belongs to nobody: the one covariate here that is not randomized is the group of the
* link, as in   xi: rrlogit Y i._group, pyes(...) pno(...)
clear all
import delimited using "reports.csv", varnames(1) stringcols(_all) case(preserve)
"""


def stata_commands(survey: Survey) -> str:
    """A do-file that runs as it stands in the unpacked folder."""
    return _STATA + "".join(
        f"{line}\n" for question in survey.questions for line in _stata_lines(question)
    )


def _stata_lines(question: Question) -> Iterator[str]:
    id, mechanism = question.id, question.mechanism
    yield f"\n* {id}: {question.kind.name}, {mechanism.name}"
    if isinstance(mechanism, SlidingWindow):
        slope, intercept, _ = moments(mechanism)
        lo, step = getattr(question.kind, "lo", 0), getattr(question.kind, "step", 1)
        yield "* Each report's unbiased number; regress it on covariates with robust errors."
        yield (
            f"generate double Score = {lo} + {step} * ((real({id}) - {intercept!r}) / {slope!r} "
            f'- {mechanism.width / 2!r}) if {id} != "null"'
        )
        yield "mean Score"
        yield "drop Score"
        return
    assert isinstance(mechanism, Supporting)
    pyes, pno = float(mechanism.q), 1 - float(mechanism.p)
    shown = list(_stata_support(question))
    for what, condition, asked in shown[:MOST_SHOWN]:
        yield f"generate byte Y = {condition} if {asked}"
        yield f"rrlogit Y, pyes({pyes!r}) pno({pno!r})  // {what}"
        yield "drop Y"
    if len(shown) > MOST_SHOWN:
        yield f"* ... and so on for the other {len(shown) - MOST_SHOWN}."


def _stata_support(question: Question) -> Iterator[tuple[str, str, str]]:
    """For each option: its name, when a report supports it, when a report says anything of it."""
    id, mechanism = question.id, question.mechanism
    asked = f'{id} != "null"'
    match mechanism:
        case RandomThreshold(top=top):
            for t in range(1, top + 1):
                pair = f'"[{t},'
                yield f"at least level {t}", f'{id} == {pair}1]"', f'strpos({id}, {pair}") == 1'
        case SampledChecks(options=options):
            for box in range(options):
                pair = f'"[{box},'
                yield f"box {box}", f'strpos({id}, {pair}1]") > 0', f'strpos({id}, {pair}") > 0'
        case HadamardResponse(options=options):
            for option in range(options):
                bits = [bit for bit in range(options.bit_length()) if (option + 1) >> bit & 1]
                ones = " + ".join(f"mod(floor(real({id}) / {1 << bit}), 2)" for bit in bits)
                yield f"option {option}", f"mod({ones}, 2) == 0", asked
        case RandomizedResponse():
            for option in (0, 1):
                yield f"option {option}", f'{id} == "{option}"', asked
        case _:
            for option in range(len(question.options)):
                member = f'regexm({id}, "[^0-9]{option}[^0-9]")'
                yield f"option {option}", member, asked
