"""The mechanisms: one file per randomizer, and the table that finds one by its document name."""

from client.core.mechanisms.hadamard_response import HadamardResponse
from client.core.mechanisms.private_set import PrivateSet
from client.core.mechanisms.random_threshold import RandomThreshold
from client.core.mechanisms.randomized_response import RandomizedResponse
from client.core.mechanisms.sampled_checks import SampledChecks
from client.core.mechanisms.sliding_window import SlidingWindow
from client.core.mechanisms.subset_selection import SubsetSelection
from client.core.mechanisms.two_level import Supporting, TwoLevel

MECHANISMS: dict[str, type[TwoLevel]] = {
    mechanism.name: mechanism
    for mechanism in (
        RandomizedResponse,
        SubsetSelection,
        HadamardResponse,
        SampledChecks,
        PrivateSet,
        RandomThreshold,
        SlidingWindow,
    )
}

__all__ = [
    "MECHANISMS",
    "HadamardResponse",
    "PrivateSet",
    "RandomThreshold",
    "RandomizedResponse",
    "SampledChecks",
    "SlidingWindow",
    "SubsetSelection",
    "Supporting",
    "TwoLevel",
]
