"""Print a cross-table for people: cells, shares of rows or columns, and sentences."""

from collections.abc import Callable, Sequence
from textwrap import fill

import click

from client.console.printing import print_table
from estimators.cross.advice import Advice
from estimators.cross.association import Strength
from estimators.cross.table import Cell, CrossTable, Estimate, Ratio

ROWS, COLUMNS = "rows", "columns"
# So many columns fit into 100 letters; more continue below.
MOST_COLUMNS = 4
LINE, LABEL, HEADING = 100, 22, 15
# Variances whose ratio is nearer to 1 than this are about the same.
WORTHWHILE = 1.05


def print_cross(table: CrossTable, shares: str = ROWS) -> None:
    """Print all of a table; `shares` says whether those of rows or of columns are printed."""
    click.echo(f"{table.first} by {table.second}: {table.n:,} reports answer both")
    about = sorted({cell.n for cell in table.cells})
    if len(about) > 1:
        click.echo(f"Each cell comes from {about[0]:,} to {about[-1]:,} of them.")
    if table.means:
        _print_means(table)
    else:
        _print_cells(table)
        _print_shares(table, shares)
    for sentence in sentences(table):
        click.echo(fill(sentence, LINE, break_long_words=False, break_on_hyphens=False))


def _print_cells(table: CrossTable) -> None:
    margins = [_with_error(margin.share) for margin in table.column_margins]
    ends = [_with_error(margin.share) for margin in table.row_margins]
    click.echo("\nShares of all people, in per cent ± standard error")
    _print_blocks(table, lambda cell: _with_error(cell.share), ends, margins)
    if table.silence is not None:
        click.echo(f"{table.silence:.1%} answered with an option that is in no row and no column.")


def _print_shares(table: CrossTable, shares: str) -> None:
    of = {ROWS: "row", COLUMNS: "column"}[shares]
    click.echo(f"Shares of each {of}, in per cent with {100 * table.confidence:g} % interval")
    chosen = [cell.row_share if shares == ROWS else cell.column_share for cell in table.cells]
    _print_blocks(
        table,
        lambda cell: _share(cell.row_share if shares == ROWS else cell.column_share),
    )
    if any(share.value is None for share in chosen):
        click.echo(f"? This {of} may be empty: no number can be given.")


def _print_blocks(
    table: CrossTable,
    text: Callable[[Cell], str],
    ends: Sequence[str] = (),
    last: Sequence[str] = (),
) -> None:
    """Print the columns in blocks that fit; the margins are the last column and the last row."""
    columns = [_short(label, HEADING) for label in table.columns] + (["all"] if ends else [])
    rows = [
        [_short(label, LABEL), *map(text, cells), *ends[place : place + 1]]
        for place, (label, cells) in enumerate(zip(table.rows, table.grid, strict=True))
    ]
    if last:
        rows.append(["all", *last, ""])
    for start in range(0, len(columns), MOST_COLUMNS + bool(ends)):
        block = slice(start + 1, start + 1 + MOST_COLUMNS + bool(ends))
        headings = columns[start : start + MOST_COLUMNS + bool(ends)]
        print_table(["", *headings], [[row[0], *row[block]] for row in rows], words=1)


def _print_means(table: CrossTable) -> None:
    percent = f"{100 * table.confidence:g} % interval"
    rows = [
        (
            _short(group.label, LABEL),
            _with_error(margin.share),
            "?" if group.mean.value is None else f"{group.mean.value:,.2f}",
            _ends(group.mean, lambda value: f"{value:,.2f}"),
        )
        for group, margin in zip(table.means, table.row_margins, strict=True)
    ]
    if table.mean is not None and table.mean.value is not None:
        whole = Ratio(table.mean.value, table.mean.low, table.mean.high)
        ends = _ends(whole, lambda value: f"{value:,.2f}")
        rows.append(("all", "", f"{table.mean.value:,.2f}", ends))
    print_table(["", "% of people", f"mean {table.second}", percent], rows, words=1)
    if any(group.mean.value is None for group in table.means):
        click.echo("? This row may be empty: no number can be given.")


def sentences(table: CrossTable) -> list[str]:
    """Return what the table says about the relation of both questions, in plain words."""
    found = []
    if table.is_two_by_two:
        found += [_phi_sentence(table), _odds_sentence(table)]
    elif table.cramers_v is not None:
        found.append(_v_sentence(table.cramers_v, table.confidence))
    found.append(_test_sentence(table))
    if table.advice is not None:
        found += _advice_sentences(table.advice, table.first, table.second)
    return found


def _phi_sentence(table: CrossTable) -> str:
    if table.phi is None:
        return "Phi is not estimable: a margin is not between 0 and 1."
    return f"Phi is {_with_interval(table.phi, table.confidence)}."


def _odds_sentence(table: CrossTable) -> str:
    odds = table.odds_ratio
    if odds is None or odds.value is None:
        return "The odds ratio is not estimable: not all four cells are above 0."
    ends = _ends(odds, lambda value: f"{value:.3g}")
    return f"The odds ratio is {odds.value:.3g} ({100 * table.confidence:g} % interval {ends})."


def _v_sentence(found: Strength, confidence: float) -> str:
    if found.standard_error is None:
        return f"Cramer's V is {found.value:.2f}, not two of its standard errors; see the test."
    return f"Cramer's V is {_with_interval(found, confidence)}, without the part of the noise."


def _test_sentence(table: CrossTable) -> str:
    test = table.test
    if test.p_value is None:
        return "Independence cannot be tested: all reports to a question are equal."
    degrees = "1 degree" if test.df == 1 else f"{test.df:,} degrees"
    figures = f"chi-square {test.statistic:.2f} with {degrees} of freedom"
    chance = "p below 0.0001" if test.p_value < 0.0001 else f"p = {test.p_value:.4f}"
    verdict = (
        "the answers are related"
        if test.p_value < 1 - table.confidence
        else "no relation is shown, which does not prove that there is none"
    )
    return f"Test of independence: {figures}, {chance}: {verdict}."


def _advice_sentences(advice: Advice, first: str, second: str) -> list[str]:
    """Return whether one `cross` question would have been better, and its price."""
    if advice.cell_gain < WORTHWHILE:
        return [
            "One question of the kind cross would have given about the same cells "
            f"(variance ratio {advice.cell_gain:.2f})."
        ]
    gains = {first: advice.row_gain, second: advice.column_gain}
    worse = {name: 1 / gain for name, gain in gains.items() if gain < 1 / WORTHWHILE}
    better = {name: gain for name, gain in gains.items() if gain > WORTHWHILE}
    said = (
        f"One question of the kind cross with the same total epsilon, {advice.epsilon:g}, would "
        f"have given cells with {_times(advice.cell_gain)} less variance, as if "
        f"{_times(advice.cell_gain)} as many people had answered."
    )
    if worse:
        said += f" Its price is more variance for the shares of {_listed(worse)}."
    if better:
        said += f" There would be less variance for the shares of {_listed(better)}, too."
    return [f"{said} This is for answers that are all equally common."]


def _listed(gains: dict[str, float]) -> str:
    return " and ".join(f"{name} ({_times(gain)})" for name, gain in gains.items())


def _times(ratio: float) -> str:
    return f"{ratio:.2g} times" if ratio < 10 else f"{ratio:,.0f} times"


def _with_interval(found: Strength, confidence: float) -> str:
    ends = _ends(Ratio(found.value, found.low, found.high), lambda value: f"{value:.2f}")
    error = found.standard_error or 0.0
    percent = f"{100 * confidence:g} % interval"
    return f"{found.value:.2f} (standard error {error:.2f}, {percent} {ends})"


def _with_error(share: Estimate) -> str:
    if share.value is None or share.standard_error is None:
        return "-"
    # Adding 0 makes a plain zero out of minus zero.
    return f"{round(100 * share.value, 1) + 0.0:.1f} ± {100 * share.standard_error:.1f}"


def _share(share: Ratio) -> str:
    if share.value is None:
        return "?"
    return f"{round(100 * share.value)} ({_ends(share, lambda value: f'{round(100 * value)}')})"


def _ends(ratio: Ratio, text: Callable[[float], str]) -> str:
    if ratio.low is None:
        return "?"
    return f"{text(ratio.low)} to {'infinity' if ratio.high is None else text(ratio.high)}"


def _short(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"
