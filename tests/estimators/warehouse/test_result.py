"""What a warehouse returned becomes a tally, or is refused in one sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.tallies.survey_tally import SurveyTally
from estimators.warehouse.query import CELL, REFUSED, REPORTS
from estimators.warehouse.result import read_result
from tests.support.figures import complaint, figures, run
from tests.support.tallies import BY_LINK, PLAIN, document_file, report_file, survey_with
from tests.support.warehouse import count_in_warehouse, write_rows

Rows = list[dict[str, Any]]


def result(folder: Path, survey: Survey, reports: int = 40) -> Rows:
    path = report_file(folder / "reports.parquet", survey, reports)
    rows = count_in_warehouse(survey, "duckdb", str(path))
    # A warehouse returns them in any order.
    return sorted(rows, key=lambda r: (r["question"] != "smokes", r["survey_group"], r["cell"]))


def first(rows: Rows, kind: str) -> dict[str, Any]:
    return next(row for row in rows if row["kind"] == kind)


def moved(rows: Rows) -> None:
    """Count some reports to one question as reports to another."""
    first(rows, CELL)["reports"] += 1
    next(row for row in rows if row["question"] == "name")["reports"] -= 1


CHANGES: list[tuple[str, Callable[[Rows], object], str]] = [
    ("refused", lambda r: first(r, REFUSED).update(reports=2), "2 rows of the table that"),
    ("no refused", lambda r: r.remove(first(r, REFUSED)), "must have one row of the kind refused"),
    ("twice", lambda r: r.append(first(r, CELL)), "this cell has been counted before"),
    ("two results", lambda r: r.extend(r[:]), "must have one row of the kind refused"),
    ("survey", lambda r: first(r, CELL).update(survey="0" * 64), "its fingerprint is '000"),
    ("kind", lambda r: first(r, CELL).update(kind="x"), "must be one of reports, refused, cell"),
    ("group", lambda r: first(r, CELL).update(survey_group="7"), "one of the survey's groups"),
    ("question", lambda r: first(r, CELL).update(question="x"), "x"),
    ("cell", lambda r: first(r, CELL).update(cell=2), "cell must be from 0 to 1, got 2"),
    ("negative", lambda r: first(r, CELL).update(cell=-1), "must be a whole number, got '-1'"),
    ("fraction", lambda r: first(r, CELL).update(cell=0.5), "must be a whole number, got '0.5'"),
    ("huge", lambda r: first(r, CELL).update(reports=10**15), "must be a whole number"),
    ("count", lambda r: first(r, CELL).update(reports=900), "the rows count"),
    ("lost", lambda r: r.remove(first(r, CELL)), "the rows count"),
    ("moved", moved, "smokes: n must fit the"),
    ("reports", lambda r: first(r, REPORTS).update(reports=1), "the rows count"),
    ("other", lambda r: first(r, REPORTS).update(cell=1), "must be empty in a row of the kind"),
]


@pytest.mark.parametrize(
    ("change", "reason"), [pytest.param(*rest, id=name) for name, *rest in CHANGES]
)
def test_a_result_that_cannot_be_of_the_query_is_refused(
    change: Callable[[Rows], object], reason: str, tmp_path: Path
) -> None:
    survey = survey_with(BY_LINK)
    rows = result(tmp_path, survey)
    change(rows)
    with pytest.raises(Refusal) as caught:
        read_result(write_rows(tmp_path / "result.csv", rows), survey)
    assert reason in caught.value.message


def test_the_same_result_in_another_order_is_the_same_part(tmp_path: Path) -> None:
    survey = survey_with(PLAIN)
    rows = result(tmp_path, survey)
    found: list[SurveyTally] = [
        read_result(write_rows(tmp_path / f"{number}.csv", own), survey)
        for number, own in enumerate((rows, rows[::-1]))
    ]
    assert found[0].parts == found[1].parts


def test_other_files_are_no_results(tmp_path: Path) -> None:
    survey, path = survey_with(PLAIN), tmp_path / "result.csv"
    for text in ("", "a,b\n1,2\n", "survey,kind,survey_group,question,cell,reports\n1,2\n", '"'):
        path.write_text(text)
        with pytest.raises(Refusal) as caught:
            read_result(path, survey)
        assert str(path) in caught.value.message


def test_from_the_query_to_the_estimates_on_the_command_line(tmp_path: Path) -> None:
    """A part in the warehouse and a part in a file give the estimates of both together."""
    import duckdb

    survey = survey_with(BY_LINK)
    document = document_file(tmp_path, survey)
    there = report_file(tmp_path / "there.parquet", survey, 400, 1)
    here = report_file(tmp_path / "here.csv", survey, 300, 2)
    printed = run("tally", "--survey", document, "--sql", "duckdb", "--table", f"'{there}'")
    assert printed.exit_code == 0, printed.stderr
    counts, tally = tmp_path / "counts.csv", tmp_path / "tally.json"
    with duckdb.connect() as warehouse:
        warehouse.sql(printed.stdout.strip().removesuffix(";")).write_csv(str(counts))
    made = run("tally", here, "--result", counts, "--survey", document, "-o", tally)
    assert made.stdout == f"700 reports in 2 parts counted into {tally}\n", made.stderr
    both = tmp_path / "both.csv"
    again = report_file(tmp_path / "there.csv", survey, 400, 1)
    both.write_text(here.read_text() + again.read_text().partition("\n")[2])
    way = ("--by", "site")
    assert figures("estimate", tally, *way) == figures("estimate", both, "--survey", document, *way)
    twice = complaint("tally", tally, "--result", counts, "--survey", document)
    assert "counts 400 reports again" in twice
    assert "--result needs --survey" in complaint("tally", "--result", counts)
    assert "it counts nothing" in complaint("tally", "--sql", "spark", here, "--survey", document)
    assert "--table is for --sql" in complaint("tally", here, "--table", "x")
    assert "give FILES or --result" in complaint("tally")
