"""Coverage of the shares of columns that somebody else randomized (math 17)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from estimators.columns.design_file import MatrixDesign, RowDesign, parse_design
from estimators.columns.estimates import foreign_rows
from estimators.columns.randomized import Randomized
from estimators.shares.spread import Array
from tests.benchmarks.coverage.measuring import Case, Found, parts_of


def held(rows: list[dict[str, Any]], shares: Mapping[str, float]) -> dict[str, bool]:
    """Return which of the printed intervals hold the share of their label."""
    return {
        f"{100 * shares[row['label']]:g} %": bool(row["low"] <= shares[row["label"]] <= row["high"])
        for row in rows
        if row["label"] in shares
    }


def of_matrix(question: Mapping[str, Any], shares: Array, n: int, samples: int) -> Found:
    """Return how often the shares of a named design are held, of all labels but the first."""
    design = parse_design("q", question)
    assert isinstance(design, MatrixDesign)
    named = {
        label: float(share) for label, share in list(zip(design.truths, shares, strict=True))[1:]
    }
    draw = np.random.default_rng(51)
    places = np.arange(len(design.reports))
    found = []
    for counts in draw.multinomial(n, design.matrix @ shares, size=samples):
        codes = np.repeat(places, counts)
        column = Randomized("q", design.truths, places.tolist(), codes, design)
        found.append(held(foreign_rows(column), named))
    return parts_of(found)


def by_row(share: float, n: int, samples: int) -> Found:
    """Return how often a share is held if every third of the rows had other cards."""
    design = RowDesign("p", "q")
    chances = [(0.9, 0.1), (0.7, 0.3), (0.8, 0.4)]
    reports = [(bit, p, q) for p, q in chances for bit in (0, 1)]
    part = n // len(chances)
    draw = np.random.default_rng(52)
    found = []
    for _ in range(samples):
        yes = [int(draw.binomial(part, q + (p - q) * share)) for p, q in chances]
        counts = [count for own in yes for count in (part - own, own)]
        codes = np.repeat(np.arange(len(reports)), counts)
        column = Randomized("q", design.truths, reports, codes, design)
        found.append(held(foreign_rows(column), {"1": share}))
    return parts_of(found)


def _named(name: str, question: Mapping[str, Any], shares: tuple[float, ...], n: int) -> Case:
    def measure(samples: int) -> Found:
        return of_matrix(question, np.array(shares), n, samples)

    return Case(f"other designs: {name}, n {n:,}", measure, samples=10_000)


FORCED = {"kind": "forced_options", "forced": [0.1, 0.05, 0.15]}
CARDS = {"kind": "kuk", "p_yes": 0.8, "p_no": 0.3}
CASES = (
    _named("forced response", {"kind": "forced", "yes": 1 / 6, "no": 1 / 6}, (0.8, 0.2), 200),
    _named("crosswise", {"kind": "crosswise", "u": 0.25}, (0.8, 0.2), 200),
    _named("forced response of three", FORCED, (0.6, 0.3, 0.1), 200),
    _named("forced response of three", FORCED, (0.55, 0.43, 0.02), 1_000),
    _named("Kuk, one card", CARDS, (0.8, 0.2), 200),
    _named("Kuk, five cards", CARDS | {"draws": 5}, (0.8, 0.2), 200),
    _named("Kuk, five cards", CARDS | {"draws": 5}, (0.98, 0.02), 1_000),
    Case("other designs: cards that differ by row, n 300", lambda s: by_row(0.2, 300, s), 10_000),
    Case(
        "other designs: cards that differ by row, n 1,500", lambda s: by_row(0.02, 1_500, s), 10_000
    ),
)
