"""regress() of analyse.R, run by R, gives the coefficients and errors of `candor regress`."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from estimators.regression.regress import regress
from tests.support.r_asking import Asked, Said, ask_all, survey_of
from tests.support.reference_data import PAIRS, TWO_OF_FOUR, reference_frame

FRAME = reference_frame()
FOUR = {"kind": "one_of", "epsilon": "1.5", "options": list("0123")}
SURVEY = survey_of(
    y={"kind": "yes_no", "epsilon": "1"},
    r4=FOUR,
    pair=FOUR,
    level=FOUR,
    num={"kind": "number", "lo": "0", "hi": "60", "goal": "distribution", "epsilon": "1"},
    yb={"kind": "yes_no", "epsilon": "2"},
)
ON_G = ", predictors_on = ~ g"
# The call in R, and in Python.
FITS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "binary": ("y ~ x1 + g", "", {}),
    "HC0": ("y ~ x1 + g", ", cov = 'HC0'", {"cov": "HC0"}),
    "HC1": ("y ~ x1 + g", ", cov = 'HC1'", {"cov": "HC1"}),
    "clusters": ("y ~ x1 + g", ", cluster = mine$block", {"cluster": "block"}),
    "weighted": ("y ~ x1 + g", ", weights = mine$weight", {"weights": "weight"}),
    "weighted clusters": (
        "y ~ x1 + g",
        ", weights = mine$weight, cluster = mine$block",
        {"weights": "weight", "cluster": "block"},
    ),
    "multinomial": ("r4 ~ x1 + g", "", {}),
    "subsets": ("pair ~ x1 + g", "", {}),
    "multinomial clusters": ("r4 ~ x1 + g", ", cluster = mine$block", {"cluster": "block"}),
    "ordinal": ("level ~ x1 + g", ", model = 'ordinal'", {"model": "ordinal"}),
    "linear": ("num ~ x1 + g", "", {}),
    "weighted linear": ("num ~ x1 + g", ", weights = mine$weight", {"weights": "weight"}),
    "number by predictor": ("zc ~ x1 + y", ON_G, {"predictors_on": "g"}),
    "yes/no by predictor": ("zb ~ x1 + y", ON_G, {"predictors_on": "g"}),
    "both randomized": ("yb ~ x1 + y", ON_G, {"predictors_on": "g"}),
    "two predictors": ("zc ~ x1 + y + yb", "", {}),
}
# Where the shares or means are predicted, and for which true values of the predictors.
NEW = {"x1": [-0.5, 1.0], "g": [0.0, 1.0]}
PREDICTED = ("binary", "subsets", "ordinal", "linear")
REFUSED = {
    "interaction": "regress(y ~ x1:r4, data = mine)",
    "unknown": "regress(z ~ 1)",
    "column": "regress(y ~ x9, data = mine)",
    "follows": "regress(y ~ x1 + I(2 * x1), data = mine)",
    "number": "regress(num ~ y)",
    "robust": "regress(y ~ x1, data = mine, weights = mine$weight, cov = 'nonrobust')",
    "clusters": "regress(y ~ x1, data = mine, cluster = mine$g)",
    "boundary": "regress(y ~ 1)",
}


def written(columns: dict[str, Any], mark: str = ",") -> str:
    rows = zip(*columns.values(), strict=True)
    return "\n".join([mark.join(columns), *(mark.join(map(str, row)) for row in rows)])


def lines() -> Iterator[str]:
    """Yield the calls; the reports are put back into the order of the covariates."""
    yield 'mine <- read.csv("covariates.csv")'
    yield 'in_order <- read.csv("in_order.csv", colClasses = "character", sep = ";")'
    yield 'reports <- cbind(in_order, arm = "", group = "")'
    yield f"design['pair', c('size', 'threshold')] <- c(2, {TWO_OF_FOUR.threshold})"
    yield "new <- data.frame(x1 = c(-0.5, 1), g = c(0, 1))"
    for name, (formula, options, _) in FITS.items():
        new = ", new = new" if name in PREDICTED else ""
        yield f"found <- regress({formula}, data = mine{options}{new})"
        yield f"say('{name} params', found$coefficients$estimate)"
        yield f"say('{name} bse', found$coefficients$standard_error)"
        yield f"say('{name} llf', found$log_likelihood)"
        for column in ("value", "standard_error", "low", "high"):
            yield f"say('{name} {column}', found$predicted${column})"
    yield "options <- regress(r4 ~ x1, option = 2, data = mine, new = new)"
    yield "say('one option', options$coefficients$estimate)"
    yield "said <- regress(zc ~ x1 + y, data = mine, new = data.frame(x1 = 0, y = c('No', 'Yes')))"
    yield "say('by predictor', said$predicted$value)"
    for name, call in REFUSED.items():
        if name == "boundary":
            yield "reports$y <- rep(c('1', '0', '0', '0', '0'), 200)"
        yield f"refuse('{name}', {call})"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Said:
    columns = FRAME.randomized
    sent = {name: [columns[name].reports[code] for code in columns[name].codes] for name in columns}
    shape = SURVEY.questions[2].mechanism.shape
    fits = [pair[: shape["size"]] for pair in PAIRS]
    rows = [
        ("", {name: sent[name][at] for name in sent} | {"pair": fits[columns["pair"].codes[at]]})
        for at in range(FRAME.n)
    ]
    texts = {name: [str(report).replace(" ", "") for report in own] for name, own in sent.items()}
    plain = {name: values.tolist() for name, values in FRAME.plain.items()}
    files = {"covariates.csv": written(plain), "in_order.csv": written(texts, ";")}
    asked = {"known": Asked(SURVEY, rows, list(lines()), files)}
    return ask_all(asked, tmp_path_factory.mktemp("regressed"))["known"]


def fit(name: str) -> Any:
    formula, _, options = FITS[name]
    return regress(FRAME, formula, **options)


@pytest.mark.parametrize("name", FITS)
def test_a_fit_has_the_coefficients_errors_and_log_likelihood_of_the_package(
    said: Said, name: str
) -> None:
    wanted = fit(name)
    np.testing.assert_allclose(said.numbers[f"{name} params"], wanted.params, atol=1e-6)
    np.testing.assert_allclose(said.numbers[f"{name} bse"], wanted.bse, atol=1e-6)
    if "linear" not in name:
        assert said.number(f"{name} llf") == pytest.approx(wanted.llf, abs=1e-6)


@pytest.mark.parametrize("name", PREDICTED)
def test_predicted_shares_and_means_are_those_of_the_package(said: Said, name: str) -> None:
    wanted = fit(name).get_prediction(pd.DataFrame(NEW)).summary_frame()
    columns = {
        "value": "mean",
        "standard_error": "mean_se",
        "low": "mean_ci_lower",
        "high": "mean_ci_upper",
    }
    for ours, theirs in columns.items():
        np.testing.assert_allclose(said.numbers[f"{name} {ours}"], wanted[theirs], atol=1e-6)


def test_one_option_of_several_is_yes_or_no(said: Said) -> None:
    wanted = regress(FRAME, "r4 == '2' ~ x1")
    np.testing.assert_allclose(said.numbers["one option"], wanted.params, atol=1e-6)


def test_a_prediction_takes_the_true_value_of_a_predictor(said: Said) -> None:
    constant, _, effect = regress(FRAME, "zc ~ x1 + y").params.iloc[:3]
    np.testing.assert_allclose(
        said.numbers["by predictor"], [constant, constant + effect], atol=1e-6
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("interaction", "r4 was randomized: it can be a predictor by itself"),
        ("unknown", "there is no question z; codebook.csv lists them"),
        ("column", "there is no column x9 in `data`"),
        ("follows", "the column I(2 * x1) follows from the others: leave it out"),
        ("boundary", "at the boundary"),
        ("number", "the outcome is yes/no, or a number that was not randomized"),
        ("robust", "weights and least squares need robust errors"),
        ("clusters", "there are 2 clusters for 2 parameters"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_a_sentence(
    said: Said, name: str, sentence: str
) -> None:
    assert sentence in said.refused[name]
