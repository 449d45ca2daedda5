"""Outside judges: statsmodels without a randomizer, R's glm with one, and known truths."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from client.core.primitives.refusal import Refusal
from estimators.columns.design_file import MatrixDesign
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.columns.reading import read_frame
from estimators.regression.regress import regress
from estimators.shares.spread import Array
from tests.support.exported import output_of
from tests.support.r_language import RSCRIPT
from tests.support.reference_data import RR1, RR2, column, people, reference_frame, u

FRAME = reference_frame()
X = sm.add_constant(np.column_stack((FRAME.plain["x1"], FRAME.plain["g"])))


def plain_question(name: str, codes: Any, matrix: Array) -> Randomized:
    """Return a column whose channel is a matrix."""
    labels = tuple(map(str, range(matrix.shape[1])))
    return Randomized(name, labels, [0, 1], codes, MatrixDesign(labels, labels, matrix))


def test_without_noise_a_logit_is_statsmodels_logit() -> None:
    truth = people().t
    direct = plain_question("t", truth, np.eye(2))
    frame = Frame(FRAME.n, {"t": direct}, FRAME.plain)
    ours, theirs = regress(frame, "t ~ x1 + g"), sm.Logit(truth, X).fit(disp=0)
    np.testing.assert_allclose(ours.params, theirs.params, atol=1e-8)
    np.testing.assert_allclose(ours.bse, theirs.bse, atol=1e-8)
    assert ours.llf == pytest.approx(theirs.llf, abs=1e-8)
    assert ours.llnull == pytest.approx(theirs.llnull, abs=1e-6)
    assert (ours.aic, ours.bic) == pytest.approx((theirs.aic, theirs.bic), abs=1e-8)
    np.testing.assert_allclose(ours.predict(), theirs.predict(), atol=1e-8)
    margins, judged = ours.get_margeff(), theirs.get_margeff()
    np.testing.assert_allclose(margins.margeff, judged.margeff, atol=1e-8)
    np.testing.assert_allclose(margins.margeff_se, judged.margeff_se, atol=1e-7)
    frames = ours.get_prediction().summary_frame(), theirs.get_prediction().summary_frame()
    for name, own in (("mean", "predicted"), ("mean_se", "se")):
        np.testing.assert_allclose(frames[0][name], frames[1][own], atol=1e-7)


def test_a_discrete_effect_is_that_of_statsmodels() -> None:
    truth = people().t
    frame = Frame(FRAME.n, {}, {**FRAME.plain, "t": truth})
    ours = regress(frame, "t ~ x1 + g").get_margeff(dummy=True)
    judged = sm.Logit(truth, X).fit(disp=0).get_margeff(dummy=True)
    np.testing.assert_allclose(ours.margeff, judged.margeff, atol=1e-8)
    np.testing.assert_allclose(ours.margeff_se, judged.margeff_se, atol=1e-7)


def test_without_noise_a_multinomial_is_statsmodels_multinomial() -> None:
    truth = people().option
    labels = tuple("0123")
    direct = Randomized(
        "o", labels, [0, 1, 2, 3], truth, MatrixDesign(labels, labels, np.eye(4)), None
    )
    ours = regress(Frame(FRAME.n, {"o": direct}, FRAME.plain), "o ~ x1 + g")
    theirs = sm.MNLogit(truth, X).fit(disp=0)
    np.testing.assert_allclose(ours.params, theirs.params.T.ravel(), atol=1e-6)
    np.testing.assert_allclose(ours.bse, theirs.bse.T.ravel(), atol=1e-6)
    np.testing.assert_allclose(ours.predict(), theirs.predict(), atol=1e-6)


def test_least_squares_on_scores_has_statsmodels_robust_errors() -> None:
    scores = FRAME.randomized["num"]
    assert scores.mean_scores is not None
    judged = sm.OLS(scores.by_row(scores.mean_scores), X)
    cases: list[tuple[dict[str, Any], Any]] = [
        ({}, judged.fit(cov_type="HC1")),
        ({"cov": "HC0"}, judged.fit(cov_type="HC0")),
        (
            {"cluster": "block"},
            judged.fit(cov_type="cluster", cov_kwds={"groups": FRAME.plain["block"]}),
        ),
    ]
    for options, robust in cases:
        ours = regress(FRAME, "num ~ x1 + g", **options)
        np.testing.assert_allclose(ours.params, robust.params, atol=1e-9)
        np.testing.assert_allclose(ours.bse, robust.bse, atol=1e-9)
        np.testing.assert_allclose(ours.pvalues, robust.pvalues, atol=1e-9)


R_SCRIPT = """
d <- read.csv("y.csv")
link <- structure(list(
  linkfun = function(mu) qlogis((mu - d$q) / (d$p - d$q)),
  linkinv = function(eta) d$q + (d$p - d$q) * plogis(eta),
  mu.eta = function(eta) (d$p - d$q) * dlogis(eta),
  valideta = function(eta) TRUE, name = "truth"), class = "link-glm")
fit <- glm(y ~ x1 + g, binomial(link), d, start = c(0, 0, 0),
           control = glm.control(epsilon = 1e-14, maxit = 100))
cat(sprintf("%.10f", c(coef(fit), logLik(fit))))
"""


def test_a_logit_with_chances_that_differ_by_row_is_that_of_r(tmp_path: Path) -> None:
    real = people()
    p = np.where(u(61) < 0.5, float(RR1.keep), float(RR2.keep))
    q = 1 - p
    y = np.where(u(67) < p, real.t, 1 - real.t)
    table = np.column_stack((y, real.x1, real.g, p, q))
    np.savetxt(
        tmp_path / "y.csv", table, "%.17g", ",", header="y,x1,g,p,q", comments="", encoding="utf-8"
    )
    (tmp_path / "fit.R").write_text(R_SCRIPT)
    judged = [float(figure) for figure in output_of(tmp_path, (*RSCRIPT, "fit.R")).split()]
    (tmp_path / "design.json").write_text(
        '{"format": 1, "questions": {"y": {"p_column": "p", "q_column": "q"}}}'
    )
    frame = read_frame(tmp_path / "y.csv", design=tmp_path / "design.json")
    ours = regress(frame, "y ~ x1 + g")
    np.testing.assert_allclose([*ours.params, ours.llf], judged, atol=1e-6)


def test_repeated_rows_are_the_same_as_their_counts() -> None:
    half = np.arange(FRAME.n) % 2 == 0
    twice = np.where(half, 2, 1)
    counted = Frame(FRAME.n, FRAME.randomized, {**FRAME.plain, "count": twice})
    rows = np.repeat(np.arange(FRAME.n), twice)
    own = FRAME.randomized["y"]
    longer = Frame(
        len(rows),
        {"y": column("y", 2, RR1, [0, 1], own.codes[rows])},
        {name: values[rows] for name, values in FRAME.plain.items()},
    )
    cases: list[dict[str, Any]] = [{}, {"cov": "HC0"}, {"cov": "HC1"}, {"cluster": "block"}]
    for options in cases:
        one = regress(counted, "y ~ x1 + g", freq_weights="count", **options)
        other = regress(longer, "y ~ x1 + g", **options)
        np.testing.assert_allclose(one.params, other.params, atol=1e-9)
        np.testing.assert_allclose(one.bse, other.bse, atol=1e-9)
        assert (one.nobs, one.df_resid) == (other.nobs, other.df_resid) == (1500, 1497)


def test_a_randomized_predictor_that_depends_on_other_covariates_is_recovered() -> None:
    """Taken as independent of x1, the slope -0.70 would come back nearer to zero."""
    generator = np.random.default_rng(12)
    n = 20_000
    x1 = generator.normal(size=n)
    truth = (generator.random(n) < expit(-0.4 + 1.5 * x1)).astype(np.int64)
    seen = np.where(generator.random(n) < float(RR2.keep), truth, 1 - truth)
    z = 1 - 0.7 * x1 + 1.5 * truth + generator.normal(size=n)
    frame = Frame(n, {"r": column("r", 2, RR2, [0, 1], seen)}, {"x1": x1, "z": z})
    results = regress(frame, "z ~ x1 + r")
    for name, real in (("x1", -0.7), ("r", 1.5)):
        low, high = results.conf_int().loc[name]
        assert low < real < high
        assert high - low < 0.2


def test_a_likelihood_ratio_is_refused_with_weights_and_between_different_rows() -> None:
    full, less = regress(FRAME, "y ~ x1 + g"), regress(FRAME, "y ~ x1")
    ratio, pvalue, freedom = full.compare_lr_test(less)
    assert (ratio, freedom) == (pytest.approx(2 * (full.llf - less.llf)), 1)
    assert 0 < pvalue < 1
    heavy = regress(FRAME, "y ~ x1 + g", weights="weight")
    with pytest.raises(Refusal, match="Wald"):
        heavy.compare_lr_test(less)
    gaps = np.where(np.arange(FRAME.n) < 10, np.nan, FRAME.plain["x1"])
    short = Frame(FRAME.n, FRAME.randomized, {**FRAME.plain, "x1": gaps})
    with pytest.raises(Refusal, match="same rows"):
        full.compare_lr_test(regress(short, "y ~ x1"))
    with pytest.raises(Refusal, match="fewer"):
        less.compare_lr_test(full)
