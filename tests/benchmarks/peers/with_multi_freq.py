"""multi-freq-ldpy: clients compiled by numba, one call for each person."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from multi_freq_ldpy.estimators.Histogram_estimator import MI
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Aggregator_MI, GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.SS import (
    SS_Aggregator_IBU,
    SS_Aggregator_MI,
    SS_Client,
)
from multi_freq_ldpy.pure_frequency_oracles.UE import (
    UE_Aggregator_IBU,
    UE_Aggregator_MI,
    UE_Client,
)
from numba import njit, prange
from numpy.typing import NDArray

Answers = NDArray[np.int64]
Shares = NDArray[np.float64]
Run = Callable[[], Shares]

PACKAGE = "multi-freq-ldpy"
HOW = (
    "the client in a loop compiled by the caller with numba, then the package's aggregator. "
    "Tuned: that loop on all cores and reports counted with numpy; the package only estimates"
)
CANNOT = (
    "Hadamard response; an unbiased estimate (its aggregators clip and rescale); "
    "drawing tallies without drawing reports"
)


def grr_loop(answers: Answers, options: int, epsilon: float) -> Answers:
    reports = np.empty(len(answers), dtype=np.int64)
    for person in range(len(answers)):
        reports[person] = GRR_Client(answers[person], options, epsilon)
    return reports


def grr_loop_on_all_cores(answers: Answers, options: int, epsilon: float) -> Answers:
    reports = np.empty(len(answers), dtype=np.int64)
    for person in prange(len(answers)):
        reports[person] = GRR_Client(answers[person], options, epsilon)
    return reports


def ss_loop(answers: Answers, options: int, epsilon: float, size: int) -> Answers:
    reports = np.empty((len(answers), size), dtype=np.int64)
    for person in range(len(answers)):
        reports[person] = SS_Client(answers[person], options, epsilon)
    return reports


def ss_loop_on_all_cores(answers: Answers, options: int, epsilon: float, size: int) -> Answers:
    reports = np.empty((len(answers), size), dtype=np.int64)
    for person in prange(len(answers)):
        reports[person] = SS_Client(answers[person], options, epsilon)
    return reports


def ue_loop(answers: Answers, options: int, epsilon: float) -> Shares:
    reports = np.empty((len(answers), options))
    for person in range(len(answers)):
        reports[person] = UE_Client(answers[person], options, epsilon, True)
    return reports


GRR = njit(grr_loop)
GRR_ON_ALL_CORES = njit(grr_loop_on_all_cores, parallel=True)
SS = njit(ss_loop)
SS_ON_ALL_CORES = njit(ss_loop_on_all_cores, parallel=True)
UE = njit(ue_loop)


def subset_size(options: int, epsilon: float) -> int:
    """Return the size that the package chooses."""
    return max(1, round(options / (math.exp(epsilon) + 1)))


def grr(answers: Answers, options: int, epsilon: float) -> Run:
    # Lists, because an aggregator written in Python reads them faster than arrays.
    return lambda: GRR_Aggregator_MI(GRR(answers, options, epsilon).tolist(), options, epsilon)


def grr_tuned(answers: Answers, options: int, epsilon: float) -> Run:
    p = math.exp(epsilon) / (math.exp(epsilon) + options - 1)
    q = (1 - p) / (options - 1)

    def run() -> Any:
        reports = GRR_ON_ALL_CORES(answers, options, epsilon)
        return MI(np.bincount(reports, minlength=options), len(answers), p, q)

    return run


def ss(answers: Answers, options: int, epsilon: float) -> Run:
    size = subset_size(options, epsilon)
    return lambda: SS_Aggregator_MI(SS(answers, options, epsilon, size).tolist(), options, epsilon)


def ss_tuned(answers: Answers, options: int, epsilon: float) -> Run:
    size = subset_size(options, epsilon)
    p = size * math.exp(epsilon) / (size * math.exp(epsilon) + options - size)
    q = (size - p) / (options - 1)

    def run() -> Any:
        reports = SS_ON_ALL_CORES(answers, options, epsilon, size)
        return MI(np.bincount(reports.ravel(), minlength=options), len(answers), p, q)

    return run


WAYS = {
    "yes/no": {"documented": grr, "tuned": grr_tuned},
    "k-ary randomized response": {"documented": grr, "tuned": grr_tuned},
    "subset selection": {"documented": ss, "tuned": ss_tuned},
}


def ss_estimates(answers: Answers, options: int, epsilon: float) -> dict[str, Shares]:
    reports = SS(answers, options, epsilon, subset_size(options, epsilon)).tolist()
    return {
        "clip and rescale": SS_Aggregator_MI(reports, options, epsilon),
        "iterative Bayesian update": SS_Aggregator_IBU(reports, options, epsilon),
    }


def oue_estimates(answers: Answers, options: int, epsilon: float) -> dict[str, Shares]:
    reports = UE(answers, options, epsilon)
    return {
        "clip and rescale": UE_Aggregator_MI(reports, epsilon),
        "iterative Bayesian update": UE_Aggregator_IBU(reports, options, epsilon),
    }


METHODS = {"subset selection": ss_estimates, "optimal unary encoding": oue_estimates}
