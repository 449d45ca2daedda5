"""`curator`: what a trusted holder of plain answers can publish, compared with a local survey."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

import click

from client.console.printing import print_json
from client.core.primitives.refusal import require, within
from client.core.primitives.values import decimal_text, parse_decimal
from estimators.commands.curator_options import (
    NEIGHBOURS,
    DomainOptions,
    PeopleOptions,
    delta_option,
    domain_options,
    neighbours_option,
    people_options,
    survey_of,
)
from estimators.commands.curator_printing import print_counts, print_mean, print_price, print_top
from estimators.curator.cells import bid_reader, one_value_reader, reader_of, value_reader
from estimators.curator.comparison import Figures
from estimators.curator.release import (
    release_histogram,
    release_mean,
    release_price,
    release_top,
    release_values,
)
from estimators.curator.selection import Auction
from estimators.shares.intervals import check_confidence

# More prices than this make no better auction.
MAX_PRICES = 1000


@click.group("curator")
def curator() -> None:
    """Release figures as a trusted curator would, and see what a local survey gives instead.

    A curator holds everybody's plain answers. FILE is a CSV file of them; the noise on a release
    of it is exact and comes from the secure generator. Each release spends its epsilon again.

    The first line of FILE is the heading, every other line a person, but for blank ones. No cell
    is ever refused, for a refusal would tell of one person without noise: what is none of the
    options counts for none of them, a number beyond the range as its end, and what is no number as
    the lowest. A rehearsal (--seed) says how many such cells there are. Messages about the file are
    for the curator's eyes: do not publish them.

    \b
    Examples:
      candor curator count --simulate 1000 --shares 0.7,0.3 --epsilon 1
      candor curator histogram answers.csv --column drink --options Tea,Coffee,None --epsilon 1
    """


@curator.command()
@click.option("--value", multiple=True, help="Count this answer; may be given again.")
@delta_option
@people_options
def count(
    value: tuple[str, ...],
    epsilon: str,
    confidence: float,
    delta: float | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Count the people who gave an answer; one person may be in several counts.

    The cells of FILE may hold several answers, parted by ";"; capitals do not matter. Answers are
    protected, not how many people there are.

    \b
    Examples:
      candor curator count --simulate 1000 --shares 0.7,0.3 --epsilon 1 --seed 1
      candor curator count answers.csv --column smokes --value Yes --epsilon 0.5
    """
    check_confidence(confidence)
    labels = tuple(label.strip() for label in value) or ("Yes",)
    several = len(labels) > 1
    survey = (
        survey_of("any_of", epsilon, options=list(labels), at_most=len(labels))
        if several
        else survey_of("yes_no", epsilon)
    )

    read = value_reader(labels) if several else one_value_reader(labels[0])
    answers = PeopleOptions(**given).answers(survey, read)
    _answer(release_values(answers, labels, confidence, delta), print_counts, as_json)


@curator.command()
@domain_options
@neighbours_option
@delta_option
@people_options
def histogram(
    epsilon: str,
    confidence: float,
    neighbours: str,
    delta: float | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Count the people per answer, all answers at once.

    A cell that is none of the options counts for none, and of more than --at-most answers the first
    ones count. Of two options, the second counts everybody who did not give the first.

    \b
    Examples:
      candor curator histogram --simulate 10000 --options 9 --epsilon 1 --seed 1
      candor curator histogram answers.csv --column drink --options Tea,Coffee,None --epsilon 1
    """
    check_confidence(confidence)
    people, domain = _people_and_domain(given)
    survey = domain.survey_at(epsilon, people.shares)
    answers = people.answers(survey, reader_of(survey.questions[0]))
    figures = release_histogram(answers, NEIGHBOURS[neighbours], confidence, delta)
    _answer(figures, print_counts, as_json)


@curator.command()
@click.option("--exponential", is_flag=True, help="The exponential mechanism, not noisy max.")
@domain_options
@neighbours_option
@people_options
def top(
    exponential: bool,
    epsilon: str,
    confidence: float,
    neighbours: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Name the most common answer, and release nothing else.

    A cell that is none of the options counts for none, and of more than --at-most answers the first
    ones count.

    \b
    Examples:
      candor curator top --simulate 1000 --shares 0.5,0.3,0.2 --epsilon 1 --seed 1
      candor curator top answers.csv --options Asthma,Migraine,HIV --at-most 3 --epsilon 0.5
    """
    check_confidence(confidence)
    people, domain = _people_and_domain(given)
    survey = domain.survey_at(epsilon, people.shares)
    answers = people.answers(survey, reader_of(survey.questions[0]))
    figures = release_top(answers, NEIGHBOURS[neighbours], confidence, exponential)
    _answer(figures, print_top, as_json)


@curator.command()
@click.option("--lo", default="0", show_default=True, help="The lowest number.")
@click.option("--hi", required=True, help="The highest number.")
@click.option("--step", default="1", show_default=True, help="The distance of two numbers.")
@people_options
def mean(
    lo: str, hi: str, step: str, epsilon: str, confidence: float, as_json: bool, **given: Any
) -> None:
    """Release the mean of numbers from --lo to --hi.

    A number outside counts as the nearer end, one between two steps as the nearer step, and a cell
    that is no number as --lo. Answers are protected, not how many people there are.

    \b
    Examples:
      candor curator mean --simulate 1000 --hi 100 --epsilon 1 --seed 1
      candor curator mean ages.csv --column age --lo 18 --hi 99 --epsilon 0.5
    """
    check_confidence(confidence)
    survey = survey_of("number", epsilon, lo=lo, hi=hi, step=step, goal="mean")
    answers = PeopleOptions(**given).answers(survey, reader_of(survey.questions[0]))
    _answer(release_mean(answers, confidence), print_mean, as_json)


@curator.command()
@click.option("--bids", help="The bids, 1,1,1,3.01, instead of a FILE.")
@click.option("--prices", required=True, help="The prices to choose from, fixed before any bid.")
@people_options
def price(
    bids: str | None, prices: str, epsilon: str, confidence: float, as_json: bool, **given: Any
) -> None:
    """Set one price by an auction: everybody who bids it or more buys.

    A cell of FILE that is no number is a bid below all prices. --shares are those of people who
    would pay none of the prices, the first, the second and so on.

    \b
    Examples:
      candor curator price --bids 1,1,1,3.01 --prices 1,2,3.01 --epsilon 1 --seed 1
      candor curator price bids.csv --column bid --prices 5,10,15,20 --epsilon 0.5
    """
    check_confidence(confidence)
    auction = Auction(tuple(_amount(text, "prices") for text in _listed(prices)))
    survey = survey_of("one_of", epsilon, options=["less", *_listed(prices)])
    answers = PeopleOptions(**given).answers(
        survey,
        bid_reader(auction),
        () if bids is None else _bids(bids),
        "a FILE of bids, --bids or --simulate",
    )
    _answer(release_price(answers, auction, confidence), print_price, as_json)


def _people_and_domain(given: dict[str, Any]) -> tuple[PeopleOptions, DomainOptions]:
    domain = {field.name: given.pop(field.name) for field in fields(DomainOptions)}
    return PeopleOptions(**given), DomainOptions(**domain)


def _listed(prices: str) -> Sequence[str]:
    """Every price in its one spelling."""
    texts = prices.split(",")
    require(
        len(texts) <= MAX_PRICES, "too_many_prices", "prices", most=MAX_PRICES, count=len(texts)
    )
    return [decimal_text(parse_decimal(text.strip(), "prices")) for text in texts]


def _bids(text: str) -> Sequence[str]:
    """Bids on the command line, which are typed and not collected: a slip is refused."""
    bids = [bid.strip() for bid in text.split(",")]
    for number, bid in enumerate(bids, start=1):
        with within("bids", number, name=f"bid {number}"):
            parse_decimal(bid, "a bid")
    return bids


def _amount(text: str, what: str) -> Fraction:
    return Fraction(parse_decimal(text.strip(), what))


def _answer(figures: Figures, print_figures: Callable[[Figures], None], as_json: bool) -> None:
    if as_json:
        print_json(figures)
    else:
        print_figures(figures)
