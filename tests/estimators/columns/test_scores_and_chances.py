"""Scores are unbiased and chances are exact, for every mechanism, by enumeration."""

from decimal import Decimal
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
    TwoLevel,
)
from client.core.primitives.domain import Checks, Choice, Levels
from estimators.mechanisms import analysis_of

ONE = Decimal(1)
MECHANISMS: list[TwoLevel] = [
    RandomizedResponse.at(ONE),
    SubsetSelection.at(ONE, options=5, size=1),
    SubsetSelection.at(ONE, options=6, size=3),
    HadamardResponse.at(ONE, options=5),
    RandomThreshold.at(ONE, top=6),
    SlidingWindow.at(ONE, top=6, width=3),
    SampledChecks.at(ONE, options=4, asked=1),
    SampledChecks.at(ONE, options=4, asked=2),
    PrivateSet.at(ONE, options=5, at_most=2, size=2),
]


def truths(mechanism: TwoLevel) -> list[Any]:
    """Return every possible answer."""
    domain = mechanism.domain
    if isinstance(domain, Choice):
        return list(range(domain.options))
    if isinstance(domain, Levels):
        return list(range(domain.top + 1))
    assert isinstance(domain, Checks)
    sizes = range(domain.at_most + 1)
    return [list(c) for size in sizes for c in combinations(range(domain.options), size)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_the_mean_score_over_all_reports_is_the_truth(mechanism: TwoLevel) -> None:
    analysis = analysis_of(mechanism)
    reports = analysis.reports()
    scores = analysis.report_scores(reports)
    for truth in truths(mechanism):
        chances = np.array([float(c) for c in analysis.chances(reports, truth)])
        # A box is scored by the reports about it alone.
        about = ~np.isnan(scores)
        means = chances @ np.nan_to_num(scores) / (chances @ about)
        expected = np.zeros(scores.shape[1])
        expected[truth] = 1
        assert means == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=str)
def test_chances_are_those_of_the_exact_matrix(mechanism: TwoLevel) -> None:
    analysis = analysis_of(mechanism)
    reports = analysis.reports()
    chances = analysis.report_chances(reports)
    if isinstance(mechanism.domain, Checks):
        assert chances is None
        return
    assert chances is not None
    exact = [[float(c) for c in analysis.chances(reports, t)] for t in truths(mechanism)]
    assert chances == pytest.approx(np.array(exact).T, rel=1e-12)


@pytest.mark.parametrize("mechanism", MECHANISMS[4:6], ids=str)
def test_the_mean_score_of_a_number_is_the_number(mechanism: TwoLevel) -> None:
    analysis = analysis_of(mechanism)
    reports = analysis.reports()
    values = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0])
    scores = analysis.value_scores(reports, values)
    for truth, value in enumerate(values):
        chances = np.array([float(c) for c in analysis.chances(reports, truth)])
        assert chances @ scores == pytest.approx(value, abs=1e-12)
        noise = chances @ scores**2 - value**2
        assert noise == pytest.approx(0.25 * mechanism.noise(truth), rel=1e-9)
