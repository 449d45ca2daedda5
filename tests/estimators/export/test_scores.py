"""scores.csv: unbiased numbers per report, whose means are the estimates."""

import io
import json
import re
from decimal import Decimal
from pathlib import Path
from statistics import mean, stdev
from typing import Any
from zipfile import ZipFile

import numpy as np
import pandas
import pytest
import statsmodels
import statsmodels.formula.api

from client.authoring.draft.survey import build_survey
from client.core.mechanisms import SubsetSelection
from client.core.primitives import canonical
from client.core.primitives.domain import Checks, Levels
from client.core.question import Question
from client.core.survey import Survey
from estimators.counting.group_columns import group_columns
from estimators.export.scores import MOST_OPTIONS, ROWS_AT_ONCE, write_scores
from estimators.mechanisms import analysis_of
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

# More than one block.
PEOPLE = ROWS_AT_ONCE + 500
NUMBERS = {"trust", "drinks", "hours", "score"}
Scored = dict[str, list[float]]


@pytest.fixture(scope="module", params=[False, True], ids=["everybody", "sampled"])
def survey(request: pytest.FixtureRequest) -> Survey:
    return survey_to_export(sampled=request.param)


@pytest.fixture(scope="module")
def folder(survey: Survey, tmp_path_factory: pytest.TempPathFactory) -> Path:
    content = exported(survey, reports_of(survey, PEOPLE, GROUPS))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


def scored(folder: Path, group: str = "") -> Scored:
    """Return the scores of everybody, or of a group; empty cells are left out."""
    rows = [row for row in table(folder / "scores.csv") if group in ("", row["group"])]
    columns = [column for column in rows[0] if column not in ("site", "group")]
    return {column: [float(row[column]) for row in rows if row[column]] for column in columns}


def estimates(folder: Path) -> dict[tuple[str, ...], Any]:
    return dict(
        by_key(table(folder / "estimates.csv"), ("question", "group", "quantity", "option"))
    )


@pytest.mark.parametrize("group", ["", "north"])
def test_the_mean_of_a_column_is_the_share_and_n_times_it_the_total(
    folder: Path, group: str
) -> None:
    found, compared = estimates(folder), 0
    for column, scores in scored(folder, group).items():
        id, _, option = column.partition("__")
        if id not in NUMBERS:
            row = found[id, group, "share", option]
            assert mean(scores) == pytest.approx(float(row["share"]), abs=1e-9), column
            total = int(row["n"]) * mean(scores)
            assert total == pytest.approx(float(row["total"]), abs=1e-6), column
            assert len(scores) == int(row["asked"])
            compared += 1
    assert compared > 100


def test_the_mean_of_a_number_is_its_mean_in_its_unit(folder: Path) -> None:
    found, columns = estimates(folder), scored(folder)
    for id in NUMBERS:
        row = found[id, "", "mean", ""]
        few = row["mechanism"] == "isw" or int(row["n"]) < 30 * 10
        # Thresholds that are asked often are weighed evenly in the table.
        allowed = 1e-9 if few else float(row["standard_error"]) / 2
        assert mean(columns[id]) == pytest.approx(float(row["value"]), abs=allowed), id


def test_sd_over_the_root_of_n_is_the_error_for_the_population(folder: Path) -> None:
    found, columns = estimates(folder), scored(folder)
    row, scores = found["smokes", "", "share", "1"], columns["smokes__1"]
    error = stdev(scores) / len(scores) ** 0.5
    both = float(row["noise_variance"]) + float(row["sampling_variance"])
    assert error == pytest.approx(both**0.5, rel=1e-9)


def test_the_rows_are_those_of_the_reports_with_the_same_groups(
    survey: Survey, folder: Path
) -> None:
    reports, scores = table(folder / "reports.csv"), table(folder / "scores.csv")
    assert [row["group"] for row in scores] == [row["group"] for row in reports]
    assert {row["group"] for row in scores} == set(GROUPS)
    for question in survey.questions:
        columns = [name for name in scores[0] if name.partition("__")[0] == question.id]
        seen: dict[str, tuple[str, ...]] = {}
        for report, row in zip(reports, scores, strict=True):
            texts = tuple(row[column] for column in columns)
            assert seen.setdefault(report[question.id], texts) == texts
            assert (report[question.id] == "null") == (not any(texts))


def written(survey: Survey, cells: list[str]) -> list[dict[str, str]]:
    text = io.StringIO()
    blank = [""] * len(group_columns(survey))
    write_scores(text, survey, ([cell, *blank] for cell in cells))
    return table_of(text.getvalue())


def table_of(text: str) -> list[dict[str, str]]:
    heading, *lines = text.splitlines()
    return [dict(zip(heading.split(","), line.split(","), strict=True)) for line in lines]


def alone(question: dict[str, Any]) -> Survey:
    return build_survey({"slug": "one", "title": "One", "questions": [{"id": "q", **question}]})


SMALL: list[dict[str, Any]] = [
    {"kind": "yes_no", "prompt": "?", "epsilon": "1"},
    {"kind": "one_of", "prompt": "?", "options": list("abcde"), "epsilon": "1"},
    {"kind": "one_of", "prompt": "?", "options": list("abcde"), "mechanism": "hr", "epsilon": "1"},
    {"kind": "any_of", "prompt": "?", "options": list("abcd"), "epsilon": "1"},
    {"kind": "any_of", "prompt": "?", "options": list("abcd"), "at_most": "2", "epsilon": "1"},
    {"kind": "number", "prompt": "?", "lo": "-1", "hi": "2", "step": "0.5", "epsilon": "1"},
    {
        **{"kind": "number", "prompt": "?", "lo": "-1", "hi": "2", "step": "0.5"},
        **{"epsilon": "1", "mechanism": "isw"},
    },
    {
        **{"kind": "number", "prompt": "?", "lo": "-1", "hi": "2", "step": "0.5"},
        **{"epsilon": "1", "decline": "true", "not_applicable": "true"},
    },
]


def moments(question: Question, rows: dict[str, dict[str, str]], answer: Any) -> dict[str, Any]:
    """Return the mean and the variance of every column if this is the answer, exactly."""
    found = {}
    for column in next(iter(rows.values())):
        if column in ("site", "group"):
            continue
        chances = channel_of(question.mechanism, answer)
        scores = [(float(c), float(rows[t][column])) for t, c in chances.items() if rows[t][column]]
        whole = sum(chance for chance, _ in scores)
        middle = sum(chance * score for chance, score in scores) / whole
        square = sum(chance * score**2 for chance, score in scores) / whole
        found[column] = middle, square - middle**2
    return found


@pytest.mark.parametrize("draft", SMALL, ids=lambda draft: draft["kind"])
def test_every_score_is_unbiased_with_the_variance_in_the_design(draft: dict[str, Any]) -> None:
    survey = alone(draft)
    (question,) = survey.questions
    answers = answers_of(question.domain)
    cells = sorted(channel_of(question.mechanism, answers[0]))
    compact = [canonical.canonical(json.loads(cell)).decode() for cell in cells]
    rows = dict(zip(cells, written(survey, compact), strict=True))
    with ZipFile(io.BytesIO(exported(survey, []))) as archive:
        (design,) = json.loads(archive.read("design.json"))["questions"]
    variance = design["score_variance"]
    for answer in answers:
        for column, (middle, spread) in moments(question, rows, answer).items():
            if isinstance(question.domain, Levels) and answer > question.domain.top:
                truth = 0.0
                wanted = variance["silent" if column == "q" else "answered_silent"]
            elif column == "q__answered":
                truth, wanted = 1.0, variance["answered"]
            elif column == "q":
                truth = -1 + 0.5 * answer
                polynomial = (variance["quadratic"], variance["linear"], variance["constant"])
                wanted = float(np.polyval(polynomial, answer))
            else:
                option = int(column.partition("__")[2])
                chosen = answer if isinstance(question.domain, Checks) else [answer]
                truth = float(option in chosen)
                wanted = variance["true_option" if truth else "other_option"]
            assert middle == pytest.approx(truth, abs=1e-12)
            assert spread == pytest.approx(wanted, rel=1e-9)


def test_the_interval_of_a_group_difference_covers_the_truth() -> None:
    """Welch's interval on scores, 2,000 surveys of 300 and 200 people: 95 % give or take 1.5."""
    mechanism = SubsetSelection.at(Decimal(1), options=5, size=1)
    analysis = analysis_of(mechanism)
    reports = analysis.reports()
    scores = analysis.report_scores(reports)[:, 0]
    chances = [np.array(analysis.chances(reports, truth), dtype=float) for truth in (0, 1)]
    source = np.random.default_rng(7)
    means, errors = [], []
    for share, n in ((0.5, 300), (0.2, 200)):
        drawn = source.multinomial(n, share * chances[0] + (1 - share) * chances[1], size=2000)
        middle = drawn @ scores / n
        spread = (drawn @ scores**2 - n * middle**2) / (n - 1)
        means.append(middle)
        errors.append(spread / n)
    missed = np.abs(means[0] - means[1] - 0.3) > 1.959964 * np.sqrt(errors[0] + errors[1])
    assert 1 - missed.mean() == pytest.approx(0.95, abs=0.015)


def test_a_long_list_is_left_out_and_the_columns_say_so(tmp_path: Path) -> None:
    options = [f"o{i}" for i in range(MOST_OPTIONS + 1)]
    long = {"id": "town", "kind": "one_of", "prompt": "Town?", "options": options, "epsilon": "1"}
    short = {"id": "area", "prompt": "Area?", "kind": "one_of", "options": options[:-1]}
    survey = build_survey(
        {"slug": "s", "title": "S", "questions": [long, {**short, "epsilon": "1"}]}
    )
    folder = unpack(exported(survey, reports_of(survey, 20)), tmp_path / "unpacked")
    heading = list(table(folder / "scores.csv")[0])
    assert heading == [f"area__{i}" for i in range(MOST_OPTIONS)]
    (first, *_) = [row for row in table(folder / "columns.csv") if row["file"] == "scores.csv"]
    assert first["meaning"].endswith("Left out, with more than 100 options: town")


def readme_calls(folder: Path, tool: str) -> list[str]:
    """Return the calls of README.txt for a tool."""
    part = (folder / "README.txt").read_text().split("SCORES\n")[1].split("HOW TO CITE")[0]
    found = re.findall(rf"^{tool}.*:\n((?:    .*\n)+)", part, re.MULTILINE)
    return [re.sub(r"\n\s*", " ", call).strip() for call in found]


def test_a_group_difference_is_one_call_of_pandas_statsmodels_or_r(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All three give the difference of the estimates, and the two tests the same error nearly."""
    found = estimates(folder)
    north = float(found["smokes", "north", "share", "1"]["share"])
    everybody = found["smokes", "", "share", "1"]
    n, asked = int(everybody["n"]), int(found["smokes", "north", "share", "1"]["n"])
    others = (float(everybody["share"]) * n - north * asked) / (n - asked)
    monkeypatch.chdir(folder)
    (call,) = readme_calls(folder, "pandas")
    means = eval(call, {"pandas": pandas})["mean"].tolist()
    assert sorted(means) == pytest.approx(sorted([north, others]), abs=1e-9)
    (call,) = readme_calls(folder, "statsmodels")
    summary = eval(call, {"pandas": pandas, "statsmodels": statsmodels})
    line = next(line for line in str(summary).splitlines() if "group" in line)
    coefficient, error = map(float, line.split()[1:3])
    assert coefficient == pytest.approx(north - others, abs=1e-4)
    by_group, welch = readme_calls(folder, "R")
    asks = f'print({by_group}, digits = 12); cat("error", {welch}$stderr)'
    printed = output_of(folder, (*RSCRIPT, "-e", asks))
    assert float(printed.split("error ")[1]) == pytest.approx(error, abs=6e-4)
    assert f"{north:.8f}"[:9] in printed


def test_r_computes_the_same_scores_from_the_reports(folder: Path, survey: Survey) -> None:
    (folder / "scores.R").write_text(
        'source("analyse.R")\n'
        'told <- read.csv("scores.csv", check.names = FALSE)\n'
        "for (id in design$question) {\n"
        "  columns <- names(told)[sub('__[0-9]+$', '', names(told)) == id]\n"
        "  gap <- abs(as.matrix(told[columns]) - scores_of(id))\n"
        "  stopifnot(identical(is.na(gap), is.na(as.matrix(told[columns]))))\n"
        "  cat('gap', max(gap, na.rm = TRUE), '\\n')\n"
        "}\n"
    )
    printed = output_of(folder, (*RSCRIPT, "scores.R"))
    gaps = [float(line.split()[1]) for line in printed.splitlines() if line.startswith("gap ")]
    assert len(gaps) == len(survey.questions)
    assert max(gaps) < 1e-9
