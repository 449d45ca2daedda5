"""The regressions of estimators/README.md: every coefficient, error and log-likelihood to 1e-6."""

from typing import Any

import numpy as np
import pytest
from statsmodels.tools.numdiff import approx_fprime

from estimators.regression.regress import regress
from tests.support.reference_data import PAIRS, people, reference_frame

FRAME = reference_frame()
NEAR = 1.01e-6


def test_the_reports_are_those_of_the_published_sums() -> None:
    real, columns = people(), FRAME.randomized
    assert (columns["y"].codes.sum(), real.t.sum()) == (472, 430)
    assert columns["r4"].counts().tolist() == [238, 284, 267, 211]
    held = [sum(v in PAIRS[code] for code in columns["pair"].codes) for v in range(4)]
    assert held == [514, 521, 488, 477]
    assert columns["level"].counts().tolist() == [255, 229, 235, 281]
    assert (columns["num"].codes.sum(), real.number.sum()) == (46030, 31966)
    assert (FRAME.plain["zb"].sum(), columns["yb"].codes.sum()) == (521, 527)
    assert FRAME.plain["zc"].sum() == pytest.approx(1531.420090, abs=1e-6)


YES = ("y ~ x1 + g", [-0.473712, 1.322103, 0.516037])
HEAVY = ("y ~ x1 + g", [-0.481782, 1.276675, 0.508647])
EXPECTED: dict[str, tuple[str, list[float], dict[str, Any], list[float], float | None]] = {
    "binary": (*YES, {}, [0.208446, 0.291157, 0.321754], -677.197746),
    "binary, HC1": (*YES, {"cov": "HC1"}, [0.209725, 0.279902, 0.324021], -677.197746),
    "binary, clusters": (
        *YES,
        {"cluster": "block"},
        [0.191007, 0.230340, 0.203021],
        -677.197746,
    ),
    "weighted": (*HEAVY, {"weights": "weight"}, [0.217358, 0.294666, 0.336369], None),
    "weighted, clusters": (
        *HEAVY,
        {"weights": "weight", "cluster": "block"},
        [0.196248, 0.229859, 0.240725],
        None,
    ),
    "multinomial": (
        "r4 ~ x1 + g",
        [
            *(0.159009, 0.531954, 0.546930, -0.261078, -0.570185, 1.236179),
            *(-0.684079, -0.149000, 1.082070),
        ],
        {},
        [
            *(0.217266, 0.344333, 0.451044, 0.254996, 0.368136, 0.461417),
            *(0.316305, 0.432067, 0.538511),
        ],
        -1368.210268,
    ),
    "multinomial, subsets": (
        "pair ~ x1 + g",
        [
            *(0.011859, 1.085739, -0.305986, -0.862211, -0.524749, 1.219365),
            *(-0.601362, -0.290385, 0.511674),
        ],
        {},
        [
            *(0.256787, 0.415421, 0.505226, 0.408433, 0.469245, 0.522582),
            *(0.348969, 0.520006, 0.546407),
        ],
        -1776.865964,
    ),
    "ordinal": (
        "level ~ x1 + g",
        [0.916455, 0.394895, -0.987006, -0.011718, 0.967192],
        {"model": "ordinal"},
        [0.231227, 0.252466, 0.185541, 0.172812, 0.182518],
        -1372.807794,
    ),
    "linear": (
        "num ~ x1 + g",
        [28.666644, 10.002974, 6.880960],
        {},
        [2.431229, 3.305024, 3.882687],
        None,
    ),
    "number by a randomized predictor": (
        "zc ~ x1 + y",
        [0.989860, 0.400982, 1.250695, -0.009774, -0.659761, 1.310781, 0.866791],
        {"predictors_on": "g"},
        [0.068052, 0.084956, 0.124451, 0.036546, 0.171729, 0.252139, 0.227991],
        -2204.364750,
    ),
    "yes/no by a randomized predictor": (
        "zb ~ x1 + y",
        [-0.121926, 0.441077, 0.474238, -0.452640, 1.349841, 0.469638],
        {"predictors_on": "g"},
        [0.150017, 0.146653, 0.308978, 0.205767, 0.296121, 0.316653],
        -1354.673173,
    ),
    "both randomized": (
        "yb ~ x1 + y",
        [-0.097493, 0.361543, 0.555736, -0.450041, 1.335631, 0.470900],
        {"predictors_on": "g"},
        [0.196608, 0.191672, 0.408738, 0.205404, 0.293177, 0.318385],
        -1361.601586,
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_fit_has_the_published_coefficients_errors_and_log_likelihood(name: str) -> None:
    formula, params, options, errors, llf = EXPECTED[name]
    results = regress(FRAME, formula, **options)
    np.testing.assert_allclose(results.params, params, atol=NEAR, rtol=0)
    np.testing.assert_allclose(results.bse, errors, atol=NEAR, rtol=0)
    if llf is not None:
        assert results.llf == pytest.approx(llf, abs=NEAR)


def test_the_gradient_vanishes_at_every_maximum() -> None:
    for formula in ("r4 ~ x1 + g", "zc ~ x1 + y", "zb ~ x1 + y"):
        results = regress(FRAME, formula)
        scores = results.model.score_obs(results.params)
        assert np.abs(scores.sum(axis=0)).max() < 1e-7
        # statsmodels' own differences of the log-likelihood agree with our gradient.
        numeric = approx_fprime(np.asarray(results.params), results.model.loglikeobs, centered=True)
        np.testing.assert_allclose(numeric, scores, atol=1e-6)
