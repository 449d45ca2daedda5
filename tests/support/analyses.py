"""Analyses and estimates of a mechanism, narrowed to what a test is about."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from client.core.mechanisms import TwoLevel
from estimators.counting.tally import Tally
from estimators.mechanisms import analysis_of
from estimators.mechanisms.analysis import (
    ChecksAnalysis,
    ChoiceAnalysis,
    LevelAnalysis,
    ShareAnalysis,
)
from estimators.shares.arrays import ShareArrays
from estimators.shares.checks import CheckEstimates
from estimators.shares.choices import ChoiceEstimates
from tests.support.estimate import Estimate


def share_analysis(mechanism: TwoLevel) -> ShareAnalysis[Any]:
    found = analysis_of(mechanism)
    assert isinstance(found, ShareAnalysis)
    return found


def choice_analysis(mechanism: TwoLevel) -> ChoiceAnalysis[Any]:
    found = analysis_of(mechanism)
    assert isinstance(found, ChoiceAnalysis)
    return found


def checks_analysis(mechanism: TwoLevel) -> ChecksAnalysis[Any]:
    found = analysis_of(mechanism)
    assert isinstance(found, ChecksAnalysis)
    return found


def level_analysis(mechanism: TwoLevel) -> LevelAnalysis[Any]:
    found = analysis_of(mechanism)
    assert isinstance(found, LevelAnalysis)
    return found


def choice_estimates(mechanism: TwoLevel, tally: Tally) -> ChoiceEstimates:
    return choice_analysis(mechanism).estimates(tally)


def check_estimates(mechanism: TwoLevel, tally: Tally) -> CheckEstimates:
    return checks_analysis(mechanism).estimates(tally)


def share_arrays(counts: Sequence[int], n: int, p: float, q: float) -> ShareArrays:
    """Return the arrays of several counts of supporting reports, each out of n by itself."""
    return ShareArrays(np.array(counts), np.full(len(counts), n), n, p, q)


def estimate_of(reported: int, n: int, p: float, q: float) -> Estimate:
    return Estimate(share_arrays([reported], n, p, q), 0)
