"""Coverage of regressions: coefficients, predictions and marginal effects (math 16)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit, ndtr, softmax

from client.core.mechanisms import SlidingWindow, SubsetSelection, TwoLevel
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.mechanisms import analysis_of
from estimators.regression.regress import regress
from estimators.shares.spread import Array
from tests.benchmarks.coverage.measuring import Case, Found
from tests.support.reference_data import RR1, RR2

SEED = 12
Source = np.random.Generator
# A fit, and the true value of every figure of it that is looked at.
Sample = tuple[Any, Mapping[str, float]]
STEP = 1e-5
# The names that the tables use for statsmodels' ones.
SPOKEN = {
    **{"Intercept": "constant", "x": "slope", "r": "predictor"},
    **{f"{option}: x": f"slope {option}" for option in range(1, 4)},
    **{f"{level}|{level + 1}": f"threshold {level}" for level in range(3)},
}
AT_ONE = pd.DataFrame({"x": [1.0]})
PREDICTED, EFFECT = "predicted share", "marginal effect"


def column(name: str, truths: int, mechanism: TwoLevel, truth: Any, source: Source) -> Randomized:
    """Return the reports of people with these true answers, drawn from the mechanism's law."""
    analysis: Any = analysis_of(mechanism)
    reports = list(analysis.reports())
    upper = np.cumsum(analysis.report_chances(reports), axis=0)[:-1]
    drawn, codes = source.random(len(truth)), np.empty(len(truth), dtype=np.int64)
    for own in np.unique(truth).tolist():
        codes[truth == own] = np.searchsorted(upper[:, own], drawn[truth == own])
    values = np.arange(truths, dtype=np.float64) if isinstance(mechanism, SlidingWindow) else None
    return Randomized(name, tuple(map(str, range(truths))), reports, codes, analysis, values)


def coverage(draw: Callable[[Source], Sample], samples: int) -> Found:
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
        for name, (low, high) in _intervals(results):
            if name in truth:
                held.setdefault(name, []).append(bool(low <= truth[name] <= high))
    parts = {SPOKEN.get(name, name): float(np.mean(each)) for name, each in held.items()}
    return Found(parts, f"{refused} refused" if refused else "")


def _intervals(results: Any) -> Iterator[tuple[str, Any]]:
    """Yield the intervals of parameters, of shares predicted at x = 1, and of marginal effects."""
    yield from zip(results.params.index, results.conf_int().values, strict=True)
    if results.model_name == "linear" or results.columns.predictors:
        return
    yield from _named(PREDICTED, results, results.get_prediction(AT_ONE).summary_frame(), 2)
    yield from _named(EFFECT, results, results.get_margeff().summary_frame(), 2)


def _named(what: str, results: Any, frame: Any, first: int) -> Iterator[tuple[str, Any]]:
    """Yield the intervals in two columns of a table, with the outcome if there are several."""
    outcomes = results.fitted.model.outcomes
    labels = [what] if len(outcomes) == 1 else [f"{what} {outcome}" for outcome in outcomes]
    yield from zip(labels, frame.iloc[: len(labels), first : first + 2].values, strict=True)


def _about(shares: Callable[[Array], Array], labels: str, x: Array) -> dict[str, float]:
    """Return the truths of predictions at x = 1, and of the mean slopes in these rows."""
    at_one = shares(np.array([1.0]))[0]
    slopes = ((shares(x + STEP) - shares(x - STEP)) / (2 * STEP)).mean(axis=0)
    ends = [f" {label}" for label in labels] if len(labels) > 1 else [""]
    found = {f"{PREDICTED}{end}": float(share) for end, share in zip(ends, at_one, strict=True)}
    return found | {f"{EFFECT}{end}": float(slope) for end, slope in zip(ends, slopes, strict=True)}


def _yes(x: Array) -> Array:
    return np.asarray(expit(-0.5 + x))[:, None]


def yes_no(n: int, **options: Any) -> Callable[[Source], Sample]:
    """Draw a yes/no outcome at epsilon 1 by an even covariate from -1 to 1."""

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, n)
        truth = (source.random(n) < expit(-0.5 + x)).astype(np.int64)
        frame = Frame(n, {"y": column("y", 2, RR1, truth, source)}, {"x": x})
        known = {"Intercept": -0.5, "x": 1.0, **_about(_yes, "1", x)}
        return regress(frame, "y ~ x", **options), known

    return draw


def clusters(count: int, size: int) -> Callable[[Source], Sample]:
    """Draw yes/no answers that go together in clusters, and a covariate of the cluster."""
    n = count * size

    def draw(source: Source) -> Sample:
        block = np.repeat(np.arange(count), size)
        x = source.uniform(-1, 1, count)[block]
        common = source.normal(size=count)[block]
        latent = 0.5**0.5 * common + 0.5**0.5 * source.normal(size=n)
        truth = (ndtr(latent) < expit(-0.5 + x)).astype(np.int64)
        plain = {"x": x, "block": block.astype(float)}
        frame = Frame(n, {"y": column("y", 2, RR2, truth, source)}, plain)
        return regress(frame, "y ~ x", cluster="block"), {"Intercept": -0.5, "x": 1.0}

    return draw


def weighted(n: int) -> Callable[[Source], Sample]:
    """Draw a sample in which those who seem to say yes are twice as common as they are."""

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, 4 * n)
        truth = source.random(4 * n) < expit(-0.5 + x)
        seems = np.where(source.random(4 * n) < 0.8, truth, ~truth)
        chance = np.where(seems, 0.9, 0.45)
        taken = np.flatnonzero(source.random(4 * n) < chance)[:n]
        plain = {"x": x[taken], "weight": 1 / chance[taken]}
        reports = column("y", 2, RR1, truth[taken].astype(np.int64), source)
        return regress(Frame(n, {"y": reports}, plain), "y ~ x", weights="weight"), {
            "Intercept": -0.5,
            "x": 1.0,
        }

    return draw


def _chosen(shares: Array, source: Source) -> Any:
    """Draw an option for every row of shares."""
    return (np.cumsum(shares, axis=1)[:, :-1] < source.random((len(shares), 1))).sum(axis=1)


def _options(x: Array) -> Array:
    return np.asarray(
        softmax(np.column_stack((0 * x, 0.3 + 0.8 * x, -0.2 - 0.5 * x, -0.5 + 0 * x)), axis=1)
    )


def multinomial(n: int) -> Callable[[Source], Sample]:
    """Draw one of four options, reported as a set of two at epsilon 2."""
    mechanism = SubsetSelection.at(parse_epsilon("2"), options=4, size=2)
    slopes = {"1: x": 0.8, "2: x": -0.5, "3: x": 0.0}

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, n)
        reports = column("o", 4, mechanism, _chosen(_options(x), source), source)
        return regress(Frame(n, {"o": reports}, {"x": x}), "o ~ x"), {
            **slopes,
            **_about(_options, "0123", x),
        }

    return draw


def _levels(x: Array) -> Array:
    below = expit(np.array([-1.0, 0.0, 1.0]) - 0.8 * x[:, None])
    return np.diff(np.column_stack((0 * x, below, 0 * x + 1)), axis=1)


def ordinal(n: int) -> Callable[[Source], Sample]:
    """Draw one of four ordered levels, reported as a single level at epsilon 2."""
    mechanism = SubsetSelection.at(parse_epsilon("2"), options=4, size=1)
    known = {"x": 0.8, "0|1": -1.0, "1|2": 0.0, "2|3": 1.0}

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, n)
        reports = column("o", 4, mechanism, _chosen(_levels(x), source), source)
        return regress(Frame(n, {"o": reports}, {"x": x}), "o ~ x", "ordinal"), {
            **known,
            **_about(_levels, "0123", x),
        }

    return draw


def number(n: int) -> Callable[[Source], Sample]:
    """Draw a number from 0 to 20 by a window at epsilon 1; its spread grows with x."""
    mechanism = SlidingWindow.at(parse_epsilon("1"), top=20, width=10)

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, n)
        truth = source.binomial(20, 0.5 + 0.2 * x)
        frame = Frame(n, {"o": column("o", 21, mechanism, truth, source)}, {"x": x})
        return regress(frame, "o ~ x"), {"Intercept": 10.0, "x": 4.0}

    return draw


def linear_share(n: int) -> Callable[[Source], Sample]:
    """Draw a yes/no outcome at epsilon 1 whose share rises in a line."""

    def draw(source: Source) -> Sample:
        x = source.uniform(-1, 1, n)
        truth = (source.random(n) < 0.4 + 0.3 * x).astype(np.int64)
        frame = Frame(n, {"y": column("y", 2, RR1, truth, source)}, {"x": x})
        return regress(frame, "y ~ x", "linear"), {"Intercept": 0.4, "x": 0.3}

    return draw


def number_by_predictor(n: int) -> Callable[[Source], Sample]:
    """Draw a number by a randomized predictor at epsilon 2 that depends on the covariate."""

    def draw(source: Source) -> Sample:
        x = source.normal(size=n)
        truth = source.random(n) < expit(-0.4 + 1.5 * x)
        z = 1 - 0.7 * x + 1.5 * truth + source.normal(size=n)
        seen = column("r", 2, RR2, truth.astype(np.int64), source)
        known = {"Intercept": 1.0, "x": -0.7, "r": 1.5}
        return regress(Frame(n, {"r": seen}, {"x": x, "z": z}), "z ~ x + r"), known

    return draw


def yes_no_by_predictor(n: int, randomized: bool) -> Callable[[Source], Sample]:
    """Draw a yes/no outcome, plain or randomized at epsilon 2, by such a predictor."""

    def draw(source: Source) -> Sample:
        x = source.normal(size=n)
        truth = source.random(n) < expit(-0.4 + 0.8 * x)
        outcome = (source.random(n) < expit(-0.6 - 0.5 * x + 1.2 * truth)).astype(np.int64)
        seen = {"r": column("r", 2, RR2, truth.astype(np.int64), source)}
        plain = {"x": x}
        if randomized:
            seen["z"] = column("z", 2, RR2, outcome, source)
        else:
            plain["z"] = outcome.astype(float)
        known = {"Intercept": -0.6, "x": -0.5, "r": 1.2}
        return regress(Frame(n, seen, plain), "z ~ x + r"), known

    return draw


def _case(name: str, draw: Callable[[Source], Sample], few: int, samples: int = 1_000) -> Case:
    return Case(f"regression: {name}", lambda count: coverage(draw, count), samples, few)


CASES = (
    _case("yes/no, eps 1, n 1,500", yes_no(1_500), 40),
    _case("the same, HC0", yes_no(1_500, cov="HC0"), 20),
    _case("the same, HC1", yes_no(1_500, cov="HC1"), 20),
    _case("yes/no, eps 2, 60 clusters of 25", clusters(60, 25), 20),
    _case("yes/no, eps 1, weights, n 1,500", weighted(1_500), 20),
    _case("one of four in sets of two, eps 2, n 1,500", multinomial(1_500), 20),
    _case("four ordered levels, eps 2, n 1,500", ordinal(1_500), 20),
    _case("number by a window, eps 1, least squares, n 1,500", number(1_500), 20),
    _case("share in a line, eps 1, least squares, n 1,500", linear_share(1_500), 20),
    _case("number by a randomized predictor, eps 2, n 1,500", number_by_predictor(1_500), 10, 400),
    _case(
        "yes/no by a randomized predictor, eps 2, n 1,500",
        yes_no_by_predictor(1_500, randomized=False),
        10,
        400,
    ),
    _case(
        "both randomized, eps 2 + 2, n 3,000", yes_no_by_predictor(3_000, randomized=True), 5, 400
    ),
)
