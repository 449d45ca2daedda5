"""The export: what is in the zip, and that its own scripts derive every figure again."""

import csv
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from client.core.mechanisms import TwoLevel
from client.core.primitives.refusal import Refusal
from estimators.counting.reports_file import tally_file
from estimators.export.matrices import MOST_ENTRIES, transition
from estimators.tables.level_rows import QUANTILES
from estimators.tables.rows import FIGURES
from tests.support.bulk import EVERY_SHAPE
from tests.support.exact_channel import answers_of, channel_of
from tests.support.exported import (
    GROUPS,
    by_key,
    exported,
    output_of,
    reports_of,
    survey_to_export,
    table,
    unpack,
)
from tests.support.r_language import RSCRIPT

KEY = ("question", "group", "quantity", "option")
PAIR = ("question", "group", "option_1", "option_2")
NAME = re.compile(r"_?[a-z][a-z0-9_]{0,31}")
PEOPLE = 240


@dataclass(frozen=True)
class Interpreter:
    """Something that runs one of the scripts in the unpacked folder."""

    name: str
    command: tuple[str, ...]
    derives: Callable[[Mapping[str, str], str], bool]


def by_profile(row: Mapping[str, str], column: str) -> bool:
    """Return whether only Python derives the figure: an interval by the profile of a window."""
    is_end = column in ("low", "high")
    return row["mechanism"] == "isw" and row["method"].startswith("profile") and is_end


PYTHON = Interpreter("python", (sys.executable, "analyse.py"), lambda row, column: True)
R = Interpreter(
    "R",
    (*RSCRIPT, "analyse.R"),
    lambda row, column: not by_profile(row, column),
)
INTERPRETERS = [PYTHON, R]


@pytest.fixture(scope="module", params=[False, True], ids=["everybody", "sampled"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked zip of a survey with every kind of question; once with groups."""
    survey = survey_to_export(sampled=request.param)
    groups = ("",) if request.param else GROUPS
    content = exported(survey, reports_of(survey, PEOPLE, groups))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


def derive(interpreter: Interpreter, folder: Path, copy: Path) -> str:
    """Run a script on a copy of the folder."""
    shutil.copytree(folder, copy)
    return output_of(copy, interpreter.command)


@pytest.fixture(scope="module", params=INTERPRETERS, ids=lambda one: one.name)
def interpreter(request: pytest.FixtureRequest) -> Interpreter:
    found: Interpreter = request.param
    return found


@pytest.fixture(scope="module")
def derived(interpreter: Interpreter, folder: Path) -> Path:
    """Return the folder after the script has run."""
    copy = folder.parent / interpreter.name
    assert derive(interpreter, folder, copy).count("the largest difference is") == 2
    return copy


def assert_same(found: str, wanted: str, where: object) -> None:
    if wanted in ("", "True", "False"):
        assert found.capitalize() == wanted, where
    else:
        assert float(found) == pytest.approx(float(wanted), rel=1e-7, abs=1e-9), where


def test_a_script_derives_every_figure_from_the_zip_alone(
    interpreter: Interpreter, derived: Path
) -> None:
    wanted = by_key(table(derived / "estimates.csv"), KEY)
    found = by_key(table(derived / "rederived_estimates.csv"), KEY)
    assert found.keys() == wanted.keys()
    for key, row in wanted.items():
        for column in ("n", *FIGURES):
            if interpreter.derives(row, column):
                assert_same(found[key].get(column, ""), row[column], (key, column))


def test_a_script_derives_every_covariance_from_the_zip_alone(derived: Path) -> None:
    wanted = by_key(table(derived / "covariance.csv"), PAIR)
    found = by_key(table(derived / "rederived_covariance.csv"), PAIR)
    assert found.keys() == wanted.keys()
    for key, row in wanted.items():
        for column in ("noise_covariance", "sampling_covariance", "population_covariance"):
            assert_same(found[key][column], row[column], (key, column))


def test_the_tables_have_a_row_for_every_kind_and_every_figure(folder: Path) -> None:
    rows = table(folder / "estimates.csv")
    assert {row["mechanism"] for row in rows} == {"rr", "ss", "hr", "smp", "privset", "rt", "isw"}
    assert {row["quantity"] for row in rows} == {
        *("share", "mean", "net_promoters", "at_most", "level", *QUANTILES)
    }
    for figure in FIGURES:
        assert any(row[figure] for row in rows), figure


def test_the_reports_carry_no_id_and_stand_in_the_order_of_their_content(folder: Path) -> None:
    lines = (folder / "reports.csv").read_text().splitlines()
    design = json.loads((folder / "design.json").read_text())
    ids = [question["question"] for question in design["questions"]]
    assert lines[0].split(",") == [*ids, "site", "group"]
    assert not re.search("[0-9a-f]{32}", "\n".join(lines))
    rows = table(folder / "reports.csv")
    contents = [
        (row["group"], json.dumps({id: json.loads(row[id]) for id in sorted(ids)})) for row in rows
    ]
    compact = [(group, content.replace(" ", "")) for group, content in contents]
    assert len(rows) == PEOPLE
    assert compact == sorted(compact)


def test_candor_itself_reads_the_exported_reports(folder: Path) -> None:
    design = json.loads((folder / "design.json").read_text())
    survey = survey_to_export(sampled=design["ask_each_person"] == 3)
    tallies = tally_file(folder / "reports.csv", survey)
    everybody = [row for row in table(folder / "estimates.csv") if not row["group"]]
    assert {row["question"]: int(row["n"]) for row in everybody} == {
        id: tally.n for id, tally in tallies.items()
    }


def heading_of(path: Path) -> list[str]:
    return next(csv.reader([path.read_text("utf-8").splitlines()[0]]))


def test_names_are_snake_case_of_at_most_32_characters(folder: Path) -> None:
    for path in folder.glob("*.csv"):
        heading = heading_of(path)
        assert all(NAME.fullmatch(name) for name in heading), path
        assert len(set(heading)) == len(heading)


def test_every_column_of_every_table_is_explained_once(folder: Path) -> None:
    explained = [(row["file"], row["column"]) for row in table(folder / "columns.csv")]
    wanted = [
        (path.name, column)
        for path in folder.glob("*.csv")
        if path.name != "columns.csv"
        for column in heading_of(path)
    ]
    assert sorted(explained) == sorted(wanted)
    page = (folder / "codebook.html").read_text("utf-8")
    assert all(f"<code>{column}</code>" in page for _, column in wanted if column != "group")


def test_no_cell_of_any_table_can_start_a_formula(folder: Path) -> None:
    number = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
    cells = [cell for path in folder.glob("*.csv") for row in table(path) for cell in row.values()]
    risky = [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")]
    assert all(number.fullmatch(cell) for cell in risky)
    assert {"'=x()", "'-Rating?", "'@h"} <= set(cells)


def test_the_document_is_there_with_its_fingerprint(folder: Path) -> None:
    digest = hashlib.sha256((folder / "survey.json").read_bytes()).hexdigest()
    assert (folder / "fingerprint.txt").read_text() == f"{digest}  survey.json\n"
    assert digest in (folder / "README.txt").read_text()
    assert json.loads((folder / "design.json").read_text())["fingerprint"] == digest


def test_the_codebook_is_one_page_that_needs_no_other_and_runs_nothing(folder: Path) -> None:
    page = (folder / "codebook.html").read_text("utf-8")
    assert "<h2><code>fruit</code></h2>" in page
    assert "<td>=x()</td>" in page
    assert not re.search("(src|href|@import|url)[(=]|<script", page)


@pytest.mark.parametrize("mechanism", EVERY_SHAPE, ids=repr)
def test_the_matrix_is_the_exact_channel_of_the_shipped_sampler(mechanism: TwoLevel) -> None:
    found = transition(mechanism)
    assert found is not None
    assert list(found.truths) == answers_of(mechanism.domain)
    names = [json.dumps(report) for report in found.reports]
    for place, truth in enumerate(found.truths):
        column = [row[place] for row in found.chances]
        assert dict(zip(names, column, strict=True)) == channel_of(mechanism, truth)


def test_the_design_tells_matrices_whose_columns_sum_to_one_or_the_rule(folder: Path) -> None:
    design = json.loads((folder / "design.json").read_text())
    for question in design["questions"]:
        assert "T/2^32" in question["rule"]
        if question["matrix"] is not None:
            assert np.array(question["matrix"]).sum(axis=0) == pytest.approx(1)
            assert len(question["matrix"]) * len(question["truths"]) <= MOST_ENTRIES
        if "p" in question:
            exact = Fraction(question["p"]["exact"])
            assert float(exact) == question["p"]["value"]
    small = {q["question"]: q["matrix"] is not None for q in design["questions"]}
    assert small["smokes"]
    assert not small["name"]


def test_a_survey_without_reports_is_exported_too(tmp_path: Path) -> None:
    survey = survey_to_export(sampled=False)
    folder = unpack(exported(survey, []), tmp_path / "empty")
    assert table(folder / "reports.csv") == []
    assert all(row["n"] == "0" for row in table(folder / "estimates.csv"))
    for interpreter in INTERPRETERS:
        derive(interpreter, folder, tmp_path / interpreter.name)


def test_a_report_that_does_not_fit_the_survey_is_refused() -> None:
    survey = survey_to_export(sampled=False)
    ((_, good),) = reports_of(survey, 1)
    bad: dict[str, Any] = json.loads(good) | {"smokes": 7}
    with pytest.raises(Refusal, match="report 1: smokes must be an integer from 0 to 1"):
        exported(survey, [("", json.dumps(bad))])
