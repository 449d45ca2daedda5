"""Candor from Python: surveys whose answers are randomized before anybody sees them.

Write a survey, ask synthetic people, and estimate the truth from their randomized reports:

>>> import candor
>>> question = {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}
>>> survey = candor.build_survey({"slug": "habits", "title": "Habits", "questions": [question]})
>>> reports = candor.simulate(survey, 10_000, {"smokes": [0.8, 0.2]}, seed=1)
>>> for row in candor.estimate(survey, candor.count(survey, reports)):
...     print(f"{row['label']:<3} {row['share']:.2f}, {row['low']:.2f} to {row['high']:.2f}")
No  0.81, 0.79 to 0.83
Yes 0.19, 0.17 to 0.21

The examples of the functions below go on with this survey. Bad input raises a `Refusal`.

The names in `__all__` are promised to stay; the modules behind them are not. Importing this module
is cheap: a name loads what it needs when it is first used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from client import __version__ as __version__
from estimators.confidence import CONFIDENCE

if TYPE_CHECKING:
    from client.authoring.draft.survey import build_survey
    from client.core.document import read_document
    from client.core.primitives.refusal import Refusal
    from client.core.report import Report
    from client.core.survey import Survey
    from estimators.analysis.data import Data
    from estimators.audit.audit import Audit
    from estimators.counting.tally import Tally

__all__ = [
    "Data",
    "Refusal",
    "Report",
    "Survey",
    "Tally",
    "audit",
    "build_survey",
    "count",
    "count_file",
    "estimate",
    "plan",
    "read",
    "read_document",
    "read_survey",
    "respond",
    "simulate",
]

# The modules that define the other public names.
_ELSEWHERE = {
    "Data": "estimators.analysis.data",
    "Refusal": "client.core.primitives.refusal",
    "Report": "client.core.report",
    "Survey": "client.core.survey",
    "Tally": "estimators.counting.tally",
    "build_survey": "client.authoring.draft.survey",
    "read_document": "client.core.document",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a name from its module when it is first used."""
        if name not in _ELSEWHERE:
            raise AttributeError(f"module 'candor' has no attribute {name!r}")
        globals()[name] = found = getattr(import_module(_ELSEWHERE[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def read_survey(path: str | PathLike[str]) -> "Survey":
    """Read a survey file: YAML, JSON, an XLSForm workbook, or a published document.

    A published document is verified as a respondent's device verifies it.

    >>> candor.read_survey("examples/demo.yaml").title
    'Health at work (a demonstration)'
    """
    from client.authoring.files import load_survey

    return load_survey(Path(path))


def read(
    path: str | PathLike[str],
    survey: str | PathLike[str] | None = None,
    design: str | PathLike[str] | None = None,
    attributes: str | PathLike[str] | None = None,
) -> "Data":
    """Open a data set, to estimate, compare, cross and regress its questions.

    `path` is an export's zip or its folder; or a file of reports with its `survey`; or any CSV with
    the `design` of its randomized columns. `attributes` is a CSV with a row per group of links.

    >>> import json
    >>> questions = {"cheated": {"kind": "forced", "yes": 1 / 6, "no": 1 / 6}}
    >>> with open("design.json", "w") as file:
    ...     json.dump({"format": 1, "questions": questions}, file)
    >>> with open("dice.csv", "w") as file:
    ...     print("cheated", *"1010010010" * 40, sep="\\n", file=file)
    >>> no, yes = candor.read("dice.csv", design="design.json").estimate()
    >>> print(f"{yes['share']:.3f}, standard error {yes['standard_error']:.3f}")
    0.350, standard error 0.037
    """
    from estimators.analysis.data import read_data

    files = [None if file is None else Path(file) for file in (survey, design, attributes)]
    return read_data(Path(path), *files)


def respond(
    survey: "Survey", answers: Mapping[str, Any], ticket: str | None = None, group: str = ""
) -> "Report":
    """Randomize one person's true answers, by question, with the system's secure generator.

    An answer is the position of an option or a level, counted from 0, or a list of the ticked
    positions. Questions that skip logic hides need no answer. Pass the ticket that the server gave;
    if it decides which questions are asked, the report leaves out the others. Without a server,
    omit the ticket: one is drawn. If people choose their `group`, pass its code, such as "0-2": the
    third level of the second factor.

    >>> report = candor.respond(survey, {"smokes": 1})
    >>> report.randomized["smokes"] in (0, 1)
    True
    """
    from client.core.assignment import draw_assignment
    from client.core.primitives.refusal import require
    from client.core.primitives.words import SecureWords, secure_hex
    from client.core.question import is_shown
    from client.core.respond import respond as randomize

    words = SecureWords()
    assignment = draw_assignment(survey, secure_hex(4) if ticket is None else ticket)
    complete: dict[str, Any] = {}
    for question in survey.questions:
        if question.id in assignment.questions:
            if not is_shown(question, complete):
                complete[question.id] = question.kind.hidden_answer
                continue
            require(question.id in answers, "missing_answer", question.id)
            complete[question.id] = answers[question.id]
    return randomize(survey, assignment, complete, words, group)


def count(survey: "Survey", reports: Iterable["Report"]) -> dict[str, "Tally"]:
    """Count reports into one tally per question, which is all that estimates need.

    >>> report = candor.Report(survey.fingerprint, {"smokes": 1})
    >>> candor.count(survey, [report, report, report])
    {'smokes': Tally(counts=(0, 3), n=3)}
    """
    from client.core.primitives.refusal import require
    from estimators.counting.tally import Counting

    counting = Counting(survey)
    for report in reports:
        require(
            report.fingerprint == survey.fingerprint,
            "wrong_fingerprint.count",
            "fingerprint",
            fingerprint=report.fingerprint,
        )
        for question in survey.questions:
            if report.randomized[question.id] is not None:
                counting.add(question, report.randomized[question.id], times=1)
    return counting.tallies()


def count_file(survey: "Survey", path: str | PathLike[str]) -> dict[str, "Tally"]:
    """Count the reports in a file: .jsonl, .csv or .parquet. One bad line refuses the whole file.

    >>> with open("reports.jsonl", "w") as file:
    ...     for report in candor.simulate(survey, 9, seed=1):
    ...         print(report.body.decode(), file=file)
    >>> candor.count_file(survey, "reports.jsonl")["smokes"].n
    9
    """
    from estimators.counting.reports_file import tally_file

    return tally_file(Path(path), survey)


def estimate(
    survey: "Survey",
    tallies: Mapping[str, "Tally"],
    confidence: float = CONFIDENCE,
    exact: bool = False,
) -> list[dict[str, Any]]:
    """Estimate shares, means and distributions: one row for each quantity, with its interval.

    With `exact`, intervals are never too short (Clopper-Pearson). The rows have the columns of
    `estimates.csv` in an export.

    >>> rows = candor.estimate(survey, {"smokes": candor.Tally.of_cells([569, 431])})
    >>> [(row["label"], round(row["share"], 4)) for row in rows]
    [('No', 0.6493), ('Yes', 0.3507)]
    """
    from estimators.tables.table import estimate_table

    return estimate_table(survey, tallies, confidence, exact)


def plan(
    survey: "Survey",
    *,
    margin: float | None = None,
    respondents: int | None = None,
    share: float = 0.5,
    confidence: float = CONFIDENCE,
) -> list[dict[str, Any]]:
    """Return how many respondents a margin takes, or which margin a number of respondents gives.

    Give either `margin` or `respondents`; `share` is the expected true share. The result has one
    row per question.

    >>> [row["respondents"] for row in candor.plan(survey, margin=0.03)]
    [4997]
    """
    from estimators.planning.survey_plan import Target, plan_survey

    if (margin is None) == (respondents is None):
        raise TypeError("plan() takes either margin or respondents")
    return plan_survey(survey, Target(margin, respondents, share, confidence))


def simulate(
    survey: "Survey",
    respondents: int,
    shares: Mapping[str, Sequence[float]] | None = None,
    *,
    seed: int,
) -> Iterator["Report"]:
    """Draw the reports of synthetic people whose true answers have the given shares.

    `shares` has one share per option or level of a question; questions that it does not name are
    answered evenly. The same seed gives the same reports. The generator is fast but not secure:
    these reports protect nobody.

    >>> [report.randomized for report in candor.simulate(survey, 3, {"smokes": [1, 0]}, seed=1)]
    [{'smokes': 0}, {'smokes': 0}, {'smokes': 1}]
    """
    from client.core.primitives.refusal import require
    from estimators.simulation.kernels.source import check_respondents, stream
    from estimators.simulation.people.population import Population
    from estimators.simulation.people.shares import check_shares, even_shares
    from estimators.simulation.reports import simulate_reports

    check_respondents(respondents)
    domains = {question.id: question.domain for question in survey.questions}
    for id, given in (shares or {}).items():
        require(id in domains, "unknown_question", id)
        check_shares(given, domains[id], f"shares of {id}")
    even = {id: even_shares(domain) for id, domain in domains.items()}
    people = Population(survey, {**even, **(shares or {})})
    return simulate_reports(people, respondents, stream(seed))


def audit(survey: "Survey", runs: int = 10_000) -> dict[str, "Audit"]:
    """Check that every question's randomizer leaks no more than its epsilon.

    The integers are checked exactly. In addition, `runs` reports of some true answers are drawn and
    counted, which gives a lower bound on the leak. `passes` is the verdict on each question.

    >>> candor.audit(survey)["smokes"].passes
    True
    """
    from client.core.primitives.words import SecureWords
    from estimators.audit.audit import audit as audit_mechanism

    return {
        question.id: audit_mechanism(question.mechanism, question.epsilon, SecureWords(), runs)
        for question in survey.questions
    }
