"""Print a comparison of groups: tables of at most 100 columns, and what was tested."""

from collections.abc import Sequence
from textwrap import wrap

import click

from client.console.printing import print_table
from estimators.compare.figures import SHARE
from estimators.compare.result import (
    RAKED,
    Comparison,
    Difference,
    GroupFigure,
    JointTest,
    WeightedFigure,
)
from estimators.compare.two_shares import FISHER
from estimators.compare.words import (
    SUBJECTS,
    difference_sentences,
    joint_sentence,
    p_text,
    statistic,
)

WIDTH = 100
# The space between two columns of a table, and around it.
BETWEEN, EDGES = 3, 2
SHORTEST = 6
MARKS = {FISHER: " f"}


def print_comparison(found: Comparison, title: str) -> None:
    """Print groups, differences, tests and weighted figures, each with what it means."""
    _say(f"{title} ({found.question}, by {found.by})")
    _print_groups(found)
    _print_differences(found)
    if len(found.tests) == 1:
        _say(joint_sentence(found.tests[0], found.confidence))
    elif found.tests:
        _print_joint_tests(found.tests)
    if found.weighted:
        _print_weighted(found)
    if any(row.flag for row in found.groups):
        _say("! No possible share lies in the interval: chance, or forged reports.")
    if found.left_out:
        _say(f"Left out, with fewer than 2 reports: {', '.join(found.left_out)}.")
    if found.without_group:
        _say(f"Reports left out, because they belong to no group: {found.without_group:,}.")


def _say(sentence: str) -> None:
    """Print a sentence in lines that are not too wide."""
    click.echo("\n".join(wrap(sentence, WIDTH)))


def _print_groups(found: Comparison) -> None:
    """Print one row per group, or the groups side by side if there are several options."""
    options = list(dict.fromkeys(row.option for row in found.groups))
    names = list(dict.fromkeys(row.group for row in found.groups))
    interval = f"{100 * found.confidence:g} % interval"
    quantity = _quantity(found)
    if len(options) > 1:
        cells = {(row.option, row.group): _with_interval(found, row) for row in found.groups}
        rows = [[option, *(cells[option, name] for name in names)] for option in options]
        if _width([[quantity, *names], *rows]) <= WIDTH - EDGES:
            print_table([quantity, *names], rows, words=1)
            _say(f"In brackets: the {interval} of each {found.quantity} by itself.")
            return
    rows = [
        [row.option, row.group, f"{row.n:,}", *_value_and_interval(found, row)]
        for row in found.groups
    ]
    headings = ["option", found.by, "reports", _quantity_of(found, options), interval]
    if len(options) == 1:
        headings, rows = headings[1:], [row[1:] for row in rows]
    words = 1 if len(options) == 1 else 2
    print_table(headings, _fitted(headings, rows, words), words=words)


def _print_differences(found: Comparison) -> None:
    several = len({row.option for row in found.differences}) > 1
    is_share = found.quantity == SHARE
    percent = f"{100 * found.confidence_each:.4g} % interval"
    headings = ["option", found.by, "minus", "points" if is_share else "difference", percent]
    headings += ["ratio", "interval"] if is_share else []
    headings += ["p", "p (Holm)"]
    rows = [
        [row.option, row.group, row.reference, *_difference_cells(found, row)]
        for row in found.differences
    ]
    if found.comparisons == 1:
        headings, rows = headings[:-1], [row[:-1] for row in rows]
    names = 2 + several
    if not several:
        headings, rows = headings[1:], [row[1:] for row in rows]
    elif len(pairs := {(row.group, row.reference) for row in found.differences}) == 1:
        # All rows are about the same two groups: name them once, and leave the room to options.
        _say("Differences: {} minus {}".format(*pairs.pop()))
        headings, rows = [headings[0], *headings[3:]], [[row[0], *row[3:]] for row in rows]
        names = 1
    print_table(headings, _fitted(headings, rows, names), words=names)
    for sentence in difference_sentences(found):
        _say(sentence)


def _difference_cells(found: Comparison, row: Difference) -> list[str]:
    cells = [
        _number(found, row.difference, "+"),
        f"{_number(found, row.low)} to {_number(found, row.high)}",
    ]
    if row.ratio is not None:
        value = "-" if row.ratio.value is None else f"{row.ratio.value:.2f}"
        high = "no limit" if row.ratio.high is None else f"{row.ratio.high:.2f}"
        cells += [value + (" !" if row.ratio.flag else ""), f"{row.ratio.low:.2f} to {high}"]
    mark = MARKS.get(row.test.method, "")
    return [*cells, p_text(row.test.p_value) + mark, p_text(row.p_holm)]


def _print_joint_tests(tests: Sequence[JointTest]) -> None:
    """Print several tests of all groups as a table."""
    headings = ["all groups at once", "test", "p", "p (Holm)"]
    rows = [
        [
            SUBJECTS.get(joint.about, joint.about),
            statistic(joint.test),
            p_text(joint.test.p_value) + (" *" if joint.test.small_counts else ""),
            p_text(joint.p_holm),
        ]
        for joint in tests
    ]
    print_table(headings, _fitted(headings, rows, 1), words=2)
    if any(joint.test.small_counts for joint in tests):
        _say("* Roughly: an expected count of reports is below 5.")


def _print_weighted(found: Comparison) -> None:
    options = list(dict.fromkeys(row.option for row in found.weighted))
    several = len(options) > 1
    quantity, percent = _quantity_of(found, options), f"{100 * found.confidence:g} % interval"
    headings = ["weighted", "option", quantity, percent, "reports", "effective"]
    rows = [
        [
            row.method,
            row.option,
            *_value_and_interval(found, row),
            f"{row.n:,}",
            f"{row.effective_n:,.0f}",
        ]
        for row in found.weighted
    ]
    if not several:
        headings, rows = [headings[0], *headings[2:]], [[row[0], *row[2:]] for row in rows]
    print_table(headings, _fitted(headings, rows, 1 + several), words=1 + several)
    _say(
        "The known parts are taken as exact. Effective: so many equally weighted reports would do, "
        "if weights and answers are unrelated."
    )
    if found.not_weighted:
        names = ", ".join(found.not_weighted)
        click.echo(
            f"Without reports to show and so without weight: {names}; the rest is scaled up."
        )
    if any(row.method == RAKED for row in found.weighted):
        _say("Raking assumes no interaction: that the attributes' effects add up.")


def _quantity_of(found: Comparison, options: Sequence[str]) -> str:
    """Return the quantity, with its option if there is only one."""
    named = len(options) == 1 and options[0]
    return f"{found.quantity} of {_clipped(options[0], 30)}" if named else _quantity(found)


def _quantity(found: Comparison) -> str:
    return f"{found.quantity} ({found.unit})" if found.unit else found.quantity


def _value_and_interval(found: Comparison, row: GroupFigure | WeightedFigure) -> list[str]:
    unit = "%" if found.quantity == SHARE else ""
    value, low, high = (_number(found, figure) + unit for figure in (row.value, row.low, row.high))
    mark = " !" if isinstance(row, GroupFigure) and row.flag else ""
    return [value + mark, f"{low} to {high}"]


def _with_interval(found: Comparison, row: GroupFigure) -> str:
    value, low, high = (_number(found, figure) for figure in (row.value, row.low, row.high))
    unit = "%" if found.quantity == SHARE else ""
    mark = " !" if row.flag else ""
    return f"{value}{unit}{mark} ({low} to {high})"


def _number(found: Comparison, figure: float, sign: str = "-") -> str:
    """Return a share in per cent, or a mean as it is."""
    if found.quantity == SHARE:
        return f"{100 * figure:{sign}.1f}"
    return f"{figure:{sign},.3f}"


def _fitted(headings: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> list[list[str]]:
    """Clip the names in the first columns so that the table is not too wide."""
    columns = list(zip(headings, *rows, strict=True))
    needs = [max(map(len, column)) for column in columns]
    room = WIDTH - EDGES - sum(needs[names:]) - BETWEEN * (len(needs) - 1)
    widths = dict.fromkeys(range(names), 0)
    # The narrowest first: what they do not need is left for the others.
    for left, place in zip(range(names, 0, -1), sorted(widths, key=needs.__getitem__), strict=True):
        widths[place] = min(needs[place], max(room // left, SHORTEST))
        room -= widths[place]
    return [
        [*(_clipped(row[place], width) for place, width in widths.items()), *row[names:]]
        for row in rows
    ]


def _width(table: Sequence[Sequence[str]]) -> int:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return sum(widths) + BETWEEN * (len(widths) - 1)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
