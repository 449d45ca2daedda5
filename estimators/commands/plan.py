"""`plan`: what a margin, some respondents or a comparison of two groups take (math 6, 10, 12)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from textwrap import fill
from typing import Any, TypeVar

import click

from client.authoring.files import load_survey
from client.console.counts import COUNT
from client.console.printing import json_option, print_json
from client.core.mechanisms import TwoLevel
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.commands.options import confidence_option, mechanism_named, mechanism_options
from estimators.commands.plan_solution import in_words, print_solution
from estimators.commands.plan_tables import print_groups, print_plan
from estimators.commands.simulate_options import kind_options, question_survey
from estimators.planning.curves import EPSILONS, mechanism_panel, survey_panels
from estimators.planning.group_plan import Groups, plan_groups
from estimators.planning.planner import SHAPES, Figures, curve_figures, survey_figures
from estimators.planning.solving import Solution, solve_epsilon
from estimators.planning.survey_plan import Target, plan_mechanism
from estimators.planning.target import UNKNOWN_SHARE
from estimators.planning.timing import timing_sentence
from estimators.plots.panels import MarginPanel
from estimators.plots.plotting import check_plot_file, plot_margins

# Lines are at most this long.
WIDTH = 100
F = TypeVar("F", bound=Callable[..., Any])


def target_options(command: F) -> F:
    """Add the options for what is wanted and what is assumed about the answers."""
    for option in (
        confidence_option,
        click.option(
            "--share",
            type=float,
            default=UNKNOWN_SHARE,
            show_default=True,
            help="The share that you expect; at 0.5 the margin is widest.",
        ),
        click.option(
            "--response", type=float, default=1.0, help="The part of the invited who respond, 0.6."
        ),
        click.option(
            "--ratio", type=float, default=1.0, help="With --groups: second group / first group."
        ),
        click.option("--power", type=float, help="With --groups: the power.  [default: 0.8]"),
        click.option("--groups", help="Distinguish two groups with these shares, as 0.30,0.25."),
        click.option(
            "--respondents", type=COUNT, help="How many you can get; with --groups, in each group."
        ),
        click.option("--margin", type=float, help="The half-width wanted, 0.03 for 3 points."),
    ):
        command = option(command)
    return command


def take_target(given: dict[str, Any]) -> Target | Groups:
    """Take the target out of everything that was given on the command line."""
    names = ("margin", "respondents", "groups", "power", "ratio", "share", "confidence")
    margin, respondents, groups, power, ratio, *assumed = (given.pop(name) for name in names)
    if groups is not None:
        return replace(_groups(groups, margin, respondents, power, *assumed), ratio=ratio)
    if ratio != 1:
        raise click.UsageError("--ratio needs --groups")
    if margin is None and respondents is None:
        raise click.UsageError("give --margin, --respondents, or both")
    if power is not None:
        raise click.UsageError("--power needs --groups")
    return Target(margin, respondents, *assumed)


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
        raise Refusal("bad_groups.text", "groups", text=text) from None
    return Groups(first, second, 0.8 if power is None else power, respondents, confidence, share)


_KIND_FIELDS = {name for fields in SHAPES.values() for name in fields}


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@mechanism_options
@kind_options
@click.option("--epsilon", help="Plan one question at this epsilon instead of a survey.")
@target_options
@click.option("--epsilons", help="In the figure, draw every question at each of these, 0.5,1,2.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    help="A new file for a figure of margin against respondents: .svg, .png or .pdf.",
)
@json_option
def plan(
    survey: Path | None,
    mechanism: str,
    kind: str | None,
    epsilon: str | None,
    epsilons: str | None,
    plot: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Say how many respondents a margin takes, or what margin so many respondents give.

    With both, say which epsilon it takes.

    For a mean the margin is a part of the question's range: 0.03 for 3 hundredths of it. The
    mechanism of a --kind is chosen as for a survey.

    \b
    Examples:
      candor plan --epsilon 1 --margin 0.03
      candor plan --epsilon 1 --respondents 2000 --share 0.1 --json
      candor plan --respondents 2000 --margin 0.05
      candor plan --epsilon 1 --groups 0.30,0.25 --power 0.8 --ratio 2
      candor plan --kind one-of --options 10 --epsilon 1 --respondents 2000
      candor plan --epsilon 1 --mechanism ss --options 10 --size 3 --respondents 2000
      candor plan survey.yaml --respondents 2000 --plot margins.svg --epsilons 0.5,1,2
    """
    response = given.pop("response")
    both = given["margin"] is not None and given["respondents"] is not None
    if both and given["groups"] is None:
        if epsilon is not None or plot is not None or mechanism != "rr":
            raise click.UsageError("--margin and --respondents together solve for epsilon")
        print_solution(_solved(survey, kind, take_target(given), given), response, as_json)
        return
    if (survey is None) == (epsilon is None):
        raise click.UsageError("give either a SURVEY or --epsilon, or --margin and --respondents")
    if plot is not None:
        check_plot_file(plot)
    # The remaining options describe a mechanism or a question.
    target, shape = take_target(given), given
    several = _epsilons(epsilons, plot is not None)
    if survey is None and kind is None:
        chosen = parse_epsilon(epsilon)
        named = mechanism_named(mechanism, chosen, shape)
        figures, panels = _plan_mechanism(named, chosen, target, several)
    else:
        planned = _survey(survey, kind, epsilon, shape)
        panels = survey_panels(planned, several, target.share, target.confidence)
        figures = survey_figures(planned, target, panels)
        if isinstance(target, Target):
            figures["in_words"] = in_words(planned, figures["questions"], response)
    if plot is not None:
        plot_margins(plot, panels)
    _print_plan(figures, isinstance(target, Groups), as_json)
    if "timing" in figures and not as_json:
        click.echo(fill(timing_sentence(planned, figures["timing"]["people"]), WIDTH))


def _solved(
    path: Path | None, kind: str | None, target: Target | Groups, shape: dict[str, Any]
) -> Solution:
    assert isinstance(target, Target)
    assert target.respondents is not None
    survey = _survey(path, None if path else kind or "yes-no", "1", shape)
    return solve_epsilon(survey, target.respondents, replace(target, respondents=None))


def _epsilons(text: str | None, is_drawn: bool) -> tuple[Decimal, ...]:
    if text is not None:
        return tuple(parse_epsilon(part, "epsilons") for part in text.split(","))
    return EPSILONS if is_drawn else ()


def _survey(
    path: Path | None, kind: str | None, epsilon: str | None, shape: dict[str, Any]
) -> Survey:
    own = {name: shape.pop(name) for name in _KIND_FIELDS if name in shape}
    if path is not None:
        if kind is not None or any(own.values()):
            raise click.UsageError("a SURVEY has its own questions: --kind is for --epsilon")
        return load_survey(path)
    for name in (name for name, value in shape.items() if value is not None):
        raise click.UsageError(f"--{name} is for --mechanism, not for --kind")
    assert kind is not None
    return question_survey(kind, decimal_text(parse_epsilon(epsilon)), **own)


def _plan_mechanism(
    mechanism: TwoLevel, epsilon: Decimal, target: Target | Groups, several: Sequence[Decimal]
) -> tuple[Figures, list[MarginPanel]]:
    """Plan a mechanism of any shape without a question; draw curves if epsilons are given."""
    if isinstance(target, Target):
        row = plan_mechanism(mechanism, target)
    else:
        row = plan_groups(mechanism, target)
    figures: Figures = {"epsilon": decimal_text(epsilon), **row}
    if not several:
        return figures, []
    panel = mechanism_panel(
        mechanism.name,
        lambda at: type(mechanism).at(at, **mechanism.shape),
        several,
        target.share,
        target.confidence,
    )
    return {**figures, "curves": curve_figures(panel)}, [panel]


def _print_plan(figures: Figures, is_groups: bool, as_json: bool) -> None:
    if as_json:
        print_json(figures)
        return
    rows = figures.get("questions", [figures])
    if is_groups:
        print_groups(rows)
        return
    print_plan(rows)
    if "in_words" in figures:
        click.echo(f"\nIn words: {figures['in_words']}\n")
    best, cost = figures.get("best_ask_each_person"), figures.get("best_ask_each_person_cost")
    if best and cost and best < figures["ask_each_person"]:
        click.echo(
            f"Asking each person {best} of the {len(rows)} questions with the "
            f"whole epsilon would leave {cost:.0%} of the noise variance of asking all; "
            "how answers to two questions go together would then be hard to see."
        )
