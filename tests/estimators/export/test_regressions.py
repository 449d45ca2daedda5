"""The regressions of the export have the right numbers, and those in base R really run."""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from client.core.mechanisms import RandomizedResponse
from tests.support.exported import (
    GROUPS,
    exported,
    output_of,
    reports_of,
    rows_of,
    survey_to_export,
    table,
    unpack,
)
from tests.support.r_language import RSCRIPT

SUPPORTING = ("smokes", "colour", "name", "illness", "any", "trust", "fruit", "mood")
# Enough for possible estimated shares in both groups, which a regression needs.
PEOPLE = 4000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = survey_to_export(sampled=False)
    content = exported(survey, reports_of(survey, PEOPLE, GROUPS))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


@pytest.fixture(scope="module")
def design(folder: Path) -> dict[str, Any]:
    questions = json.loads((folder / "design.json").read_text())["questions"]
    return {question["question"]: question for question in questions}


def calls_of(folder: Path, question: str) -> str:
    """Return the lines about a question at the end of analyse.R."""
    part = (folder / "analyse.R").read_text().split(f"\n# {question} (")[1]
    return re.split(r"\n# (?! )", part)[0]


def exact(chance: dict[str, Any]) -> float:
    return float(Fraction(chance["exact"]))


@pytest.mark.parametrize("id", SUPPORTING)
def test_every_call_has_the_p_and_q_of_its_question(
    folder: Path, design: dict[str, Any], id: str
) -> None:
    p, q = exact(design[id]["p"]), exact(design[id]["q"])
    assert f"binomial(randomized(p = {p!r}, q = {q!r}))" in calls_of(folder, id)


def test_the_export_has_no_call_of_a_package_that_no_test_runs(folder: Path) -> None:
    script = (folder / "analyse.R").read_text()
    assert "RRreg" not in script
    assert "rrLogit" not in script
    assert not (folder / "analyse.do").exists()


def test_a_regression_is_of_the_group_the_one_covariate_there_is(folder: Path) -> None:
    text = (folder / "analyse.R").read_text()
    assert 'group <- factor(reports[["group"]])' in text
    assert "glm(y ~ group," in text
    survey = survey_to_export(sampled=False)
    alone = unpack(exported(survey, reports_of(survey, 20)), folder.parent / "alone")
    assert "glm(y ~ 1," in (alone / "analyse.R").read_text()


RUN_THE_CALLS = r"""
source("analyse.R")
script <- readLines("analyse.R")
lines <- sub("^# ", "", tail(script, -grep("regressions on the true", script)))
rows <- list()
for (line in lines) {
  if (grepl("^[a-z0-9_]+ \\([a-z_]+, [a-z]+\\)$", line)) id <- sub(" .*", "", line)
  if (grepl("^group <- |^  y <- ", line)) eval(parse(text = line))
  if (!grepl("^  (glm|lm)\\(", line)) next
  fit <- suppressWarnings(eval(parse(text = line)))
  b <- unname(coef(fit))
  truth <- if (inherits(fit, "glm")) plogis(c(b[1], sum(b))) else c(b[1], sum(b))
  rows[[length(rows) + 1]] <- data.frame(question = id, kind = class(fit)[1], line = line,
    none = truth[1], north = truth[2])
}
write.csv(do.call(rbind, rows), "fits.csv", row.names = FALSE)
"""


def reaching(folder: Path, id: str, level: int, group: str) -> float:
    """Return the unbiased share at or above a level, from the reports about that threshold."""
    (design,) = [
        question
        for question in json.loads((folder / "design.json").read_text())["questions"]
        if question["question"] == id
    ]
    rows = [row for row in table(folder / "reports.csv") if row["group"] == group]
    bits = [bit for t, bit in (json.loads(row[id]) for row in rows) if t == level]
    p, q = design["p"]["value"], design["q"]["value"]
    return float((sum(bits) / len(bits) - q) / (p - q))


def test_glm_finds_the_estimates_of_both_groups(folder: Path) -> None:
    """With the group as the only covariate the model is saturated: its shares are the table's."""
    (folder / "run.R").write_text(RUN_THE_CALLS)
    output_of(folder, (*RSCRIPT, "run.R"))
    fits = {row["question"]: row for row in rows_of((folder / "fits.csv").read_text())}
    estimates = {
        (row["question"], row["group"], row["quantity"], row["option"]): row
        for row in table(folder / "estimates.csv")
    }
    compared = 0
    for id in SUPPORTING:
        if id == "trust":
            value = reaching(folder, id, 5, "north")
        else:
            value = float(estimates[id, "north", "share", "1"]["share"])
        if 0.02 < value < 0.98:
            compared += 1
            assert float(fits[id]["north"]) == pytest.approx(value, abs=1e-6), id
    assert compared >= 5
    mean = float(estimates["drinks", "north", "mean", ""]["value"])
    assert float(fits["drinks"]["north"]) == pytest.approx(mean, rel=1e-9)


def test_the_link_is_that_of_a_logistic_regression_through_the_randomizer(folder: Path) -> None:
    p, q, eta = 0.8, 0.3, 0.7
    ask = (
        'source("analyse.R"); link <- randomized(0.8, 0.3); '
        "cat(sprintf('%.12f', c(link$linkinv(0.7), link$mu.eta(0.7))), sep = '\\n')"
    )
    found = output_of(folder, (*RSCRIPT, "-e", ask)).split()[-2:]
    truth = 1 / (1 + math.exp(-eta))
    wanted = [q + (p - q) * truth, (p - q) * truth * (1 - truth)]
    assert [float(line) for line in found] == pytest.approx(wanted, abs=1e-11)


# A logistic regression of 1,000 made-up people on x1 and g, answered by randomized response.
COEFFICIENTS = (-0.473712, 1.322103, 0.516037)


def made_up_rows() -> str:
    """Return a CSV of y, x1, g, drawn from the fractional parts of multiples of square roots."""
    keep = float(RandomizedResponse.at(Decimal(1)).p)
    lines = ["y,x1,g"]
    for i in range(1, 1001):
        covariate, group, answer, coin = (i * math.sqrt(c) % 1 for c in (2, 3, 7, 11))
        x1, g = 2 * covariate - 1, int(group < 0.4)
        truth = int(answer < 1 / (1 + math.exp(0.5 - x1 - 0.5 * g)))
        lines.append(f"{truth if coin < keep else 1 - truth},{x1!r},{g}")
    return "\n".join(lines) + "\n"


def test_glm_converges_to_the_published_digits(folder: Path) -> None:
    (folder / "made_up.csv").write_text(made_up_rows())
    mechanism = RandomizedResponse.at(Decimal(1))
    # The call as it is at the end of analyse.R, for other columns.
    call = next(line for line in calls_of(folder, "smokes").splitlines() if "glm(" in line)
    call = re.sub(
        r"p = \S+, q = [^)]+", f"p = {float(mechanism.p)}, q = {float(mechanism.q)}", call
    )
    call = call.lstrip("# ").replace("y ~ group", "y ~ x1 + g").removesuffix(")") + ", data = d)"
    ask = f"source('analyse.R'); d <- read.csv('made_up.csv'); cat('\\n', coef({call}))"
    found = output_of(folder, (*RSCRIPT, "-e", ask)).splitlines()[-1].split()
    assert [float(number) for number in found] == pytest.approx(COEFFICIENTS, abs=1e-6)
    rows = rows_of((folder / "made_up.csv").read_text())
    assert sum(int(row["y"]) for row in rows) == 472


def test_a_joint_share_is_the_mean_product_of_unbiased_scores(
    folder: Path, design: dict[str, Any]
) -> None:
    ask = 'source("analyse.R"); cat("\\n", joint_share("smokes", 1, "fruit", 2, "north"))'
    found = output_of(folder, (*RSCRIPT, "-e", ask)).splitlines()[-1].split()
    rows = [row for row in table(folder / "reports.csv") if row["group"] == "north"]
    scores = [
        score(design["smokes"], row["smokes"] == "1") * score(design["fruit"], "2" in row["fruit"])
        for row in rows
    ]
    wanted = [mean(scores), stdev(scores) / math.sqrt(len(rows)), len(rows)]
    assert [float(number) for number in found] == pytest.approx(wanted, rel=1e-9)


def score(question: dict[str, Any], supports: bool) -> float:
    p, q = exact(question["p"]), exact(question["q"])
    return (supports - q) / (p - q)
