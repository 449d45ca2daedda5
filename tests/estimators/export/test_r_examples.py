"""The calls at the end of analyse.R run, and every two questions are crossed as by the package."""

from itertools import combinations

import numpy as np
import pytest

from client.core.primitives.domain import Levels
from estimators.analysis.data import read_data
from tests.support.exported import GROUPS, reports_of, survey_to_export, table
from tests.support.r_asking import Asked, Said, ask_all

LINES = r"""
script <- readLines("analyse.R")
part <- script[grep("examples with the questions", script):grep("regressions on the true", script)]
calls <- sub("^# ", "", grep("^# (compare|cross|regress)[(]", part, value = TRUE))
shown <- lapply(calls, function(call) capture.output(print(eval(parse(text = call)))))
say("rows", lengths(shown))
say("widest", max(nchar(unlist(shown))))
writeLines(calls, "calls.txt")
ids <- setdiff(design$question[!is_number(design)], "name")
found <- combn(ids, 2, function(pair) unlist(cross(pair[1], pair[2])$independence[1:2]))
say("crossed", found)
say("compared", vapply(design$question, function(id) nrow(compare(id)[[1]]), 0L))
"""
CALLS = [
    'compare("smokes")',
    'compare("trust")',
    'cross("smokes", "colour")',
    "regress(smokes ~ group)",
    "regress(trust ~ group)",
    'regress(many ~ group, option = 0, model = "linear")',
]


@pytest.fixture(scope="module", params=[False, True], ids=["everybody", "sampled"])
def said(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Said:
    survey = survey_to_export(sampled=request.param)
    asked = Asked(survey, reports_of(survey, 1500, GROUPS), (LINES,))
    return ask_all({"kinds": asked}, tmp_path_factory.mktemp("kinds"))["kinds"]


def test_the_examples_at_the_end_run_and_print_tables_of_at_most_100_columns(said: Said) -> None:
    assert (said.folder / "calls.txt").read_text().splitlines() == CALLS
    assert min(said.numbers["rows"]) > 5
    assert said.number("widest") <= 100


def test_every_two_questions_with_options_are_crossed_as_by_the_package(said: Said) -> None:
    data = read_data(said.folder)
    survey = data.frame.survey
    assert survey is not None
    ids = [q.id for q in survey.questions if not isinstance(q.domain, Levels) and q.id != "name"]
    tests = [data.cross(*pair).test for pair in combinations(ids, 2)]
    wanted = [figure for test in tests for figure in (test.statistic, test.df)]
    np.testing.assert_allclose(said.numbers["crossed"], wanted, rtol=1e-6)


def test_every_question_is_compared(said: Said) -> None:
    """Two groups, and one row for the two options of a yes/no question, or for a number."""
    rows = table(said.folder / "codebook.csv")
    ids = [row["question"] for row in rows if row["kind"] != "factor"]
    once = {"trust", "drinks", "hours", "score", "smokes"}
    wanted = [2 if id in once else 2 * ids.count(id) for id in dict.fromkeys(ids)]
    assert said.numbers["compared"] == wanted
