"""The options of `simulate`: the question, the people, where reports go, and the figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from client.console.progress import Bar
from client.core.primitives.domain import MAX_OPTIONS
from client.core.primitives.refusal import Relayed, require
from client.core.survey import Survey
from estimators.planning.planner import SHAPES, one_question
from estimators.plots.panels import Surveys
from estimators.plots.plotting import check_plot_file, plot_errors, plot_estimates, plot_prices
from estimators.simulation.kernels.source import Source, check_respondents
from estimators.simulation.people.group_shares import GroupShares, group_shares
from estimators.simulation.people.people_file import Census, read_people
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import even_shares, shares_by_question, zipf_shares
from estimators.simulation.people.truths import Truths
from estimators.simulation.reports import simulate_columns, write_reports
from estimators.simulation.sending import CONCURRENCY, MAX_CONCURRENCY, Sent, send_reports
from estimators.study.panels import error_panels, estimate_panels, price_panels
from estimators.study.sweep import CellResult

F = TypeVar("F", bound=Callable[..., Any])

KINDS = [name.replace("_", "-") for name in SHAPES]
# The fields that a kind requires, if it has them.
_NEEDED = {"options", "lo", "hi"}


class _Kind(click.Choice[str]):
    """The name of a kind as written on a command line or in a survey file: yes-no or yes_no."""

    def convert(self, value: Any, parameter: Any, context: Any) -> str:
        return super().convert(str(value).replace("_", "-"), parameter, context)


def kind_options(command: F) -> F:
    """Add the options for the kind of a question, and for the shape of a scale or a number."""
    for option in (
        click.option("--goal", help="scale: shares or mean; number: mean or distribution."),
        click.option("--step", help="number: the distance between two answers."),
        click.option("--hi", help="scale, number: the highest answer."),
        click.option("--lo", help="scale, number: the lowest answer."),
        click.option("--kind", type=_Kind(KINDS), help="Try one question, not a survey."),
    ):
        command = option(command)
    return command


def question_options(command: F) -> F:
    """Add the options that describe a question without a survey file."""
    for option in (
        click.option("--at-most", type=int, help="any-of: how many boxes one person can tick."),
        click.option("--options", type=int, help="one-of, any-of: how many options there are."),
        click.option("--epsilon", help="With --kind: the epsilon of the question."),
    ):
        command = option(command)
    return kind_options(command)


def flag(name: str) -> str:
    """Return the name of an option as written on the command line."""
    return f"--{name.replace('_', '-')}"


def question_survey(kind: str, epsilon: str, **shape: Any) -> Survey:
    """Return a survey of one question, with the mechanism that the rule chooses.

    A value of None means that the option was not given.
    """
    given = {name: value for name, value in shape.items() if value is not None}
    known = SHAPES[kind.replace("-", "_")]
    for name in given:
        require(name in known, "bad_shape.foreign_option", name, flag=flag(name), kind=kind)
    for name in known:
        missing = name in _NEEDED and name not in given
        require(not missing, "bad_shape.missing_option", name, kind=kind, flag=flag(name))
    if "options" in given:
        count = given["options"]
        require(
            2 <= count <= MAX_OPTIONS,
            "bad_shape.options_range",
            "options",
            most=MAX_OPTIONS,
            count=count,
        )
    return one_question(kind.replace("-", "_"), epsilon, **given)


def truths_options(command: F) -> F:
    """Add the options that set the truth: by shares, by a law, or by a file of people."""
    for option in (
        click.option(
            "--dependence",
            type=float,
            default=0.0,
            show_default=True,
            help="From 0 to 1: the rank correlation of the answers to any two questions.",
        ),
        click.option(
            "--people",
            type=click.Path(path_type=Path),
            help="A CSV file of true answers, a column per question and a row per person. "
            "Respondents are drawn from them; without --respondents everybody answers once.",
        ),
        click.option(
            "--zipf",
            type=float,
            help="Shares that fall as 1 / rank^ZIPF, for every question without --shares.",
        ),
        click.option(
            "--shares",
            multiple=True,
            help="The truth, 0.7,0.3 for 70 % No and 30 % Yes; q1=0.7,0.3 for one question of a "
            "survey. Of check-boxes, the share that ticks each; of a scale or number, that of "
            "each level. Even shares by default.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class TruthOptions:
    """What the options say about the truth; the same for every cell of a grid."""

    shares: tuple[str, ...]
    zipf: float | None
    people: Path | None
    dependence: float

    def __post_init__(self) -> None:
        if self.people is not None and (self.shares or self.zipf is not None or self.dependence):
            raise click.UsageError("give either --people, or --shares, --zipf and --dependence")

    def of(self, survey: Survey, everybody_once: bool) -> Truths:
        """Return the people on whom a survey is tried."""
        if self.people is not None:
            people = read_people(self.people, survey)
            return Census(survey, people.answers) if everybody_once else people
        usual = even_shares if self.zipf is None else partial(zipf_shares, exponent=self.zipf)
        return Population(survey, shares_by_question(survey, self.shares, usual), self.dependence)


def number_of_respondents(truths: Truths, respondents: int | None) -> int:
    """Return how many respondents there are; by default each person of a file answers once."""
    count = truths.size if respondents is None else respondents
    if count is None:
        raise click.UsageError("give --respondents, or --people who each answer once")
    check_respondents(count)
    return count


ESTIMATES, ERRORS, PRICE = FIGURES = ("estimates", "errors", "price")


def plot_options(command: F) -> F:
    """Add the options for the figure and its file."""
    for option in (
        click.option(
            "--figure",
            type=click.Choice(FIGURES),
            help="estimates beside the truth (of one survey), errors by respondents and epsilon, "
            "or the price of trusting no curator. By default the first, for a grid the second.",
        ),
        click.option(
            "--plot",
            type=click.Path(path_type=Path),
            help="A new file for a figure: .svg, .png or .pdf.",
        ),
    ):
        command = option(command)
    return command


def check_plot(plot: Path | None, figure: str | None, is_sweep: bool) -> None:
    """Raise if the figure cannot be drawn, before any work is done."""
    if plot is None:
        if figure is not None:
            raise click.UsageError("--figure needs --plot FILE")
        return
    if figure == ESTIMATES and is_sweep:
        raise click.UsageError("--figure estimates is for one epsilon and one --respondents")
    check_plot_file(plot)


def draw(plot: Path, figure: str | None, results: Sequence[CellResult], confidence: float) -> None:
    """Draw the requested figure, or by default the one that suits the simulation."""
    is_sweep = len(results) > 1
    match figure or (ERRORS if is_sweep else ESTIMATES):
        case "errors":
            plot_errors(plot, error_panels(results))
        case "price":
            plot_prices(plot, price_panels(results))
        case _:
            (only,) = results
            surveys = Surveys(only.repeats, only.plan.respondents, confidence)
            plot_estimates(plot, estimate_panels(only), surveys)


Command = TypeVar("Command", bound=Callable[..., Any])


def delivery_options(command: Command) -> Command:
    """Add `--out FILE`, `--send URL` and `--concurrency N`."""
    for option in (
        click.option(
            "--concurrency",
            type=int,
            default=CONCURRENCY,
            show_default=True,
            help=f"With --send: reports on their way at a time, from 1 to {MAX_CONCURRENCY}.",
        ),
        click.option(
            "--send",
            metavar="URL",
            help="Hand the reports in to a draft that is being tested; a live survey is refused.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help="A new file for the reports: .jsonl, .csv or .parquet.",
        ),
        click.option(
            "--group-shares",
            multiple=True,
            metavar="FACTOR=SHARES",
            help="With --out or --send: how many have each level of a factor of the survey, "
            "arm=0.7,0.3. Even shares by default.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Delivery:
    """Where the reports go: to a file, to a server, or nowhere."""

    out: Path | None
    send: str | None
    concurrency: int
    group_shares: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.group_shares and not self.is_wanted:
            raise click.UsageError("--group-shares needs --out or --send: estimates ignore groups")
        if self.out is not None and self.send is not None:
            raise click.UsageError(
                "give either --out or --send: reports that are sent are drawn anew"
            )

    @property
    def is_wanted(self) -> bool:
        """Whether reports are to be written or sent at all."""
        return self.out is not None or self.send is not None

    def deliver(self, truths: Truths, respondents: int, source: Source) -> None:
        """Draw reports, and write or send them."""
        shares = group_shares(truths.survey, self.group_shares)
        if self.out is not None:
            _write(truths, respondents, source, self.out, shares)
        if self.send is not None:
            _send(truths, respondents, source, self.send, self.concurrency, shares)


def _write(
    truths: Truths, respondents: int, source: Source, out: Path, shares: GroupShares | None
) -> None:
    columns = simulate_columns(truths, respondents, source, shares)
    with Bar("Writing", respondents, "reports") as bar:
        write_reports(columns, out, truths.survey, bar.advance)
    click.echo(f"{respondents:,} reports written to {out}", err=True)


def _send(
    truths: Truths,
    respondents: int,
    source: Source,
    url: str,
    concurrency: int,
    shares: GroupShares | None,
) -> None:
    """Send the reports and say how many are stored, however it ends."""
    with Bar("Sending", respondents, "reports") as bar:
        sent = send_reports(truths, respondents, source, url, concurrency, bar.advance, shares)
    account = _account(sent, respondents)
    if sent.interrupted:
        click.echo(account, err=True)
        raise click.Abort
    if sent.refusal is not None:
        reason = sent.refusal
        raise Relayed(reason.code, f"{reason.message}; {account}", reason.field)
    click.echo(account, err=True)


def _account(sent: Sent, respondents: int) -> str:
    text = f"{sent.stored:,} of {respondents:,} reports are stored, {sent.refused:,} refused"
    return f"{text}, {sent.unheard:,} without an answer" if sent.unheard else text
