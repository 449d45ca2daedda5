"""One analysis per mechanism, and the registry that finds it by the mechanism's name."""

from typing import Any

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
from estimators.mechanisms.analysis import Analysis
from estimators.mechanisms.hadamard_response import HadamardResponseAnalysis
from estimators.mechanisms.private_set import PrivateSetAnalysis
from estimators.mechanisms.random_threshold import RandomThresholdAnalysis
from estimators.mechanisms.randomized_response import RandomizedResponseAnalysis
from estimators.mechanisms.sampled_checks import SampledChecksAnalysis
from estimators.mechanisms.sliding_window import SlidingWindowAnalysis
from estimators.mechanisms.subset_selection import SubsetSelectionAnalysis

ANALYSES: dict[str, type[Analysis[Any]]] = {
    RandomizedResponse.name: RandomizedResponseAnalysis,
    SubsetSelection.name: SubsetSelectionAnalysis,
    HadamardResponse.name: HadamardResponseAnalysis,
    SampledChecks.name: SampledChecksAnalysis,
    PrivateSet.name: PrivateSetAnalysis,
    RandomThreshold.name: RandomThresholdAnalysis,
    SlidingWindow.name: SlidingWindowAnalysis,
}


def analysis_of(mechanism: TwoLevel) -> Analysis[Any]:
    """Return the analysis of a mechanism: what the estimators know about it."""
    return ANALYSES[mechanism.name](mechanism)


__all__ = ["ANALYSES", "Analysis", "analysis_of"]
