"""Groups: coverage and level of what is compared beyond two shares, drawn (math 14).

Everything goes through `compare_tallies` or `compare_frame`, as a command would.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from client.authoring.draft.survey import build_survey
from client.core.question import Question
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.compare.groups import compare_frame, compare_tallies
from estimators.compare.result import Comparison
from estimators.mechanisms import analysis_of
from estimators.shares.spread import Array
from tests.benchmarks.coverage.measuring import (
    LEVEL,
    Case,
    Found,
    Law,
    choosing,
    covers,
    share_of,
    tallies,
    ticking,
)

Sizes = tuple[int, int]


def question(kind: str, epsilon: str, **fields: Any) -> Question:
    asked = {"id": "q", "prompt": "q?", "kind": kind, "epsilon": epsilon, **fields}
    return build_survey({"slug": "s", "title": "S", "questions": [asked]}).questions[0]


def comparisons(
    asked: Question,
    groups: Mapping[str, tuple[Law, int]],
    samples: int,
    parts: Mapping[str, float] | None = None,
) -> Iterator[Comparison]:
    """Compare groups with these answers and sizes, so many times."""
    drawn = [
        tallies(asked.mechanism, law, n, samples, seed)
        for seed, (law, n) in enumerate(groups.values(), start=41)
    ]
    for each in zip(*drawn, strict=True):
        yield compare_tallies(asked, dict(zip(groups, each, strict=True)), parts=parts)


def _falling(rate: float, top: int) -> Law:
    return choosing(*np.exp(-rate * np.arange(top + 1) / top))


def _mean(law: Law) -> float:
    return float(sum(level * part for level, part in law))


def welch(asked: Question, top: int, sizes: Sizes, samples: int) -> Found:
    """Return how often the interval of a difference of two means holds it."""
    one, other = _falling(3, top), _falling(-1, top)
    groups = {"a": (one, sizes[0]), "b": (other, sizes[1])}
    truth = _mean(one) - _mean(other)
    found = comparisons(asked, groups, samples)
    return share_of(covers(each.differences[0], truth) for each in found)


def box_difference(asked: Question, sizes: Sizes, samples: int) -> Found:
    """Return how often the difference of two groups in a box is held, all boxes together."""
    one, other = ticking([0], [0, 1], [1], []), ticking([], [0, 1, 2], [2], [])
    groups = {"a": (one, sizes[0]), "b": (other, sizes[1])}
    truths = (0.25, 0.25, -0.5)
    found = comparisons(asked, groups, samples)
    return share_of(
        all(covers(row, truth) for row, truth in zip(each.differences, truths, strict=True))
        for each in found
    )


def rejected(asked: Question, law: Law, sizes: Sequence[int], about: str, samples: int) -> Found:
    """Return how often equal groups are told apart by the test of all of them."""
    groups = {str(place): (law, n) for place, n in enumerate(sizes)}
    found = comparisons(asked, groups, samples)
    return share_of(
        next(test for test in each.tests if test.about == about).test.p_value < LEVEL
        for each in found
    )


def poststratified(samples: int) -> Found:
    """Return how often a share is held that three groups make up by their known parts."""
    asked = question("yes_no", "1")
    shares, parts, sizes = (0.2, 0.5, 0.7), (0.5, 0.3, 0.2), (200, 600, 400)
    groups = {
        name: (choosing(1 - share, share), n)
        for name, share, n in zip("abc", shares, sizes, strict=True)
    }
    truth = sum(part * share for part, share in zip(parts, shares, strict=True))
    found = comparisons(asked, groups, samples, dict(zip("abc", parts, strict=True)))
    return share_of(covers(each.weighted[0], truth) for each in found)


def raked(shares: Array, n: int, samples: int) -> Found:
    """Return how often the raked share is held; the cells of the sample are not proportional."""
    asked = question("yes_no", "1")
    keep = float(asked.mechanism.threshold) / 2**32
    margins = {"region": {"0": 0.6, "1": 0.4}, "age": {"0": 0.3, "1": 0.7}}
    known = np.outer([0.6, 0.4], [0.3, 0.7]).ravel()
    draw = np.random.default_rng(45)
    held = []
    for _ in range(samples):
        cell = draw.choice(4, size=n, p=[0.1, 0.4, 0.3, 0.2])
        truth = draw.random(n) < shares[cell]
        codes = np.where(draw.random(n) < keep, truth, ~truth).astype(np.int64)
        column = Randomized(
            "q", asked.options, [0, 1], codes, analysis_of(asked.mechanism), None, asked
        )
        plain = {"region": (cell // 2).astype(float), "age": (cell % 2).astype(float)}
        found = compare_frame(Frame(n, {"q": column}, plain), "q", "region", margins=margins)
        held.append(covers(found.weighted[0], float(known @ shares)))
    return share_of(held)


def _level(name: str, asked: Question, law: Law, sizes: Sequence[int], about: str) -> Case:
    groups = " + ".join(map(str, sizes))
    return Case(
        f"{name}, eps 1, {groups}",
        lambda samples: rejected(asked, law, sizes, about, samples),
        few=25,
        goal=LEVEL,
    )


def _one_of(options: int) -> Question:
    return question("one_of", "1", options=[f"o{place}" for place in range(options)])


SCALE = question("scale", "1", lo="0", hi="10", goal="mean")
NUMBER = question("number", "1", lo="0", hi="60", mechanism="isw")
CASES = (
    Case(
        "difference of means, Welch: 11 levels by thresholds, eps 1, 300 + 120",
        lambda samples: welch(SCALE, 10, (300, 120), samples),
        few=100,
    ),
    Case(
        "difference of means, Welch: 61 levels by a window, eps 1, 300 + 120",
        lambda samples: welch(NUMBER, 60, (300, 120), samples),
        few=100,
    ),
    Case(
        "differences in three boxes together: one a report, eps 1, 300 + 200",
        lambda samples: box_difference(
            question("any_of", "1", options=list("abc")), (300, 200), samples
        ),
        few=25,
    ),
    _level("several means, Welch's F: thresholds", SCALE, _falling(2, 10), (30, 120, 80), "mean"),
    _level("several shares: yes/no", question("yes_no", "1"), choosing(7, 3), (40, 100, 60), "Yes"),
    _level("all options: 5 in sets", _one_of(5), choosing(*range(1, 6)), (200, 250), "all options"),
    _level(
        "all options: 10 in sets", _one_of(10), choosing(*range(1, 11)), (150, 250), "all options"
    ),
    _level("shape of a number: window", NUMBER, _falling(2, 60), (800, 500), "shape"),
    Case("post-stratified share: yes/no, eps 1, 200 + 600 + 400", poststratified, few=25),
    Case(
        "raked share, no interaction: yes/no, eps 1, n 1,000",
        lambda samples: raked(np.array([0.2, 0.4, 0.5, 0.7]), 1_000, samples),
        few=25,
    ),
)
