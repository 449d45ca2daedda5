"""A thousand people and their reports without a random generator (math 16).

`u(c)` is the fractional part of i times the square root of c, for i = 1 to 1,000: even enough to
look like chance, and the same on every machine.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtri

from client.core.mechanisms import RandomizedResponse, SlidingWindow, SubsetSelection, TwoLevel
from client.core.primitives.channel import parse_epsilon
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array

N = 1000
_I = np.arange(1, N + 1)
Ints = NDArray[np.int64]


def u(c: int) -> Array:
    """Return the fractional parts of i times the root of c."""
    return np.asarray((_I * np.sqrt(c)) % 1)


RR1, RR2 = (RandomizedResponse.at(parse_epsilon(epsilon)) for epsilon in ("1", "2"))
ONE_OF_FOUR, TWO_OF_FOUR = (
    SubsetSelection.at(parse_epsilon("1.5"), options=4, size=size) for size in (1, 2)
)
WINDOW = SlidingWindow.at(parse_epsilon("1"), top=60, width=31)
PAIRS = [list(pair) for pair in combinations(range(4), 2)]


def column(
    name: str, truths: int, mechanism: TwoLevel, reports: list[Any], codes: Ints
) -> Randomized:
    """Return a randomized column; the truths of a window are numbers."""
    labels = tuple(map(str, range(truths)))
    values = np.arange(truths, dtype=np.float64) if mechanism is WINDOW else None
    return Randomized(name, labels, reports, codes, analysis_of(mechanism), values)


def flip(truth: Ints, mechanism: TwoLevel, c: int) -> Ints:
    """Return the truth, or its opposite where u(c) says so."""
    return np.where(u(c) < float(mechanism.keep), truth, 1 - truth)


def other(truth: Ints, keep: NDArray[np.bool_], draw: int) -> Ints:
    """Return the truth where it is kept, else one of the three others."""
    drawn = (3 * u(draw)).astype(np.int64)
    return np.where(keep, truth, drawn + (drawn >= truth))


@dataclass(frozen=True)
class People:
    """The truth, which no estimator sees."""

    x1: Array
    g: Array
    t: Ints
    option: Ints
    level: Ints
    number: Ints


def people() -> People:
    """Return a thousand people."""
    x1 = 2 * u(2) - 1
    g = (u(3) < 0.4).astype(np.float64)
    t = (u(7) < expit(-0.5 + x1 + 0.5 * g)).astype(np.int64)
    logits = (0 * x1, 0.3 + 0.8 * x1, -0.2 - 0.5 * x1 + 0.6 * g, -0.5 + 0.4 * g)
    odds = np.exp(np.column_stack(logits))
    sums = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)[:, :3]
    option = (sums < u(13)[:, np.newaxis]).sum(axis=1)
    below = expit(np.array([-1.0, 0.0, 1.0]) - (0.8 * x1 + 0.5 * g)[:, np.newaxis])
    level = (below < u(23)[:, np.newaxis]).sum(axis=1)
    number = np.clip(np.rint(30 + 10 * x1 + 5 * g + 24 * (u(37) - 0.5)), 0, 60)
    return People(x1, g, t, option, level, number.astype(np.int64))


def _pair_reports(truth: Ints) -> Ints:
    keep = u(17) < float(TWO_OF_FOUR.keep)
    drawn = (3 * u(19)).astype(np.int64)
    codes = []
    for own, kept, one in zip(truth.tolist(), keep.tolist(), drawn.tolist(), strict=True):
        rest = [option for option in range(4) if option != own]
        chosen = {own, rest[one]} if kept else set(rest) - {rest[one]}
        codes.append(PAIRS.index(sorted(chosen)))
    return np.array(codes)


def _window_reports(truth: Ints) -> Ints:
    outside = (60 * u(43)).astype(np.int64)
    inside = truth + (32 * u(43)).astype(np.int64)
    return np.where(u(41) < float(WINDOW.keep), inside, outside + 32 * (outside >= truth))


def reference_frame() -> Frame:
    """Return all reports and covariates."""
    real = people()
    outcome = (u(53) < expit(-0.3 + 0.4 * real.x1 + 0.9 * real.t)).astype(np.int64)
    keep, bits, singles = float(ONE_OF_FOUR.keep), [0, 1], [[0], [1], [2], [3]]
    option = other(real.option, u(17) < keep, 19)
    level = other(real.level, u(29) < keep, 31)
    columns = (
        column("y", 2, RR1, bits, flip(real.t, RR1, 11)),
        column("r4", 4, ONE_OF_FOUR, singles, option),
        column("pair", 4, TWO_OF_FOUR, list(PAIRS), _pair_reports(real.option)),
        column("level", 4, ONE_OF_FOUR, singles, level),
        column("num", 61, WINDOW, list(range(92)), _window_reports(real.number)),
        column("yb", 2, RR2, bits, flip(outcome, RR2, 59)),
    )
    plain = {
        "x1": real.x1,
        "g": real.g,
        "weight": 0.5 + u(5),
        "block": (_I - 1) % 40,
        "zc": 1 + 0.5 * real.x1 + 1.2 * real.t + ndtri(u(47)),
        "zb": outcome,
    }
    return Frame(N, {one.name: one for one in columns}, plain)
