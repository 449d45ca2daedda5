"""compare(), cross() and regress() of analyse.R, run by R, give the figures of their formulas."""

import json
import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import fisher_exact

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from estimators.analysis.data import read_data
from tests.support.exported import (
    GROUPS,
    exported,
    output_of,
    reports_of,
    run_in,
    survey_to_export,
    table,
    unpack,
)
from tests.support.groups import code, with_groups
from tests.support.r_language import RSCRIPT

YES_NO = {"kind": "yes_no", "epsilon": "1"}
# The closest to P(report is the truth) = 0.8; the tests of two questions set it exactly.
FOUR_TO_ONE = {"kind": "yes_no", "epsilon": "1.386294"}
WINDOW = {"kind": "number", "lo": "0", "hi": "60", "goal": "distribution", "epsilon": "1"}


def survey_of(**questions: dict[str, Any]) -> Survey:
    asked = [{"id": id, "prompt": f"{id}?", **fields} for id, fields in questions.items()]
    draft = {"slug": "tried", "title": "Tried", "questions": asked}
    return build_survey(with_groups(draft, *"abcdef"))


def folder_of(survey: Survey, rows: list[tuple[str, dict[str, Any]]], folder: Path) -> Path:
    """Return an unpacked export of reports, each with its group."""
    texts = sorted(
        (code(survey, group), json.dumps(report, separators=(",", ":"))) for group, report in rows
    )
    return unpack(exported(survey, texts), folder / "unpacked")


def ask(folder: Path, *lines: str) -> list[list[float]]:
    """Run lines of R after analyse.R; return the numbers that `say` printed, a list per call."""
    say = 'say <- function(x) cat("said", format(unlist(x), digits = 15), "\\n")'
    (folder / "asked.R").write_text("\n".join(['source("analyse.R")', say, *lines]))
    printed = output_of(folder, (*RSCRIPT, "asked.R")).splitlines()
    said = [line.split()[1:] for line in printed if line.startswith("said ")]
    return [[math.nan if number == "NA" else float(number) for number in line] for line in said]


def counted(answers: dict[str, tuple[int, int]]) -> list[tuple[str, dict[str, Any]]]:
    """Return reports of `yes` of n for each group."""
    return [(group, {"y": int(i < yes)}) for group, (yes, n) in answers.items() for i in range(n)]


def test_two_groups_are_compared_by_the_score_test_and_the_interval_that_inverts_it(
    tmp_path: Path,
) -> None:
    folder = folder_of(survey_of(y=YES_NO), counted({"a": (180, 400), "b": (110, 300)}), tmp_path)
    found = ask(
        folder,
        'one <- compare("y")$differences',
        "say(one[c('z', 'low', 'high', 'p_value', 'difference')])",
        "say(nrow(one))",
        'say(compare("y")$test_of_all_groups$chi_square)',
    )
    (z, low, high, p_value, difference), (rows,), (chi_square,) = found
    assert z == pytest.approx(2.214968, abs=1e-6)
    assert [low, high] == pytest.approx([0.020854, 0.336658], abs=1e-6)
    assert p_value == pytest.approx(2 * NormalDist().cdf(-2.214968), abs=1e-6)
    assert chi_square == pytest.approx(2.214968**2, abs=1e-5)
    assert rows == 1
    assert difference == pytest.approx((180 / 400 - 110 / 300) / math.tanh(0.5), abs=1e-8)


def test_with_few_expected_reports_the_test_is_the_exact_one(tmp_path: Path) -> None:
    survey = survey_of(y={"kind": "yes_no", "epsilon": "4"})
    # Of the 8 yes, 1.6 are expected in the first group.
    folder = folder_of(survey, counted({"a": (3, 30), "b": (5, 120)}), tmp_path)
    ((exact, p_value),) = ask(
        folder, 'one <- compare("y")$differences', "say(c(one$test == 'fisher', one$p_value))"
    )
    assert exact == 1
    assert p_value == pytest.approx(fisher_exact([[3, 27], [5, 115]]).pvalue, abs=1e-9)


def test_a_ratio_has_no_upper_limit_if_the_second_share_may_be_nothing(tmp_path: Path) -> None:
    folder = folder_of(survey_of(y=YES_NO), counted({"a": (180, 400), "b": (85, 300)}), tmp_path)
    ask_for = "say(compare('y')$differences[c('ratio_low', 'ratio_high')])"
    ((low, high),) = ask(folder, ask_for)
    assert 0 < low < math.inf
    assert high == math.inf


def test_a_ratio_of_reports_that_are_nearly_all_alike_is_that_of_the_package(
    tmp_path: Path,
) -> None:
    survey = survey_of(y={"kind": "yes_no", "epsilon": "4"})
    counts = {"a": (30, 30), "b": (117, 120), "c": (20, 40)}
    folder = folder_of(survey, counted(counts), tmp_path)
    columns = ("ratio", "ratio_low", "ratio_high")
    found = ask(folder, *(f"say(compare('y')$differences${column})" for column in columns))
    pairs = read_data(folder).compare("y").differences
    ratios = [pair.ratio for pair in pairs if pair.ratio is not None]
    expected = [(ratio.value, ratio.low, ratio.high) for ratio in ratios]
    assert list(zip(*found, strict=True)) == [pytest.approx(each, abs=1e-8) for each in expected]
    assert expected[0][1] < 1


def test_many_groups_and_options_are_tested_at_once_as_pearson_does(tmp_path: Path) -> None:
    survey = survey_of(y={"kind": "one_of", "epsilon": "3", "options": ["p", "q", "r", "s"]})
    assert survey.questions[0].mechanism.shape["size"] == 1
    counts = {"a": (30, 25, 45, 20), "b": (60, 40, 30, 50)}
    rows = [
        (group, {"y": [option]})
        for group, per_option in counts.items()
        for option, times in enumerate(per_option)
        for _ in range(times)
    ]
    folder = folder_of(survey, rows, tmp_path)
    ((chi_square, df, _), statistics, lows, highs, holm, raw) = ask(
        folder,
        "found <- compare('y')",
        "say(found$test_of_all_groups)",
        *(f"say(found$differences${column})" for column in ("z", "low", "high")),
        "say(found$differences$holm)",
        "say(found$differences$p_value)",
    )
    assert chi_square == pytest.approx(18.040293, abs=1e-6)
    assert df == 3
    assert len(raw) == 4
    assert min(holm) == pytest.approx(4 * min(raw))
    # The intervals hold together: one that alone would exclude 0 does not.
    together = NormalDist().inv_cdf(1 - 0.025 / 4)
    ends = zip(lows, highs, strict=True)
    assert [low <= 0 <= high for low, high in ends] == [abs(z) < together for z in statistics]
    assert any(1.96 < abs(z) < together for z in statistics)


def test_a_group_that_was_not_asked_about_a_box_has_no_difference(tmp_path: Path) -> None:
    survey = survey_of(y={"kind": "any_of", "epsilon": "1", "options": ["p", "q", "r"]})
    assert survey.questions[0].mechanism.name == "smp"
    rows = [("a", {"y": [[i % 3, i % 2]]}) for i in range(60)]
    rows += [("b", {"y": [[i % 2, i % 2]]}) for i in range(60)]
    folder = folder_of(survey, rows, tmp_path)
    p_values, test = ask(
        folder,
        "found <- compare('y')",
        "say(found$differences$p_value)",
        "say(found$test_of_all_groups)",
    )
    assert [math.isnan(p_value) for p_value in p_values] == [False, False, True]
    # One degree of freedom for each box that both groups were asked about.
    assert test[1] == 2


def crossed(folder: Path) -> Path:
    survey = survey_of(a=FOUR_TO_ONE, b=FOUR_TO_ONE)
    counts = {(0, 0): 68, (0, 1): 52, (1, 0): 103, (1, 1): 189}
    rows = [("", {"a": a, "b": b}) for (a, b), times in counts.items() for _ in range(times)]
    return folder_of(survey, rows, folder)


def test_two_yes_no_questions_are_crossed_as_published(tmp_path: Path) -> None:
    cells, errors, test, phi, odds = ask(
        crossed(tmp_path),
        "design$threshold <- 0.8 * 2^32",
        'found <- cross("a", "b")',
        "say(found$cells$share)",
        "say(found$cells$standard_error)",
        "say(found$independence)",
        "say(found$association[1, c('value', 'standard_error')])",
        "say(found$association[2, c('value', 'standard_error')])",
    )
    assert cells == pytest.approx([0.17718447, -0.02508091, 0.18122977, 0.66666667], abs=1e-8)
    assert errors == pytest.approx([0.0372477, 0.0357258, 0.0463262, 0.0513029], abs=1e-7)
    assert test[:2] == pytest.approx([16.031683, 1], abs=1e-6)
    assert phi == pytest.approx([0.7123, 0.1827], abs=1e-4)
    # A cell that came out below 0 has no odds.
    assert np.isnan(odds).all()


def test_a_row_share_is_the_cell_over_its_margin(tmp_path: Path) -> None:
    shares, rows = ask(
        crossed(tmp_path),
        'found <- cross("a", "b")$cells',
        "say(found$share)",
        "say(found$row_share)",
    )
    margin = shares[2] + shares[3]
    assert rows[2:] == pytest.approx([shares[2] / margin, shares[3] / margin], rel=1e-9)


def uniform(n: int, c: int) -> NDArray[np.float64]:
    """Return the parts behind the point of i sqrt(c), i = 1 .. n: evenly spread, no generator."""
    return np.asarray(np.arange(1, n + 1) * math.sqrt(c) % 1)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export with covariates: y by randomized response, num by a sliding window."""
    n = 1000
    survey = survey_of(y=YES_NO, num=WINDOW)
    window = survey.questions[1].mechanism
    assert window.shape == {"top": 60, "width": 31}
    x1, g = 2 * uniform(n, 2) - 1, uniform(n, 3) < 0.4
    truth = uniform(n, 7) < 1 / (1 + np.exp(0.5 - x1 - 0.5 * g))
    y = np.where(uniform(n, 11) < float(survey.questions[0].mechanism.keep), truth, ~truth)
    num = np.clip(np.round(30 + 10 * x1 + 5 * g + 24 * (uniform(n, 37) - 0.5)), 0, 60)
    away = np.floor(60 * uniform(n, 43))
    near = num + np.floor(32 * uniform(n, 43))
    sent = np.where(
        uniform(n, 41) < float(window.keep), near, np.where(away < num, away, away + 32)
    )
    assert (y.sum(), truth.sum(), sent.sum(), num.sum()) == (472, 430, 46030, 31966)
    columns = zip(y.tolist(), sent.tolist(), strict=True)
    rows = [("", {"y": int(bit), "num": int(report)}) for bit, report in columns]
    folder = folder_of(survey, rows, tmp_path_factory.mktemp("known"))
    lines = [f"{int(bit)},{int(report)}" for bit, report in zip(y, sent, strict=True)]
    (folder / "in_order.csv").write_text("\n".join(["y,num", *lines]))
    lines = [f"{x!r},{int(one)}" for x, one in zip(x1.tolist(), g, strict=True)]
    (folder / "covariates.csv").write_text("\n".join(["x1,g", *lines]))
    return folder


IN_ORDER = (
    'reports <- cbind(read.csv("in_order.csv", colClasses = "character"), arm = "", group = "")',
    'mine <- read.csv("covariates.csv")',
)


def test_a_logistic_regression_finds_the_coefficients_and_errors_of_the_truth(known: Path) -> None:
    estimates, errors, robust, (likelihood,) = ask(
        known,
        *IN_ORDER,
        "found <- regress(y ~ x1 + g, data = mine)",
        "say(found$coefficients$estimate)",
        "say(found$coefficients$standard_error)",
        "say(found$coefficients$robust_error)",
        "say(found$log_likelihood)",
    )
    assert estimates == pytest.approx([-0.473712, 1.322103, 0.516037], abs=1e-6)
    assert errors == pytest.approx([0.208446, 0.291157, 0.321754], abs=1e-6)
    assert robust == pytest.approx([0.209725, 0.279902, 0.324021], abs=1e-6)
    assert likelihood == pytest.approx(-677.197746, abs=1e-6)


def test_a_linear_regression_of_a_number_has_robust_errors(known: Path) -> None:
    estimates, errors = ask(
        known,
        *IN_ORDER,
        "found <- regress(num ~ x1 + g, data = mine)$coefficients",
        "say(found$estimate)",
        "say(found$standard_error)",
    )
    assert estimates == pytest.approx([28.666644, 10.002974, 6.880960], abs=1e-6)
    assert errors == pytest.approx([2.431229, 3.305024, 3.882687], abs=1e-6)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("regress(y ~ num)", "num is randomized too"),
        ("regress(z ~ 1)", "there is no question z; codebook.csv lists them"),
        ("regress(y ~ x1 + I(2 * x1), data = mine)", "follows from the others"),
        ('cross("y", "num")', "num is a number: cross() is for questions with options"),
        ('cross("y", "y")', "cross() needs two different questions"),
        ('compare("y")', "compare() needs reports of at least two groups"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_a_sentence(
    known: Path, call: str, sentence: str
) -> None:
    (known / "refused.R").write_text("\n".join(['source("analyse.R")', *IN_ORDER, call]))
    run = run_in(known, (*RSCRIPT, "refused.R"))
    assert run.returncode != 0
    assert sentence in " ".join(run.stderr.split())


def test_a_table_of_thousands_of_combinations_is_refused(tmp_path: Path) -> None:
    long = {"kind": "one_of", "epsilon": "1", "options": [f"o{i}" for i in range(60)]}
    survey = survey_of(first=long, second=long)
    folder = unpack(exported(survey, reports_of(survey, 10)), tmp_path / "unpacked")
    (folder / "refused.R").write_text('source("analyse.R")\ncross("first", "second")')
    run = run_in(folder, (*RSCRIPT, "refused.R"))
    assert run.returncode != 0
    assert "these questions have 3600 combinations" in run.stderr


def test_a_share_that_noise_alone_would_exceed_is_said_to_be_at_the_boundary(
    tmp_path: Path,
) -> None:
    folder = folder_of(survey_of(y=YES_NO), counted({"": (20, 100)}), tmp_path)
    (folder / "refused.R").write_text('source("analyse.R")\nregress(y ~ 1)')
    run = run_in(folder, (*RSCRIPT, "refused.R"))
    assert "at the boundary" in run.stderr
    assert run.returncode != 0


@pytest.fixture(scope="module", params=[False, True], ids=["everybody", "sampled"])
def every_kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = survey_to_export(sampled=request.param)
    content = exported(survey, reports_of(survey, 1500, GROUPS))
    return unpack(content, tmp_path_factory.mktemp("kinds") / "unpacked")


RUN_THE_EXAMPLES = r"""
source("analyse.R")
script <- readLines("analyse.R")
part <- script[grep("examples with the questions", script):grep("regressions on the true", script)]
calls <- sub("^# ", "", grep("^# (compare|cross|regress)[(]", part, value = TRUE))
for (call in calls) {
  cat("call", call, "\n")
  print(tryCatch(eval(parse(text = call)), error = function(found) conditionMessage(found)))
}
"""


def test_the_examples_at_the_end_run_and_print_tables_of_at_most_100_columns(
    every_kind: Path,
) -> None:
    (every_kind / "examples.R").write_text(RUN_THE_EXAMPLES)
    printed = output_of(every_kind, (*RSCRIPT, "examples.R"))
    calls = [line[5:].strip() for line in printed.splitlines() if line.startswith("call ")]
    assert calls == [
        'compare("smokes")',
        'compare("trust")',
        'cross("smokes", "colour")',
        "regress(smokes ~ group)",
        "regress(trust ~ group)",
        "regress(many ~ group, option = 0, linear = TRUE)",
    ]
    assert printed.count("differences\n") == 2
    assert printed.count("coefficients\n") == 3
    assert printed.count("independence\n") == 1
    assert max(map(len, printed.splitlines())) <= 100


def test_every_two_questions_with_options_can_be_crossed_and_every_question_compared(
    every_kind: Path,
) -> None:
    """The share of everybody follows from the cells, and a comparison has the table's shares."""
    (crossed, compared) = ask(
        every_kind,
        "ids <- setdiff(design$question[!is_number(design)], 'name')",
        "pairs <- combn(ids, 2, simplify = FALSE)",
        "found <- lapply(pairs, function(pair) cross(pair[1], pair[2]))",
        "say(vapply(found, function(one) one$independence$p_value, 0))",
        "again <- lapply(design$question, function(id) compare(id)[[1]])",
        "say(vapply(again, nrow, 0L))",
    )
    assert all(0 <= p_value <= 1 for p_value in crossed)
    # Groups times options: two groups, and one row for the two options of a yes/no question.
    rows = table(every_kind / "codebook.csv")
    ids = [row["question"] for row in rows if row["kind"] != "factor"]
    numbers = {"trust", "drinks", "hours", "score"}
    once = {*numbers, "smokes"}
    wanted = [2 if id in once else 2 * ids.count(id) for id in dict.fromkeys(ids)]
    assert compared == wanted
