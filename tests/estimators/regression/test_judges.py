"""Outside judges: statsmodels without a randomizer, R's glm with one, and known truths."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit
from scipy.stats import norm

from client.core.mechanisms import SampledChecks
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.refusal import Refusal
from estimators.columns.design_file import MatrixDesign
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.columns.reading import read_frame
from estimators.mechanisms import analysis_of
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


def test_without_covariates_a_fit_is_the_moment_estimate() -> None:
    """Inside the possible shares, maximum likelihood and moments agree where p and q are one."""
    for formula, place in (("y ~ 1", 1), ("r4 == '2' ~ 1", 2), ("pair == '3' ~ 1", 3)):
        results = regress(FRAME, formula, "logit")
        own = FRAME.randomized[formula.split()[0]]
        mean = own.by_row(own.scores)[:, place].mean()
        assert results.predict().iloc[0] == pytest.approx(mean, abs=1e-9)
        linear = regress(FRAME, formula, "linear")
        assert linear.params["Intercept"] == pytest.approx(mean, abs=1e-9)
    assert regress(FRAME, "num ~ 1").fitted.model.outcomes == ("num",)


def test_several_randomized_predictors_have_effects_of_their_own() -> None:
    results = regress(FRAME, "zc ~ x1 + y + r4")
    effects = ["y", "r4[1]", "r4[2]", "r4[3]"]
    assert list(results.params.index[:6]) == ["Intercept", "x1", *effects]
    # y was 1.2 in the making of zc, and r4 was nothing.
    for name, truth in zip(effects, (1.2, 0, 0, 0), strict=True):
        assert abs(results.params[name] - truth) < 3.5 * results.bse[name]
    people_of_a_kind = pd.DataFrame({"x1": [0.0, 0.0], "y": ["0", "1"], "r4": ["2", "2"]})
    first, second = results.predict(people_of_a_kind)
    assert second - first == pytest.approx(results.params["y"])
    assert first == pytest.approx(results.params["Intercept"] + results.params["r4[2]"])


def test_shares_of_options_add_up_and_so_do_their_effects() -> None:
    for formula, model in (("r4 ~ x1 + g", "multinomial"), ("level ~ x1 + g", "ordinal")):
        results: Any = regress(FRAME, formula, model)  # type: ignore[arg-type]
        np.testing.assert_allclose(results.predict().sum(axis=1), 1)
        effects = results.get_margeff(dummy=True).margeff
        np.testing.assert_allclose(effects.sum(axis=1), 0, atol=1e-12)
        # One more of x1 for everybody, by the same model, in small.
        moved = np.array(results.fitted.model.exog.x)
        moved[:, results.fitted.model.exog.names.index("x1")] += 1e-6
        change = (results.predict(moved) - results.predict()).mean() / 1e-6
        np.testing.assert_allclose(effects[0], change, atol=1e-5)


def test_wald_and_t_tests_are_those_of_the_errors() -> None:
    results = regress(FRAME, "y ~ x1 + g", cluster="block")
    tested = results.t_test("x1 = 0")
    assert float(np.squeeze(tested.tvalue)) == pytest.approx(results.tvalues["x1"])
    both = float(np.squeeze(results.wald_test("x1 = 0, g = 0", scalar=True).statistic))
    own = results.params[["x1", "g"]].to_numpy()
    cov = results.cov_params().loc[["x1", "g"], ["x1", "g"]].to_numpy()
    assert both == pytest.approx(own @ np.linalg.solve(cov, own))
    assert results.pvalues["x1"] == pytest.approx(2 * norm.sf(abs(results.tvalues["x1"])))
    assert "TruthLink" in str(results.summary())
    assert "1: x1" in str(regress(FRAME, "r4 ~ x1").summary())


def test_the_survey_correction_leaves_out_the_number_of_parameters() -> None:
    n = FRAME.n
    for name in (None, "block"):
        usual = regress(FRAME, "y ~ x1 + g", cluster=name, cov=None if name else "HC1")
        survey = regress(
            FRAME,
            "y ~ x1 + g",
            cluster=name,
            cov=None if name else "HC1",
            correction="survey",
        )
        np.testing.assert_allclose(survey.bse**2 / usual.bse**2, (n - 3) / (n - 1))


def test_an_effect_of_a_category_is_against_the_base_for_everybody() -> None:
    third = np.array(["a", "b", "c"])[(3 * u(71)).astype(np.int64)]
    frame = Frame(FRAME.n, FRAME.randomized, {**FRAME.plain, "third": third})
    results = regress(frame, "y ~ x1 + third")
    effects = results.get_margeff(dummy=True).summary_frame()["dy/dx"]
    for name in "bc":
        tables = [pd.DataFrame({"x1": FRAME.plain["x1"], "third": each}) for each in (name, "a")]
        own, base = (results.predict(table).mean() for table in tables)
        assert effects[f"third[T.{name}]"] == pytest.approx(own - base)
    hidden = regress(FRAME, "zb ~ x1 + r4")
    effects = hidden.get_margeff(dummy=True).summary_frame()["dy/dx"]
    for name in "123":
        tables = [pd.DataFrame({"x1": FRAME.plain["x1"], "r4": each}) for each in (name, "0")]
        own, base = (hidden.predict(table).mean() for table in tables)
        assert effects[f"r4[{name}]"] == pytest.approx(own - base)


def test_a_box_is_regressed_from_the_reports_about_it() -> None:
    boxes = SampledChecks.at(parse_epsilon("2"), options=3, asked=1)
    reports = [[[box, bit]] for box in range(3) for bit in range(2)]
    codes = 2 * (np.arange(FRAME.n) % 3) + (u(73) < 0.55)
    labels = ("A", "B", "C")
    column = Randomized("boxes", labels, reports, codes, analysis_of(boxes))
    results = regress(Frame(FRAME.n, {"boxes": column}, FRAME.plain), "boxes == 'B' ~ 1")
    about = codes[codes // 2 == 1] % 2
    p = float(boxes.keep)
    assert results.nobs == len(about)
    assert results.predict().iloc[0] == pytest.approx((about.mean() - (1 - p)) / (2 * p - 1))
