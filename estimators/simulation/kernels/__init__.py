"""Randomize in bulk: one kernel file per mechanism, and the exact tricks they share."""

from collections.abc import Callable
from typing import Any

from client.core.mechanisms import (
    HadamardResponse,
    PrivateSet,
    RandomizedResponse,
    RandomThreshold,
    SampledChecks,
    SlidingWindow,
    SubsetSelection,
)
from estimators.simulation.kernels import (
    hadamard_response,
    private_set,
    random_threshold,
    randomized_response,
    sampled_checks,
    sliding_window,
    subset_selection,
)
from estimators.simulation.kernels.kernel import Kernel

# The kernel of a published mechanism, by the mechanism's name.
KERNELS: dict[str, Callable[[Any], Kernel]] = {
    RandomizedResponse.name: randomized_response.kernel,
    SubsetSelection.name: subset_selection.kernel,
    HadamardResponse.name: hadamard_response.kernel,
    SampledChecks.name: sampled_checks.kernel,
    PrivateSet.name: private_set.kernel,
    RandomThreshold.name: random_threshold.kernel,
    SlidingWindow.name: sliding_window.kernel,
}
