"""Intervals of cumulative shares and quantiles hold the truth as often as the README says."""

import re
from functools import cache

import pytest

from tests.benchmarks.coverage.levels import HARD, ORDINARY, Coverage, measure, table
from tests.support.methods_page import assert_says
from tests.support.process import ROOT

# The part of the README's samples that a test can afford.
SAMPLES = 4
SIZE = 1_000
README = (ROOT / "estimators" / "README.md").read_text()
ROW = re.compile(r"^\| (rt|isw) \| ([0-9.]+) \| ([0-9,]+) \| (.*) \|$", re.MULTILINE)


def stated() -> dict[tuple[str, str, int, str], tuple[float, ...]]:
    """Return mean and worst of shares, then of quantiles, for every cell of the README's table."""
    found = {}
    for mechanism, epsilon, n, rest in ROW.findall(README):
        columns = [column.split(" / ") for column in rest.split(" | ")]
        for kind, shares, quantiles in ((ORDINARY, 0, 3), (HARD, 1, 4)):
            cell = (mechanism, epsilon, int(n.replace(",", "")), kind)
            found[cell] = tuple(map(float, (*columns[shares], *columns[quantiles])))
    return found


@cache
def measured() -> list[Coverage]:
    """Return a small part of the simulation: 160 fits, with the seeds of the whole one."""
    return list(measure(("1", "4"), (SIZE,), SAMPLES))


def test_the_table_has_every_cell_of_the_long_measurement() -> None:
    wanted = {
        (mechanism, epsilon, n, kind)
        for mechanism in ("rt", "isw")
        for epsilon in ("0.5", "1", "2", "4")
        for n in (1_000, 5_000)
        for kind in (ORDINARY, HARD)
    }
    assert stated().keys() == wanted


def test_a_small_simulation_does_not_contradict_the_table() -> None:
    """A cell has 200 intervals of shares and 100 of quantiles here: 6 and 3 more may miss."""
    for one in measured():
        mean, _, quantile_mean, _ = stated()[one.mechanism, one.epsilon, one.n, one.kind]
        assert one.mean >= mean - 0.03, one
        assert one.quantile_mean >= quantile_mean - 0.03, one


def test_intervals_are_no_wider_than_stated() -> None:
    """Coverage would be easy with intervals from 0 to 1."""
    printed = list(table(iter(measured())))[2:]
    found = {ROW.match(line).groups()[:3]: line for line in printed if ROW.match(line)}  # type: ignore[union-attr]
    assert len(found) == 4
    for line in README.splitlines():
        row = ROW.match(line)
        if row and row.groups()[:3] in found:
            ours = found[row.groups()[:3]].split(" | ")
            assert float(ours[5]) == pytest.approx(float(line.split(" | ")[5]), abs=3)


def test_the_sentence_below_the_table_gives_its_lowest_figures() -> None:
    figures = stated().values()
    shares, quantiles = min(one[1] for one in figures), min(one[3] for one in figures)
    sentence = f"The lowest figure for shares is {shares} and the lowest for quantiles {quantiles}."
    assert sentence in " ".join(README.split())
    assert min(one[0] for one in figures) >= 0.99
    assert min(one[2] for one in figures) >= 0.99


def spoken(place: int) -> str:
    """Return what the table says about shares (0) or quantiles (2), by kind of shape."""
    parts = []
    for kind in (ORDINARY, HARD):
        cells = [figures for cell, figures in stated().items() if cell[3] == kind]
        means = [figures[place] for figures in cells]
        worst = min(figures[place + 1] for figures in cells)
        reach = f"{min(means):.3f} to {max(means):.3f} on average"
        parts.append(f"on {kind} shapes {reach}, at worst {worst:.3f}")
    return "; ".join(parts)


def test_the_page_about_methods_gives_the_range_of_the_table() -> None:
    assert_says(f"(table in estimators/README.md, 4, 5): {spoken(0)}.")
    assert_says(f"Measured in the same way, they cover {spoken(2)}.")
