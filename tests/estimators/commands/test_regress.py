"""`candor regress`: figures for programs, a table for people, one line for everything wrong."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from estimators.regression.regress import regress
from tests.support.figures import complaint, figures, run
from tests.support.process import ROOT
from tests.support.reference_data import RR1, reference_frame

FRAME = reference_frame()
Q = 1 - float(RR1.keep)


@pytest.fixture
def data(tmp_path: Path) -> tuple[str, ...]:
    """A CSV of somebody else, with its design."""
    arm = np.where(FRAME.plain["g"] == 1, "treated", "control")
    lines = ["y,x1,arm,zb,weight,block"]
    plain = FRAME.plain
    for row in range(FRAME.n):
        cells = (FRAME.randomized["y"].codes[row], repr(float(plain["x1"][row])), arm[row])
        rest = (plain["zb"][row], repr(float(plain["weight"][row])), plain["block"][row])
        lines.append(",".join(map(str, (*cells, *rest))))
    (tmp_path / "trial.csv").write_text("\n".join(lines))
    matrix = [[1 - Q, Q], [Q, 1 - Q]]
    question = {"reports": ["0", "1"], "truths": ["no", "yes"], "matrix": matrix}
    (tmp_path / "design.json").write_text(json.dumps({"format": 1, "questions": {"y": question}}))
    return str(tmp_path / "trial.csv"), "--design", str(tmp_path / "design.json")


def test_json_has_the_figures_by_their_names(data: tuple[str, ...]) -> None:
    found = figures("regress", *data, "--formula", "y ~ x1 + arm")
    assert (found["n"], found["model"], found["cov_type"]) == (1000, "logit", "nonrobust")
    assert list(found["params"]) == ["Intercept", "x1", "arm[T.treated]"]
    params = [-0.473712, 1.322103, 0.516037]
    assert list(found["params"].values()) == pytest.approx(params, abs=1e-6)
    assert list(found["bse"].values()) == pytest.approx([0.208446, 0.291157, 0.321754], abs=1e-6)
    assert found["llf"] == pytest.approx(-677.197746, abs=1e-6)
    for name, (low, high) in found["conf_int"].items():
        middle, error = found["params"][name], found["bse"][name]
        assert (low, high) == pytest.approx((middle - 1.959964 * error, middle + 1.959964 * error))
        assert 0 < found["pvalues"][name] < 1


def test_errors_weights_and_clusters_are_options(data: tuple[str, ...]) -> None:
    wanted = {
        ("--cov", "hc1"): ("HC1", 0.279902),
        ("--cluster", "block"): ("cluster", 0.230340),
        ("--weights", "weight"): ("HC1", 0.294666),
        ("--weights", "weight", "--cluster", "block"): ("cluster", 0.229859),
    }
    for options, (cov, error) in wanted.items():
        found = figures("regress", *data, "--formula", "y ~ x1 + arm", *options)
        assert found["cov_type"] == cov
        assert found["bse"]["x1"] == pytest.approx(error, abs=1e-6)


def test_a_randomized_predictor_is_recognised_by_its_name(data: tuple[str, ...]) -> None:
    wish = ("--formula", "zb ~ x1 + y", "--predictors-on", "arm")
    found = figures("regress", *data, *wish)
    assert found["params"]["y"] == pytest.approx(0.474238, abs=1e-6)
    assert found["llf"] == pytest.approx(-1354.673173, abs=1e-6)


def test_margins_tests_and_predictions_are_those_of_the_results(data: tuple[str, ...]) -> None:
    wish = ("--formula", "y ~ x1 + arm", "--margins", "--tests", "--predict", "x1=0.5,arm=treated")
    found = figures("regress", *data, *wish)
    results = regress(FRAME, "y ~ x1 + g")
    margins = results.get_margeff(dummy=True).margeff
    assert [row["effect"] for row in found["marginal_effects"]] == pytest.approx(list(margins))
    ratio, pvalue, _ = results.compare_lr_test(regress(FRAME, "y ~ x1"))
    assert found["term_tests"]["arm"]["statistic"] == pytest.approx(ratio)
    assert found["term_tests"]["arm"]["pvalue"] == pytest.approx(pvalue)
    one = results.get_prediction(np.array([[1, 0.5, 1]])).summary_frame().iloc[0]
    predicted = found["predictions"][0]["predicted"]["yes"]
    assert predicted["mean"] == pytest.approx(one["mean"])
    assert predicted["low"] == pytest.approx(one["mean_ci_lower"])
    assert results.as_json()["params"] == results.params.to_dict()
    assert found["overall_test"]["statistic"] == pytest.approx(2 * (results.llf - results.llnull))


def test_people_read_a_table(data: tuple[str, ...]) -> None:
    shown = run("regress", *data, "--formula", "y ~ x1 + arm", "--margins", "--tests").stdout
    assert "1.3221" in shown
    assert "logit model of y, 1,000 reports" in shown
    assert "Without arm: likelihood ratio" in shown
    assert "Mean prediction of y = yes" in shown


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_prediction_is_drawn_over_a_covariate(
    data: tuple[str, ...], suffix: str, tmp_path: Path
) -> None:
    drawn = tmp_path / f"curve.{suffix}"
    wish = ("--formula", "y ~ x1 + arm", "--plot", str(drawn), "--over", "x1", "--grey")
    figures("regress", *data, *wish, "--size", "5x3")
    assert drawn.stat().st_size > 5_000
    if suffix == "svg":
        text = drawn.read_text()
        assert "y = yes" in text
        assert "Predicted share" in text
        # The other covariate is at its most frequent value, and the figure says so.
        assert "At arm = " in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--formula", "y ~ nobody"), "no column 'nobody'"),
        (("--formula", "y ~ x1", "--predict", "x1"), "column=value"),
        (("--formula", "y ~ x1", "--predict", "x2=1"), "no column 'x2'"),
        (("--formula", "y ~ x1", "--predict", "x1=a"), "must be a number"),
        (("--formula", "y ~ x1 + arm", "--predict", "arm=other"), "'other' is in no row"),
        (("--formula", "zb ~ x1 + y", "--predict", "x1=1"), "'y' is missing"),
        (("--formula", "y ~ x1", "--confidence", "1"), "confidence"),
        (("--formula", "y ~ x1", "--over", "x1"), "--plot"),
        (("--formula", "y ~ "), "write ~ 1 for nothing"),
        (("--formula", "y ~ arm", "--plot", "none.png"), "no numeric covariate"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    data: tuple[str, ...], options: tuple[str, ...], sentence: str
) -> None:
    assert sentence in complaint("regress", *data, *options)


def test_without_the_extra_libraries_the_command_says_how_to_get_them(
    data: tuple[str, ...],
) -> None:
    program = (
        "import sys\n"
        "for name in ('statsmodels', 'formulaic', 'pandas'):\n"
        "    sys.modules[name] = None\n"
        "from server.cli import main\n"
        "main(sys.argv[1:], prog_name='candor')\n"
    )
    arguments = [sys.executable, "-c", program, "regress", *data, "--formula", "y ~ x1"]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert "statsmodels, formulaic and pandas" in done.stderr
    assert "pip install 'candor-survey[analysis]'" in done.stderr
    assert done.stderr.count("\n") == 1
