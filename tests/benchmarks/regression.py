"""What a regression costs beside statsmodels', and how often its intervals hold the truth."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.special import expit, softmax

from client.core.mechanisms import SubsetSelection, TwoLevel
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal
from estimators.columns.frame import Frame
from estimators.regression.regress import regress
from estimators.shares.spread import Array
from tests.support.reference_data import PAIRS, RR1, RR2, column

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


@dataclass(frozen=True)
class Coverage:
    """How often intervals held the truth, and how many samples were refused."""

    held: dict[str, float]
    refused: int


Sample = tuple[Any, dict[str, float]]


def coverage(draw: Callable[[np.random.Generator], Sample], samples: int) -> Coverage:
    """Draw data sets and count the 95 % intervals that hold the truth."""
    source = np.random.default_rng(SEED)
    held: dict[str, list[bool]] = {}
    refused = 0
    for _ in range(samples):
        try:
            results, truth = draw(source)
        except Refusal:
            refused += 1
            continue
        for name, (low, high) in intervals(results):
            if name in truth:
                held.setdefault(name, []).append(bool(low <= truth[name] <= high))
    return Coverage({name: float(np.mean(each)) for name, each in held.items()}, refused)


def intervals(results: Any) -> Iterator[tuple[str, Any]]:
    """Yield the intervals of parameters, of a prediction at x = 1, and of marginal effects."""
    yield from zip(results.params.index, results.conf_int().values, strict=True)
    if len(results.model.exog_names) == 2 and results.model_name == "logit":
        at_one = np.array([[1.0, 1.0]])
        yield "prediction", results.get_prediction(at_one).conf_int()[0]
        effects = results.get_margeff().summary_frame().iloc[0]
        yield "marginal effect", (effects["Conf. Int. Low"], effects["Cont. Int. Hi."])


def yes_no(n: int) -> Callable[[np.random.Generator], Sample]:
    """Draw a yes/no outcome at epsilon 1 by an even covariate from -1 to 1."""
    grid = np.linspace(-1, 1, 20_001)
    share = expit(-0.5 + grid)
    effect = float((share * (1 - share)).mean())

    def draw(source: np.random.Generator) -> Sample:
        x = source.uniform(-1, 1, n)
        truth = source.random(n) < expit(-0.5 + x)
        frame = Frame(
            n, {"y": column("y", 2, RR1, [0, 1], randomized(truth, RR1, source))}, {"x": x}
        )
        known = {"Intercept": -0.5, "x": 1.0, "prediction": float(expit(0.5))}
        return regress(frame, "y ~ x"), {**known, "marginal effect": effect}

    return draw


def subsets(n: int) -> Callable[[np.random.Generator], Sample]:
    """Draw one of four options, reported as a set of two at epsilon 2."""
    mechanism = SubsetSelection.at(parse_epsilon("2"), options=4, size=2)
    places = {tuple(pair): place for place, pair in enumerate(PAIRS)}

    def draw(source: np.random.Generator) -> Sample:
        x = source.uniform(-1, 1, n)
        shares = softmax(np.column_stack((0 * x, 0.3 + 0.8 * x, -0.2 - 0.5 * x, -0.5 + 0 * x)), 1)
        truth = (np.cumsum(shares, axis=1)[:, :3] < source.random((n, 1))).sum(axis=1)
        kept, other = source.random(n) < float(mechanism.keep), source.integers(0, 3, n)
        codes = np.empty(n, dtype=np.int64)
        for row, own in enumerate(truth):
            rest = [option for option in range(4) if option != own]
            chosen = {own, rest[other[row]]} if kept[row] else set(rest) - {rest[other[row]]}
            codes[row] = places[min(chosen), max(chosen)]
        frame = Frame(n, {"o": column("o", 4, mechanism, list(PAIRS), codes)}, {"x": x})
        return regress(frame, "o ~ x"), {"1: x": 0.8, "2: x": -0.5, "3: x": 0.0}

    return draw


def predictor(n: int) -> Callable[[np.random.Generator], Sample]:
    """Draw a number by a randomized predictor at epsilon 2 that depends on the covariate."""

    def draw(source: np.random.Generator) -> Sample:
        x = source.normal(size=n)
        truth = source.random(n) < expit(-0.4 + 1.5 * x)
        z = 1 - 0.7 * x + 1.5 * truth + source.normal(size=n)
        seen = column("r", 2, RR2, [0, 1], randomized(truth, RR2, source))
        known = {"Intercept": 1.0, "x": -0.7, "r": 1.5}
        return regress(Frame(n, {"r": seen}, {"x": x, "z": z}), "z ~ x + r"), known

    return draw


CASES = {"yes/no": yes_no, "sets of two of four": subsets, "randomized predictor": predictor}
