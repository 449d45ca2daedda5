"""The tables of scales, numbers and budgets, with each figure from the project's own code."""

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray

from client.authoring.draft.mechanism_choice import (
    best_sliding_window,
    best_subset_selection,
    candidates,
    noise_per_respondent,
)
from client.core.kinds import SHARES
from client.core.mechanisms import (
    RandomizedResponse,
    RandomThreshold,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.mechanisms.two_level import option_noise
from client.core.primitives.domain import Choice
from estimators.ordinal.em import channel_matrix
from estimators.planning.advice import asking_spread
from estimators.planning.survey_plan import spread_of
from tests.support.analyses import choice_analysis, level_analysis
from tests.support.rounding import same

Array = NDArray[np.float64]


# Options, epsilon, then mean, top two, average share: subset selection, thresholds, window.
TABLE_4 = """
5 0.5 2 124 14.8 9.89 63.9 16.4 26.2 3 63.9 16.4 26.2
5 1 1 28.6 3.43 2.29 15.9 4.4 7.01 2 16.7 3.55 6.04
5 2 1 4.36 0.523 0.348 4.1 1.44 2.28 1 3.21 0.776 1.29
5 4 1 0.391 0.0469 0.0312 1.5 0.796 1.24 0 0.391 0.0469 0.0312
11 0.5 4 1560 23.2 12.9 400 40.5 74.5 8 424 38 72.3
11 1 3 358 5.33 2.96 100 10.5 20 7 102 10 17.7
11 2 1 64.1 0.953 0.53 26.3 3.15 6.51 5 20.7 2.07 4.35
11 4 1 4.53 0.0673 0.0374 10.1 1.53 3.57 2 2.74 0.38 1.09
"""


def best_linear(mechanism: RandomThreshold | SlidingWindow, target: Array) -> float:
    """Return the noise of the best linear estimator if all levels are equally common."""
    channel = channel_matrix(level_analysis(mechanism))
    information = channel.T @ (channel / channel.mean(axis=1, keepdims=True))
    return float(target @ np.linalg.solve(information, target) - (target**2).mean())


@pytest.mark.parametrize("row", TABLE_4.split("\n")[1:-1])
def test_table_4_of_rating_scales(row: str) -> None:
    options, eps, size, *rest = row.split()
    k, epsilon = int(options), Decimal(eps)
    printed = [float(number) for number in rest]
    levels = np.arange(k, dtype=np.float64)
    targets = [levels, (levels >= k - 2).astype(np.float64)]
    even = np.full(k, 1 / k)
    subsets = best_subset_selection(k, epsilon, 1024)
    assert subsets.size == int(size)
    found = [float(h @ choice_analysis(subsets).noise_times(even, h)) for h in targets]
    for value, expected in zip([*found, noise_per_respondent(subsets)], printed[:3], strict=True):
        assert same(value, expected, 3)
    window = best_sliding_window(k - 1, epsilon)
    assert window.width == int(printed[6])
    ordered: list[tuple[RandomThreshold | SlidingWindow, list[float]]] = [
        (RandomThreshold.at(epsilon, top=k - 1), printed[3:6]),
        (window, printed[7:]),
    ]
    for mechanism, figures in ordered:
        average = float(np.mean([best_linear(mechanism, unit) for unit in np.eye(k)]))
        values = [*(best_linear(mechanism, target) for target in targets), average]
        assert all(same(*pair, 3) for pair in zip(values, figures, strict=True))


# Epsilon, thresholds, window in the middle, at the end, on average, its width, the rule's choice.
TABLE_5 = """
0.1 400 513.8 533.1 520.3 0.974 rt
0.5 16 17.77 21.06 18.89 0.881 rt
1 4.016 3.734 5.066 4.187 0.775 rt
1.2 2.8 2.424 3.44 2.769 0.735 isw
1.5 1.812 1.404 2.114 1.646 0.678 isw
2 1.057 0.6708 1.092 0.8141 0.590 isw
3 0.5539 0.2147 0.3859 0.2729 0.440 isw
4 0.4094 0.08543 0.1618 0.1114 0.322 isw
6 0.3433 0.01765 0.03484 0.02349 0.168 isw
"""


@pytest.mark.parametrize("row", TABLE_5.split("\n")[1:-1])
def test_table_5_of_numbers(row: str) -> None:
    """On -1 .. 1 with a grid of 2,000 steps, hence within one per cent."""
    eps, *rest, pick = row.split()
    threshold, middle, end, average, width = map(float, rest)
    epsilon, top = Decimal(eps), 2000
    scale = (2 / top) ** 2
    thresholds = RandomThreshold.at(epsilon, top=top)
    window = best_sliding_window(top, epsilon)
    centred = thresholds.noise(top // 2) * scale
    assert centred == pytest.approx(threshold, rel=1e-2)
    found = [
        window.noise(top // 2) * scale,
        window.noise(0) * scale,
        noise_per_respondent(window) * scale,
    ]
    assert found == pytest.approx([middle, end, average], rel=1e-2)
    assert window.width / top == pytest.approx(width, abs=2e-3)
    better = min([thresholds, window], key=noise_per_respondent)
    assert better.name == pick


# Questions, then for total epsilon 0.5, 1, 2, 4: split, one sampled, best number to ask.
TABLE_6B = """
2 15.9 8.09 1 3.92 2.09 1 0.921 0.612 1 0.181 0.288 2
3 35.9 12.3 1 8.92 3.26 1 2.17 1.04 1 0.486 0.557 2
5 99.9 20.6 1 24.9 5.6 1 6.17 1.91 1 1.48 1.1 2
10 400 41.4 1 99.9 11.5 1 24.9 4.06 1 6.17 2.44 2
20 1600 83.1 1 400 23.2 1 99.9 8.37 1 24.9 5.13 2
"""


def yes_no_asking(questions: int, total: str, asked: int) -> float:
    # An epsilon has at most six decimals; a third of one is rounded.
    each = (Decimal(total) / asked).quantize(Decimal("0.000001"))
    return asking_spread(spread_of(RandomizedResponse.at(each)), questions, asked)


@pytest.mark.parametrize("row", TABLE_6B.split("\n")[1:-1])
def test_table_6b_of_splitting_and_sampling_questions(row: str) -> None:
    questions, *rest = row.split()
    count = int(questions)
    for position, total in enumerate(("0.5", "1", "2", "4")):
        split, sampled, best = rest[3 * position : 3 * position + 3]
        assert same(yes_no_asking(count, total, count), float(split), 3)
        assert same(yes_no_asking(count, total, 1), float(sampled), 3)
        ways = range(1, count + 1)
        assert min(ways, key=lambda asked: yes_no_asking(count, total, asked)) == int(best)


def test_a_cross_table_asked_as_one_question_has_the_noise_of_table_8() -> None:
    """Cells at pi = 1/4: total epsilon, one 4-way question, including the sampling part."""
    for eps, cell in (("0.5", 9.377), ("1", 2.077), ("2", 0.4958), ("4", 0.2165)):
        chosen: TwoLevel = candidates(Choice(4), SHARES, Decimal(eps))[0]
        assert isinstance(chosen, SubsetSelection)
        noise = option_noise(0.25, float(chosen.p), float(chosen.q))
        assert same(noise + 0.25 * 0.75, cell)
