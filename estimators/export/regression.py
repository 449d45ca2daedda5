"""Calls of other packages with the right parameters: RRreg and rrLogit in R, rrlogit in Stata.

A report that supports an option is a forced-response item: it says yes with probability p if the
option is the truth and q if not, so a surrogate yes has probability q and a surrogate no 1 - p.
"""

from collections.abc import Iterator

from client.mechanisms import (
    HadamardResponse,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    Supporting,
)
from client.question import Question
from client.survey import Survey
from estimators.windows import moments

# Of longer lists a few options show how it is done.
MOST_SHOWN = 12


def r_calls(survey: Survey) -> str:
    """Comments to be pasted: the reports alone have no covariates, `x` stands for yours."""
    heading = "\n# ---- regressions with other packages; x stands for a covariate of yours ----\n"
    return heading + "".join(f"# {line}\n" for q in survey.questions for line in _r_lines(q))


def _r_lines(question: Question) -> Iterator[str]:
    id, mechanism = question.id, question.mechanism
    yield f"{id} ({question.kind.name}, {mechanism.name})"
    if isinstance(mechanism, SlidingWindow):
        yield f'  lm(mean_score(design["{id}", ], reports${id}) ~ x)'
    elif isinstance(mechanism, RandomizedResponse):
        yield f"  y <- as.integer(reports${id})"
        yield f'  RRreg::RRlog(y ~ x, model = "Warner", p = {float(mechanism.p)!r})'
        yield f'  rrLogit::rrLogit(factor(y) ~ x, pertMat = perturbation(design["{id}", ]))'
    elif isinstance(mechanism, Supporting):
        forced = f"c({1 - float(mechanism.p)!r}, {float(mechanism.q)!r})"
        what = "at least level 1" if isinstance(mechanism, RandomThreshold) else "option 0"
        yield f'  y <- supports(design["{id}", ], reports${id})[, 1]  # {what}; NA: not asked'
        yield f'  RRreg::RRlog(y ~ x, model = "FR", p = {forced})'
        if isinstance(mechanism, SubsetSelection) and mechanism.size == 1:
            yield f'  y <- factor(gsub("[^0-9]", "", reports${id}), 0:{mechanism.options - 1})'
            yield f'  rrLogit::rrLogit(y ~ x, pertMat = perturbation(design["{id}", ]))'


_STATA = """\
* Regressions on the randomized reports with rrlogit (ssc install rrlogit).
* rrlogit estimates the logit of the TRUE share: add your own covariates behind the variable.
* After rrlogit without covariates, invlogit(_b[_cons]) is the share in estimates.csv, unless that
* is below 0 or above 1.
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
            f"generate double score = {lo} + {step} * ((real({id}) - {intercept!r}) / {slope!r} "
            f'- {mechanism.width / 2!r}) if {id} != "null"'
        )
        yield "mean score"
        yield "drop score"
        return
    assert isinstance(mechanism, Supporting)
    pyes, pno = float(mechanism.q), 1 - float(mechanism.p)
    shown = list(_stata_support(question))
    for what, condition, asked in shown[:MOST_SHOWN]:
        yield f"generate byte y = {condition} if {asked}"
        yield f"rrlogit y, pyes({pyes!r}) pno({pno!r})  // {what}"
        yield "drop y"
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
