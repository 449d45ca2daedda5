"""`plan`: respondents for a margin, or the margin for so many respondents (math 12)."""

import math
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import click

from client.channel import parse_epsilon
from client.decimals import decimal_text
from client.mechanisms import TwoLevel
from client.survey_file import load_survey
from client.terminal import json_option, print_json, print_table
from estimators import planning
from estimators.mechanism_option import mechanism_named
from estimators.spread import design_effect


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@click.option("--mechanism", default="rr", show_default=True, help="With --epsilon: its name.")
@click.option("--epsilon", help="Plan one question at this epsilon instead of a survey.")
@click.option("--margin", type=float, help="The half-width wanted, 0.03 for 3 points.")
@click.option("--respondents", type=int, help="How many respondents you can get.")
@click.option("--share", type=float, default=planning.UNKNOWN_SHARE, show_default=True)
@click.option("--confidence", type=float, default=0.95, show_default=True)
@json_option
def plan(
    survey: Path | None,
    mechanism: str,
    epsilon: str | None,
    margin: float | None,
    respondents: int | None,
    share: float,
    confidence: float,
    as_json: bool,
) -> None:
    """Say how many respondents a margin takes, or what margin so many respondents give.

    \b
    Examples:
      candor plan --epsilon 1 --margin 0.03
      candor plan --epsilon 1 --respondents 2000 --share 0.1 --json
      candor plan survey.yaml --respondents 2000
    """
    if (survey is None) == (epsilon is None):
        raise click.UsageError("give either a SURVEY or --epsilon")
    if (margin is None) == (respondents is None):
        raise click.UsageError("give either --margin or --respondents")
    wish = Wish(margin, respondents, share, confidence)
    if survey is not None:
        rows = [
            {"question": question.id, **_plan(question.mechanism, question.epsilon, wish)}
            for question in load_survey(survey).questions
        ]
    else:
        chosen = parse_epsilon(epsilon)
        rows = [_plan(mechanism_named(mechanism, chosen), chosen, wish)]
    if as_json:
        print_json(rows[0] if survey is None else {"questions": rows})
    else:
        _print_table(rows)


class Wish(NamedTuple):
    """Either a margin or a number of respondents, and what is assumed about both."""

    margin: float | None
    respondents: int | None
    share: float
    confidence: float


def _plan(mechanism: TwoLevel, epsilon: Decimal, wish: Wish) -> dict[str, Any]:
    p, q = float(mechanism.p), float(mechanism.q)
    assumed = (p, q, wish.share, wish.confidence)
    if wish.margin is not None:
        figures = {
            "respondents": planning.respondents_for_margin(wish.margin, *assumed),
            "margin": wish.margin,
            "noise_only_respondents": planning.respondents_for_noise_margin(wish.margin, *assumed),
        }
    else:
        n = wish.respondents or 0
        figures = {
            "respondents": n,
            "margin": planning.margin_for_respondents(n, *assumed),
            "noise_only_margin": planning.noise_margin_for_respondents(n, *assumed),
        }
    effect = design_effect(wish.share, p, q)
    return figures | {
        "share": wish.share,
        "confidence": wish.confidence,
        "epsilon": decimal_text(epsilon),
        # At a share of 0 or 1 no finite design effect exists; JSON has no infinity.
        "design_effect": effect if math.isfinite(effect) else None,
    }


def _print_table(rows: list[dict[str, Any]]) -> None:
    names = [name for name in ("question",) if name in rows[0]]
    print_table(
        [*names, "epsilon", "respondents", "margin", "cost"],
        [
            (
                *(row[name] for name in names),
                row["epsilon"],
                f"{row['respondents']:,}",
                f"± {row['margin']:.2%}",
                "-" if row["design_effect"] is None else f"{row['design_effect']:.2f} x",
            )
            for row in rows
        ],
        words=len(names),
    )
    confidence, share = rows[0]["confidence"], rows[0]["share"]
    click.echo(f"At confidence {confidence:g}, for a population with a true share of {share:g}.")
    click.echo("Cost: how many times more respondents the protection takes.")
