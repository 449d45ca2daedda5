"""`plan`: respondents for a margin, or the margin for so many respondents (math 6, 12)."""

from pathlib import Path
from typing import Any

import click

from client.channel import parse_epsilon
from client.counts_command import COUNT
from client.decimals import decimal_text
from client.survey import Survey
from client.survey_file import load_survey
from client.terminal import json_option, print_json, print_table
from estimators.budget_advice import best_asking
from estimators.mechanism_command import mechanism_named, mechanism_options
from estimators.planning import UNKNOWN_SHARE
from estimators.survey_plan import Wish, plan_mechanism, plan_survey

Row = dict[str, Any]


@click.command()
@click.argument("survey", required=False, type=click.Path(path_type=Path))
@mechanism_options
@click.option("--epsilon", help="Plan one question at this epsilon instead of a survey.")
@click.option("--margin", type=float, help="The half-width wanted, 0.03 for 3 points.")
@click.option("--respondents", type=COUNT, help="How many respondents you can get.")
@click.option("--share", type=float, default=UNKNOWN_SHARE, show_default=True)
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
    **shape: int | None,
) -> None:
    """Say how many respondents a margin takes, or what margin so many respondents give.

    For a mean the margin is a part of the question's range: 0.03 for 3 hundredths of it.

    \b
    Examples:
      candor plan --epsilon 1 --margin 0.03
      candor plan --epsilon 1 --respondents 2000 --share 0.1 --json
      candor plan --epsilon 1 --mechanism ss --options 10 --size 3 --respondents 2000
      candor plan survey.yaml --respondents 2000
    """
    if (survey is None) == (epsilon is None):
        raise click.UsageError("give either a SURVEY or --epsilon")
    if (margin is None) == (respondents is None):
        raise click.UsageError("give either --margin or --respondents")
    wish = Wish(margin, respondents, share, confidence)
    if survey is not None:
        _plan_survey(load_survey(survey), wish, as_json)
        return
    chosen = parse_epsilon(epsilon)
    named = mechanism_named(mechanism, chosen, shape)
    row = {"epsilon": decimal_text(chosen), **plan_mechanism(named, wish)}
    if as_json:
        print_json(row)
    else:
        print_plan([row])


def _plan_survey(survey: Survey, wish: Wish, as_json: bool) -> None:
    rows = plan_survey(survey, wish)
    advice = None if _has_skip_logic(survey) else best_asking(survey)
    if as_json:
        print_json(
            {
                "questions": rows,
                "total_epsilon": decimal_text(survey.total_epsilon),
                "ask_each_person": survey.asked,
                "best_ask_each_person": advice and advice.ask_each_person,
                "best_ask_each_person_cost": advice and advice.cost,
            }
        )
        return
    print_plan(rows)
    if advice and advice.ask_each_person < survey.asked:
        click.echo(
            f"Asking each person {advice.ask_each_person} of the {len(rows)} questions with the "
            f"whole epsilon would leave {advice.cost:.0%} of the noise variance of asking all; "
            "how answers to two questions go together would then be hard to see."
        )


def _has_skip_logic(survey: Survey) -> bool:
    return any(question.show_if for question in survey.questions)


def print_plan(rows: list[Row]) -> None:
    """Mechanism, shape, bits, noise and margin per question, and what it could have had."""
    names = [name for name in ("question",) if name in rows[0]]
    print_table(
        [*names, "mechanism", "epsilon", "bits", "noise", "respondents", "margin", "cost"],
        [line for row in rows for line in _lines(row, names)],
        words=len(names) + 1,
    )
    confidence, share = rows[0]["confidence"], rows[0]["share"]
    click.echo(f"At confidence {confidence:g}, for a population with a true share of {share:g},")
    click.echo("or with evenly spread levels where the mean is estimated.")
    click.echo("Noise: variance per respondent. Cost: how many times more respondents it takes.")


def _lines(row: Row, names: list[str]) -> list[tuple[str, ...]]:
    """The question's own line, then one for each mechanism that it could have had."""
    own = (*(row[name] for name in names), *_figures(row, row["epsilon"]))
    others = (
        (*("" for _ in names), *_figures(other, "instead")) for other in row.get("alternatives", [])
    )
    return [own, *others]


def _figures(row: Row, epsilon: str) -> tuple[str, ...]:
    shape = ", ".join(str(number) for number in row["shape"].values())
    is_mean = "top" in row["shape"]
    return (
        f"{row['mechanism']}({shape})" if shape else row["mechanism"],
        epsilon,
        str(row["bits"]),
        f"{row['noise_per_respondent']:.4g}",
        f"{row['respondents']:,}",
        f"± {row['margin']:.4g}" if is_mean else f"± {row['margin']:.2%}",
        "-" if row["design_effect"] is None else f"{row['design_effect']:.2f} x",
    )
