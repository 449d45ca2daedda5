"""Print the tables of a plan: what a question costs, and what distinguishing two groups costs."""

from collections.abc import Callable
from typing import Any

import click

from client.console.printing import print_table
from estimators.planning.wording import SILENCE_ASSUMED

Row = dict[str, Any]


def print_plan(rows: list[Row]) -> None:
    """Print mechanism, shape, bits, noise and margin per question, and its alternatives."""
    _print_rows(
        rows,
        ("epsilon", "bits", "noise", "respondents", "margin", "cost", "effective", "curator"),
        _figures,
    )
    confidence, share = rows[0]["confidence"], rows[0]["share"]
    click.echo(f"At confidence {confidence:g}, for a population with a true share of {share:g},")
    click.echo("or with evenly spread levels where the mean is estimated.")
    if any(row["shape"].get("silent") for row in rows):
        click.echo(SILENCE_ASSUMED)
    click.echo("Noise: variance per respondent. Cost: how many times more respondents it takes")
    click.echo("than asking directly; as many as `effective` would then do. Curator: how many")
    click.echo("times more than a trusted curator takes with the same epsilon and promise: one")
    click.echo("person's answer may be replaced.")


def print_groups(rows: list[Row]) -> None:
    """Print how many respondents each of two groups needs, and the power of the comparison."""
    _print_rows(
        rows, ("epsilon", "per group", "second", "power", "cost", "effective"), _group_figures
    )
    first, second = rows[0]["groups"]
    click.echo(
        f"To tell a share of {first:g} from one of {second:g} at confidence "
        f"{rows[0]['confidence']:g}."
    )
    if rows[0]["respondents_in_second"] != rows[0]["respondents_per_group"]:
        click.echo("`per group` and `effective` are about the first group, `second` the other.")
    click.echo("Cost: how many times more respondents it takes than asking directly; as many as")
    click.echo("`effective` in each group would then do.")


def _print_rows(
    rows: list[Row], headings: tuple[str, ...], figures: Callable[[Row, str], tuple[str, ...]]
) -> None:
    """Print one line per question, followed by one for each alternative mechanism."""
    names = [name for name in ("question",) if name in rows[0]]
    lines = []
    for row in rows:
        own = (*(row[name] for name in names), _mechanism_text(row), *figures(row, row["epsilon"]))
        others = (
            (*("" for _ in names), _mechanism_text(other), *figures(other, "instead"))
            for other in row.get("alternatives", [])
        )
        lines += [own, *others]
    print_table([*names, "mechanism", *headings], lines, words=len(names) + 1)


def _mechanism_text(row: Row) -> str:
    shape = ", ".join(str(number) for number in row["shape"].values())
    return f"{row['mechanism']}({shape})" if shape else str(row["mechanism"])


def _figures(row: Row, epsilon: str) -> tuple[str, ...]:
    is_mean = "top" in row["shape"]
    return (
        epsilon,
        str(row["bits"]),
        f"{row['noise_per_respondent']:.4g}",
        f"{row['respondents']:,}",
        f"± {row['margin']:.4g}" if is_mean else f"± {row['margin']:.2%}",
        *_cost(row),
        f"{row['curator_cost']:,.2f} x",
    )


def _group_figures(row: Row, epsilon: str) -> tuple[str, ...]:
    both = (f"{row[name]:,}" for name in ("respondents_per_group", "respondents_in_second"))
    return (epsilon, *both, f"{row['power']:.1%}", *_cost(row))


def _cost(row: Row) -> tuple[str, str]:
    if row["design_effect"] is None:
        return "-", "-"
    return f"{row['design_effect']:.2f} x", f"{row['effective_n']:,.0f}"
