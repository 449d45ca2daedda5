"""The options that say what is planned for: a margin, a number of respondents or two groups."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from client.counts_command import COUNT
from client.refusal import Refusal
from estimators.confidence_command import confidence_option
from estimators.group_plan import Groups
from estimators.planning import UNKNOWN_SHARE
from estimators.survey_plan import Wish

F = TypeVar("F", bound=Callable[..., Any])


def wish_options(command: F) -> F:
    """What is wished for, and what is assumed about the answers."""
    for option in (
        confidence_option,
        click.option(
            "--share",
            type=float,
            default=UNKNOWN_SHARE,
            show_default=True,
            help="The share that you expect; at 0.5 the margin is widest.",
        ),
        click.option("--power", type=float, help="With --groups: how surely.  [default: 0.8]"),
        click.option("--groups", help="Tell two groups with these shares apart, as 0.30,0.25."),
        click.option(
            "--respondents", type=COUNT, help="How many you can get; with --groups, in each."
        ),
        click.option("--margin", type=float, help="The half-width wanted, 0.03 for 3 points."),
    ):
        command = option(command)
    return command


def take_wish(given: dict[str, Any]) -> Wish | Groups:
    """The wish, out of all that was given on the command line."""
    names = ("margin", "respondents", "groups", "power", "share", "confidence")
    margin, respondents, groups, power, *assumed = (given.pop(name) for name in names)
    if groups is not None:
        return _groups(groups, margin, respondents, power, *assumed)
    if (margin is None) == (respondents is None):
        raise click.UsageError("give either --margin or --respondents")
    if power is not None:
        raise click.UsageError("--power needs --groups")
    return Wish(margin, respondents, *assumed)


def _groups(
    text: str,
    margin: float | None,
    respondents: int | None,
    power: float | None,
    share: float,
    confidence: float,
) -> Groups:
    if margin is not None or (respondents is not None and power is not None):
        raise click.UsageError("with --groups give either --power or --respondents")
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise Refusal(
            "bad_groups",
            f"groups must be two shares such as 0.30,0.25, got {text[:40]!r}",
            "groups",
        ) from None
    return Groups(first, second, 0.8 if power is None else power, respondents, confidence, share)
