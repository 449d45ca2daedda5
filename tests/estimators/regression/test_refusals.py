"""What cannot be fitted is refused in a sentence that says why: never a silent number."""

from typing import Any

import numpy as np
import pytest

from client.core.primitives.refusal import Refusal
from estimators.columns.design_file import MatrixDesign
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.regression.regress import regress
from estimators.regression.terms import term_tests
from tests.support.reference_data import RR1, column, reference_frame, u

FRAME = reference_frame()
PLAIN = {
    **FRAME.plain,
    "double": 2 * FRAME.plain["x1"] + FRAME.plain["g"],
    "zero": np.zeros(FRAME.n),
    "one_cluster": np.ones(FRAME.n),
    "few": np.arange(FRAME.n) % 5,
    "minus": FRAME.plain["x1"],
    "word": np.where(FRAME.plain["g"] == 1, "a", "b"),
}
EVERYTHING = Frame(FRAME.n, FRAME.randomized, PLAIN)

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("y ~ x1 + g + double", {}, "'double' is a combination of the columns before it"),
    ("y ~ x1 + zero", {}, "'zero' is 0 in every row"),
    ("y ~ nobody", {}, "no column 'nobody'"),
    ("nobody ~ x1", {}, "no column 'nobody'"),
    ("y", {}, "outcome ~ terms"),
    ("y ~ x1 +", {}, "cannot be read"),
    ("y ~ x1 | g", {}, "one list of terms"),
    ("y ~ log(x1", {}, "cannot be read"),
    ("y ~ log(x1)", {}, "not a finite number"),
    ("y ~ open('/etc/passwd')", {}, "no column 'open'"),
    ("y ~ x1.__class__", {}, "no column 'x1.__class__'"),
    ("y ~ I(x1.__class__)", {}, "arithmetic and transforms"),
    ("y ~ np.load(x1)", {}, "arithmetic and transforms"),
    ("y ~ I((lambda: 1)())", {}, "arithmetic and transforms"),
    ("y ~ y", {}, "also a term"),
    ("zb ~ y:x1", {}, "'y' is randomized, so it must be a term of its own"),
    ("zb ~ log(y)", {}, "'y' is randomized"),
    ("zb ~ y", {"predictors_on": "r4"}, "plain columns only"),
    ("y ~ x1", {"weights": "minus"}, "above 0"),
    ("y ~ x1", {"weights": "word"}, "must be numbers"),
    ("y ~ x1", {"weights": "weight", "cov": "nonrobust"}, "hc0 or hc1"),
    ("num ~ x1", {"cov": "nonrobust"}, "hc0 or hc1"),
    ("y ~ x1", {"cov": "cluster"}, "--cluster"),
    ("y ~ x1", {"cluster": "few", "cov": "HC0"}, "must be cluster"),
    ("y ~ x1", {"cluster": "one_cluster"}, "at least 2 clusters"),
    ("y ~ word", {"cluster": "word"}, "errors of 2 coefficients need more clusters"),
    ("num ~ word", {"cluster": "word"}, "errors of 2 coefficients need more clusters"),
    ("y ~ 0", {}, "leave something to estimate"),
    ("num ~ 0", {}, "leave something to estimate"),
    ("y ~ .", {}, "'.' does not stand for all columns"),
    ("y ~ x1+.", {}, "'.' does not stand for all columns"),
    ("r4 ~ x1", {"model": "logit"}, "more than two answers"),
    ("r4 == 'x' ~ x1", {}, "no answer 'x'"),
    ("num == '3' ~ x1", {}, "use --model"),
    ("zc ~ x1", {"model": "logit"}, "0 and 1 only"),
    ("zc ~ x1", {"model": "ordinal"}, "not randomized"),
    ("word ~ x1", {"model": "linear"}, "no number"),
    ("r4 ~ x1", {"model": "linear"}, "no number"),
    ("r4 ~ x1 + y", {}, "randomized predictor"),
    ("zb ~ r4 + pair + level + y", {}, "128 combinations"),
    ("level ~ 0 + x1 + I(x1*0 + 1)", {"model": "ordinal"}, "same in every row"),
]


@pytest.mark.parametrize(("formula", "options", "sentence"), REFUSED)
def test_a_bad_regression_is_refused_in_one_sentence(
    formula: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Refusal) as refused:
        regress(EVERYTHING, formula, **options)
    assert sentence in refused.value.message


def test_a_share_below_zero_is_at_the_boundary_and_has_its_moment_estimate() -> None:
    """20 yes of 100 at epsilon 1: the logit runs away, the moment estimate is -0.149 (0.087)."""
    codes = np.array([1] * 20 + [0] * 80)
    frame = Frame(100, {"y": column("y", 2, RR1, [0, 1], codes)}, {})
    with pytest.raises(Refusal, match=r"-0\.149186 \(standard error 0\.086994\)") as refused:
        regress(frame, "y ~ 1")
    assert refused.value.values["rows"] == 100


def test_a_group_that_separates_the_answers_is_at_the_boundary() -> None:
    group = np.where(np.arange(FRAME.n) < 50, "small", "large")
    codes = np.where(np.arange(FRAME.n) < 50, 0, FRAME.randomized["y"].codes)
    frame = Frame(FRAME.n, {"y": column("y", 2, RR1, [0, 1], codes)}, {"arm": group})
    with pytest.raises(Refusal, match="in 50 of 1000 rows") as refused:
        regress(frame, "y ~ arm")
    assert refused.value.code == "at_boundary"


def test_an_outcome_that_a_number_separates_is_refused() -> None:
    x1 = FRAME.plain["x1"]
    plain = {"x1": x1, "z": (x1 > 0).astype(np.float64)}
    frame = Frame(FRAME.n, FRAME.randomized, plain)
    for formula in ("z ~ x1", "z ~ x1 + y"):
        with pytest.raises(Refusal, match="separates the answers z = 0, z = 1"):
            regress(frame, formula, "logit")


def test_reports_that_say_nothing_are_not_identified() -> None:
    labels = ("no", "yes")
    coin = MatrixDesign(labels, labels, np.full((2, 2), 0.5))
    codes = (u(2) < 0.5).astype(np.int64)
    frame = Frame(FRAME.n, {"y": Randomized("y", labels, [0, 1], codes, coin)}, FRAME.plain)
    with pytest.raises(Refusal, match="say nothing"):
        regress(frame, "y ~ x1")
    with pytest.raises(Refusal, match="cannot tell 'no' from 'yes'"):
        regress(frame, "zb ~ y")


def test_few_clusters_are_used_with_a_warning() -> None:
    assert "only 5 clusters" in " ".join(regress(EVERYTHING, "y ~ x1", cluster="few").notes)
    assert regress(EVERYTHING, "y ~ x1", cluster="block").notes == ()


def test_rows_with_gaps_are_left_out_and_counted() -> None:
    gaps = np.where(np.arange(FRAME.n) < 30, np.nan, FRAME.plain["x1"])
    frame = Frame(FRAME.n, FRAME.randomized, {**PLAIN, "x1": gaps})
    results = regress(frame, "y ~ x1")
    assert (results.nobs, results.notes[0][:2]) == (970, "30")


def test_units_do_not_matter() -> None:
    """An income in cents or a year of birth changes coefficients by its unit, nothing else."""
    plain = {**PLAIN, "year": 2000 + FRAME.plain["x1"], "cents": 1e9 * FRAME.plain["g"]}
    frame = Frame(FRAME.n, FRAME.randomized, plain)
    for outcome, model in (("y", "logit"), ("r4", "multinomial"), ("level", "ordinal")):
        usual: Any = regress(frame, f"{outcome} ~ x1 + g", model)  # type: ignore[arg-type]
        moved: Any = regress(frame, f"{outcome} ~ year + cents", model)  # type: ignore[arg-type]
        assert moved.llf == pytest.approx(usual.llf, abs=1e-7)
        ours = usual.params.filter(like="x1"), usual.bse.filter(like="x1")
        for one, other in zip(
            ours, (moved.params.filter(like="year"), moved.bse.filter(like="year")), strict=True
        ):
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_leaving_out_the_only_term_is_a_wald_test() -> None:
    (found,) = term_tests(regress(EVERYTHING, "y ~ 0 + word")).values()
    assert found.test == "Wald"
    assert found.df == 2


def test_without_a_constant_for_the_outcome_a_hidden_predictor_still_has_one() -> None:
    names = list(regress(EVERYTHING, "zb ~ 0 + x1 + y").params.index)
    assert names[-2:] == ["y=1: Intercept", "y=1: x1"]
