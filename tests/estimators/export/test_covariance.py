"""Covariances of long lists: any block of the matrix follows from what is in the zip."""

import itertools
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from estimators.counting.reports_file import tally_file
from estimators.export.design import MOST_LISTED
from estimators.shares.shares import Covariance
from estimators.tables.question import estimate_question
from tests.support.exported import exported, output_of, reports_of, rows_of, run_in, table, unpack
from tests.support.r_language import RSCRIPT

LONG = [f"n{i}" for i in range(MOST_LISTED + 44)]
BOXES = LONG[:60]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "smokes", "prompt": "Smokes?"},
    {"id": "subsets", "kind": "one_of", "options": LONG, "mechanism": "ss"},
    {"id": "hadamard", "kind": "one_of", "options": LONG, "mechanism": "hr"},
    {"id": "boxes", "kind": "any_of", "options": BOXES},
    {"id": "sets", "kind": "any_of", "options": BOXES, "at_most": "2"},
    {"id": "hours", "kind": "number", "lo": "0", "hi": "9"},
]
OF_LISTS, OF_BOXES = (0, 1, 2, 5, 6, 254, 255, 256, 299), (0, 1, 2, 30, 59)
OPTIONS = {"subsets": OF_LISTS, "hadamard": OF_LISTS, "boxes": OF_BOXES, "sets": OF_BOXES}
PARTS = ("noise", "sampling", "population")


@pytest.fixture(scope="module")
def survey() -> Survey:
    common = {"prompt": "What?", "epsilon": "1"}
    questions = [{**common, **question} for question in QUESTIONS]
    return build_survey({"slug": "long", "title": "Long lists", "questions": questions})


@pytest.fixture(scope="module")
def folder(survey: Survey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    content = exported(survey, reports_of(survey, 1500))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


@pytest.fixture(scope="module")
def covariances(survey: Survey, folder: Path) -> Mapping[str, Covariance]:
    """Return our own full matrices."""
    tallies = tally_file(folder / "reports.csv", survey)
    found = {}
    for question in survey.questions:
        if question.id in OPTIONS:
            estimates: Any = estimate_question(question, tallies[question.id])
            found[question.id] = estimates.covariance()
    return found


def by_python(folder: Path, question: str) -> str:
    options = map(str, OPTIONS[question])
    return output_of(folder, (sys.executable, "covariance.py", question, *options))


def by_r(folder: Path, question: str) -> str:
    block = f'covariance_of("{question}", c{OPTIONS[question]})'
    ask = f'source("analyse.R"); cat("\\n\\n"); write.csv({block})'
    return output_of(folder, (*RSCRIPT, "-e", ask)).split("\n\n")[1]


@pytest.mark.parametrize("question", OPTIONS)
@pytest.mark.parametrize("way", [by_python, by_r])
def test_a_script_gives_any_block_of_the_matrix(
    way: Any, question: str, folder: Path, covariances: Mapping[str, Covariance]
) -> None:
    rows = rows_of(way(folder, question).strip())
    pairs = {(int(row["option_1"]), int(row["option_2"])): row for row in rows}
    assert set(pairs) == set(itertools.combinations_with_replacement(OPTIONS[question], 2))
    for (u, v), row in pairs.items():
        for part in PARTS:
            wanted = getattr(covariances[question], part)[u, v]
            where = (question, u, v, part)
            assert float(row[f"{part}_covariance"]) == pytest.approx(wanted, abs=1e-12), where


def test_the_rule_in_the_design_gives_the_same(
    folder: Path, covariances: Mapping[str, Covariance]
) -> None:
    """Derived again from the words, design.json and estimates.csv alone."""
    design = json.loads((folder / "design.json").read_text())
    questions = {question["question"]: question for question in design["questions"]}
    estimates = table(folder / "estimates.csv")
    for id in OPTIONS:
        s = [float(row["share"]) for row in estimates if row["question"] == id]
        n = int(next(row["n"] for row in estimates if row["question"] == id))
        for u, v in itertools.combinations(OPTIONS[id], 2):
            noise = noise_between(questions[id], s, u, v) / n
            checks = id in ("boxes", "sets")
            sampling = 0 if checks else (-s[u] * s[v] + noise) / (n - 1)
            assert noise == pytest.approx(covariances[id].noise[u, v], abs=1e-12), (id, u, v)
            assert sampling == pytest.approx(covariances[id].sampling[u, v], abs=1e-12), (id, u, v)


def noise_between(question: dict[str, Any], s: list[float], u: int, v: int) -> float:
    p, q, given = question["p"]["value"], question["q"]["value"], question["covariance"]
    match question["mechanism"]["name"]:
        case "ss":
            return float(given["silent"] + (given["told"] - given["silent"]) * (s[u] + s[v]))
        case "hr":
            t = ((u + 1) ^ (v + 1)) - 1
            return float(s[t] / (2 * (p - q)) if t < len(s) else 0)
        case "smp":
            return 0.0
    r = [q + (p - q) * share for share in s]
    either = s[u] + s[v] - s[u] * s[v]
    held = given["silent"] + (given["told"] - given["silent"]) * either
    return float((held - r[u] * r[v]) / (p - q) ** 2)


def test_only_short_lists_are_written_out(folder: Path) -> None:
    design = json.loads((folder / "design.json").read_text())
    found = {question["question"]: question["covariance"] for question in design["questions"]}
    assert found.pop("hours") is None
    listed = {id for id, covariance in found.items() if covariance["listed"]}
    assert listed == {"smokes", "boxes", "sets"}
    assert {row["question"] for row in table(folder / "covariance.csv")} == listed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("subsets", "300"), "options of subsets go from 0 to 299"),
        (("subsets", "--group", "x", "1"), "there are no reports to subsets in group 'x'"),
        (("hours", "1"), "question 'hours' has no shares of options"),
        (("nothing", "1"), "question 'nothing' has no shares of options"),
    ],
)
def test_what_there_is_not_is_refused_in_words(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    run = run_in(folder, (sys.executable, "covariance.py", *words))
    assert run.returncode == 2
    assert message in run.stderr
