"""Print the releases of `candor curator` for people to read."""

import math

import click

from client.console.printing import print_table
from estimators.curator.release import Figures

# A longer table is cut to the largest counts; --json prints them all.
MOST_ROWS = 30
FEW_ROWS = 10


def print_counts(figures: Figures) -> None:
    """Print every count, the error bound for all of them, and the local survey's counts."""
    rows = figures["figures"]
    cut = len(rows) > MOST_ROWS
    if cut:
        rows = sorted(rows, key=lambda row: -int(row["release"]))[:FEW_ROWS]
    columns = [key for key in ("truth", "release", "local") if key in rows[0]]
    print_table(
        ("answer", *columns),
        [(row["label"], *(_count(row[key]) for key in columns)) for row in rows],
        words=1,
    )
    if cut:
        click.echo(f"The {FEW_ROWS} largest of {figures['cells']:,} counts; --json prints all.")
    bound, cells = figures["error_bound"], figures["cells"]
    if cells == 1:
        click.echo(f"The release is off by at most {bound:,}{_surety(figures)}.")
    else:
        union = f"union bound over {cells:,} counts"
        click.echo(f"No release is off by more than {bound:,}{_surety(figures)} ({union}).")
    if "delta" in figures:
        click.echo(
            f"Gaussian noise would be off by at most {_ceil(figures['gaussian_error_bound'], 1)}, "
            f"with a promise that may fail with the chance {figures['delta']:g}."
        )
    _print_rest(figures, f"off by at most {_local_bound(figures, 0)}")


def print_top(figures: Figures) -> None:
    """Print the most common answer and how far from the top it may be."""
    click.echo(f"Most common: {figures['release']}")
    if "truth" in figures:
        click.echo(
            f"In truth: {figures['truth']}, given by {figures['shortfall']:,} people more."
            if figures["shortfall"]
            else "No answer is more common in truth."
        )
    click.echo(
        f"At most {_ceil(figures['shortfall_bound'], 0)} people fewer gave it than the truly most "
        f"common of the {figures['cells']:,}{_surety(figures)}."
    )
    _print_rest(figures, f"fewer by at most {_local_bound(figures, 0)}")


def print_mean(figures: Figures) -> None:
    """Print the mean with its error bound."""
    click.echo(
        f"Mean: {figures['release']:.4g} ± {_ceil(figures['error_bound'], 3)}{_surety(figures)}"
    )
    if "truth" in figures:
        click.echo(f"In truth: {figures['truth']:.4g}")
    planned = "" if "estimate" in figures["local"] else " if answers are spread evenly"
    _print_rest(figures, f"± {_local_bound(figures, 3)}{planned}")


def print_price(figures: Figures) -> None:
    """Print the price and, in a rehearsal, the revenue of every price."""
    if "figures" in figures:
        print_table(
            ("price", "revenue", "chance"),
            [
                (f"{row['price']:g}", f"{row['revenue']:g}", f"{row['chance']:.1%}")
                for row in figures["figures"]
            ],
            words=0,
        )
    click.echo(f"Price: {figures['release']:g}")
    click.echo(
        f"Its revenue is at most {_ceil(figures['shortfall_bound'], 2)} below that of the best of "
        f"the {figures['cells']:,} prices{_surety(figures)}."
    )
    _print_rest(figures, f"below by at most {_local_bound(figures, 2)}")


def _print_rest(figures: Figures, bound_text: str) -> None:
    """Print the promise, the local survey, the price of distrust, and whether to publish."""
    click.echo(f"Epsilon {figures['epsilon']}; neighbours: {figures['neighbours']}.")
    _print_local(figures, bound_text)
    if "price_of_distrust" in figures:
        click.echo(
            "Price of distrust: to be as precise about a larger population, a curator would need "
            f"about {figures['curator_respondents']:,.0f} people, not "
            f"{figures['local']['respondents']:,}."
        )
    if figures["simulated"]:
        click.echo(f"Simulated people, seed {figures['seed']}.")
    elif figures["publishable"]:
        click.echo("The noise is exact and secure. Every further release spends epsilon again.")
    else:
        click.echo(
            f"Rehearsal with seed {figures['seed']}: do not publish it. Whoever knows the seed "
            "can take the noise away."
        )


def _print_local(figures: Figures, bound_text: str) -> None:
    local = figures["local"]
    if local is None:
        click.echo(
            "No local survey to compare with: the number of people is private among these "
            "neighbours."
        )
        return
    times = local["times_the_curators"]
    compared = f", {times:,.1f} times the curator's" if times else ""
    found = f" says {_figure(local['estimate'])}" if "estimate" in local else ""
    click.echo(
        f"A local survey ({local['mechanism']}) of {local['respondents']:,} people{found}: "
        f"{bound_text}{compared}."
    )


def _local_bound(figures: Figures, decimals: int) -> str:
    local = figures["local"]
    return "" if local is None else _ceil(local["error_bound"], decimals)


def _ceil(bound: float | None, decimals: int) -> str:
    """Return a bound rounded up: a bound printed smaller than it is would not hold."""
    if bound is None:
        return "any number"
    return f"{math.ceil(bound * 10**decimals) / 10**decimals:,.{decimals}f}"


def _surety(figures: Figures) -> str:
    return f", at confidence {figures['confidence']}"


def _count(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"
