"""The options that say what synthetic respondents truly answer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from client.shares import even_shares, shares_by_question, zipf_shares
from client.simulate.people import Census
from client.simulate.people_file import read_people
from client.simulate.population import Population
from client.simulate.source import check_respondents
from client.simulate.truths import Truths
from client.survey import Survey

F = TypeVar("F", bound=Callable[..., Any])


def truths_options(command: F) -> F:
    """The truth by shares, by a law, or by a file of people."""
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
            "each level. Even ones unless told.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class TruthOptions:
    """What was said about the truth; the same for every cell of a grid."""

    shares: tuple[str, ...]
    zipf: float | None
    people: Path | None
    dependence: float

    def __post_init__(self) -> None:
        if self.people is not None and (self.shares or self.zipf is not None or self.dependence):
            raise click.UsageError("give either --people, or --shares, --zipf and --dependence")

    def of(self, survey: Survey, everybody_once: bool) -> Truths:
        """The people whom a survey is tried on."""
        if self.people is not None:
            people = read_people(self.people, survey)
            return Census(survey, people.answers) if everybody_once else people
        usual = even_shares if self.zipf is None else partial(zipf_shares, exponent=self.zipf)
        return Population(survey, shares_by_question(survey, self.shares, usual), self.dependence)


def number_of_respondents(truths: Truths, respondents: int | None) -> int:
    """As many as are asked for; without a number each person of a file answers once."""
    count = truths.size if respondents is None else respondents
    if count is None:
        raise click.UsageError("give --respondents, or --people who each answer once")
    check_respondents(count)
    return count
