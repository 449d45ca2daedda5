"""Print the releases of `candor curator` for people to read."""

import math
from decimal import Decimal
from fractions import Fraction

import click

from client.console.printing import print_table
from client.core.primitives.values import decimal_text
from estimators.curator.comparison import Figures
from estimators.curator.neighbours import Neighbours

# A longer table is cut to the largest counts; --json has them all.
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
    _print_bound_of_counts(figures)
    if "delta" in figures:
        click.echo(
            f"Gaussian noise would be off by at most "
            f"{math.ceil(10 * figures['gaussian_error_bound']) / 10:,.1f}, "
            f"with a promise that may fail with the chance {figures['delta']:g}."
        )
    _print_rest(figures, _local_bound_of_counts(figures))


def _print_bound_of_counts(figures: Figures) -> None:
    bound, cells = figures["error_bound"], figures["cells"]
    n = figures["respondents"] if figures["neighbours"] == Neighbours.REPLACE_ONE.value else None
    within = f"{_possible(bound, n)}{_surely(figures)}"
    if cells == 1:
        click.echo(f"The release is off by at most {within}.")
    elif figures["noisy_cells"] == 1:
        click.echo(f"The two add up to {n:,}, and neither is off by more than {within}.")
    else:
        union = f"union bound over {cells:,} counts"
        click.echo(f"No release is off by more than {within} ({union}).")


def _local_bound_of_counts(figures: Figures) -> str:
    local = figures["local"]
    if local is None:
        return ""
    bound = math.inf if local["error_bound"] is None else local["error_bound"]
    # Estimates are printed with one decimal.
    wide = bound if math.isinf(bound) else math.ceil(bound + 0.05)
    return f"off by at most {_possible(wide, local['respondents'])} in the worst case"


def _possible(bound: float, most: int | None) -> str:
    """A bound on a count: cut to what is possible, it is off by no more than everybody."""
    if most is None or bound <= most:
        return f"{bound:,}"
    return f"{most:,}, once it is cut to 0 to {most:,}"


def print_top(figures: Figures) -> None:
    """Print the most common answer and how far from the top it may be."""
    click.echo(f"Most common: {figures['release']}")
    if "truth" in figures:
        click.echo(
            f"In truth: {figures['truth']}, given by {_people(figures['shortfall'])} more."
            if figures["shortfall"]
            else "No answer is more common in truth."
        )
    click.echo(
        f"At most {_people(math.ceil(figures['shortfall_bound']))} fewer gave it than the truly "
        f"most common of the {figures['cells']:,}{_surely(figures)}."
    )
    local = figures["local"]
    bound = "" if local is None else f"{math.ceil(local['error_bound']):,}"
    _print_rest(figures, f"fewer by at most {bound} in the worst case", _estimate(figures))


def print_mean(figures: Figures) -> None:
    """Print the mean with its error bound."""
    local, (lo, hi) = figures["local"], figures["range"]
    bound, local_bound = figures["error_bound"], local["error_bound"]
    places = _places(min(bound, hi - lo))
    click.echo(
        f"Mean: {figures['release']:.{places}f} ± {_margin(bound, lo, hi)}{_surely(figures)}"
    )
    if "truth" in figures:
        click.echo(f"In truth: {figures['truth']:.{places}f}")
    is_drawn = "estimate" in local
    estimate = f"{local['estimate']:.{_places(min(local_bound, hi - lo))}f}" if is_drawn else None
    planned = "" if is_drawn else " if answers are spread evenly"
    _print_rest(figures, f"about ± {_margin(local_bound, lo, hi)}{planned}", estimate)


def _margin(bound: float, lo: float, hi: float) -> str:
    if bound <= hi - lo:
        return _up(bound, _places(bound))
    return f"{hi - lo:g}, once it is cut to {lo:g} to {hi:g}"


def print_price(figures: Figures) -> None:
    """Print the price and, in a rehearsal, the revenue of every price."""
    if "figures" in figures:
        print_table(
            ("price", "revenue", "chance"),
            [
                (_amount(row["price"]), _amount(row["revenue"]), f"{row['chance']:.1%}")
                for row in figures["figures"]
            ],
            words=0,
        )
    click.echo(f"Price: {_amount(figures['release'])}")
    click.echo(
        f"Its revenue is at most {_money(figures['shortfall_bound'])} below that of the best of "
        f"the {figures['cells']:,} prices{_surely(figures)}."
    )
    bound = _money(figures["local"]["error_bound"])
    _print_rest(figures, f"below by at most {bound} in the worst case", _estimate(figures))


def _estimate(figures: Figures) -> str | None:
    """The local survey's own choice, an answer or a price."""
    found = (figures["local"] or {}).get("estimate")
    return _amount(found) if isinstance(found, float) else found


def _print_rest(figures: Figures, bound_text: str, estimate: str | None = None) -> None:
    """Print the promise, the local survey, the price of distrust, and whether to publish."""
    click.echo(f"Epsilon {figures['epsilon']}; neighbours: {figures['neighbours']}.")
    _print_local(figures, bound_text, estimate)
    if "price_of_distrust" in figures:
        click.echo(
            "Price of distrust: to be as precise about a larger population, a curator would need "
            f"about {_people(round(figures['curator_respondents']))}, not "
            f"{figures['local']['respondents']:,}."
        )
    if figures.get("unclear_cells"):
        click.echo(
            f"Unclear cells, counted as --help says: {figures['unclear_cells']:,}. A release does "
            "not tell."
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


def _print_local(figures: Figures, bound_text: str, estimate: str | None) -> None:
    local = figures["local"]
    if local is None:
        click.echo(
            "No local survey to compare with: the number of people is private among these "
            "neighbours."
        )
        return
    times = local["times_the_curators"]
    beside = f", {times:,.1f} times the curator's" if times else ""
    found = f" says {estimate}" if estimate else ""
    click.echo(
        f"A local survey ({local['mechanism']}) of {_people(local['respondents'])}{found}: "
        f"{bound_text}{beside}."
    )


def _places(bound: float) -> int:
    """Decimals enough for two digits of the bound that are not zero."""
    return max(3, 1 - math.floor(math.log10(bound))) if bound else 3


def _up(bound: float, places: int) -> str:
    """Round up, and further by what rounding the figure beside it may take away."""
    units = math.ceil(Fraction(str(bound)) * 10**places + Fraction(1, 2))
    return f"{Decimal(units).scaleb(-places):,.{places}f}"


def _amount(value: float) -> str:
    """All decimals of a price: it has fifteen digits at most, as many as a float holds."""
    return decimal_text(Decimal(repr(value)))


def _money(bound: float) -> str:
    """Rounded up to cents, or finer where the bound is finer."""
    places = max(2, _places(bound) - 1) if bound < 1 else 2
    units = math.ceil(Fraction(str(bound)) * 10**places)
    return f"{Decimal(units).scaleb(-places):,.{places}f}"


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number:,} people"


def _surely(figures: Figures) -> str:
    return f", at confidence {figures['confidence']}"


def _count(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"
