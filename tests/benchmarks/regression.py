"""What a regression costs beside statsmodels'."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.special import expit

from client.core.mechanisms import TwoLevel
from estimators.columns.frame import Frame
from estimators.regression.regress import regress
from estimators.shares.spread import Array
from tests.support.reference_data import RR1, column

SEED = 12
SLOPES = np.array([0.5, -0.3, 0.2, 0.0, 0.1])


def randomized(truth: Array, mechanism: TwoLevel, source: np.random.Generator) -> Any:
    """Return yes/no answers, each kept with the mechanism's chance."""
    kept = source.random(len(truth)) < float(mechanism.keep)
    return np.where(kept, truth, 1 - truth).astype(np.int64)


def cost_beside_statsmodels(n: int, rounds: int) -> float:
    """Return the time of a logistic fit of n reports over that of an ordinary one, at best."""
    source = np.random.default_rng(SEED)
    x = source.normal(size=(n, len(SLOPES)))
    truth = (source.random(n) < expit(-0.5 + x @ SLOPES)).astype(np.int64)
    names = [f"x{place}" for place in range(len(SLOPES))]
    reports = column("y", 2, RR1, [0, 1], randomized(truth, RR1, source))
    frame = Frame(n, {"y": reports}, dict(zip(names, x.T.copy(), strict=True)))
    table = pd.DataFrame(x, columns=names)
    formula = "y ~ " + " + ".join(names)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(lambda: regress(frame, formula)))
        theirs.append(seconds(lambda: sm.Logit(truth, sm.add_constant(table)).fit(disp=0)))
    return min(ours) / min(theirs)


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
