"""The figures of `estimate` for a data set: reports, counted or one by one, or foreign rows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from client.authoring.files import load_survey
from client.console.progress import Bar
from client.core.primitives.refusal import require
from client.core.survey import Survey
from estimators.columns.estimates import design_row, estimate_by, estimate_frame
from estimators.columns.reading import read_frame
from estimators.commands.analysis.data_option import open_tally
from estimators.counting.reports_file import file_size, tally_file
from estimators.counting.tally import Tally
from estimators.cross.crossing import cross_question, is_table
from estimators.tables.forging import draw_table, forging_table
from estimators.tables.rows import leader_table, method_name
from estimators.tables.table import estimate_table
from estimators.tallies.tally_file import is_tally_file


def estimate_data(
    data: Path,
    path: Path | None,
    design: Path | None,
    confidence: float,
    exact: bool,
    by: str | None,
) -> tuple[Survey | None, dict[str, Any]]:
    """Return the survey, if the data are reports to one, and what they say."""
    if is_tally_file(data):
        return _from_tally(data, path, design, confidence, exact, by)
    if path is not None and design is None and by is None:
        survey = load_survey(path)
        with Bar("Counting", file_size(data), "bytes") as bar:
            tallies = tally_file(data, survey, bar.advance)
        return survey, _of_survey(survey, tallies, confidence, exact)
    with Bar("Reading", file_size(data), "bytes") as bar:
        frame = read_frame(data, path, design, on_read=bar.advance)
    parts = {} if by is None else {"by": by, "groups": estimate_by(frame, by, confidence, exact)}
    if frame.survey is not None:
        found = _of_survey(frame.survey, frame.tallies(), confidence, exact)
        return frame.survey, found | parts
    return None, {
        "n": frame.n,
        "confidence": confidence,
        "estimates": estimate_frame(frame, confidence, exact),
        "designs": [design_row(column, frame.n) for column in frame.randomized.values()],
        **parts,
    }


def _from_tally(
    data: Path,
    path: Path | None,
    design: Path | None,
    confidence: float,
    exact: bool,
    by: str | None,
) -> tuple[Survey, dict[str, Any]]:
    """Return the survey of a tally, and what its counts say."""
    require(design is None, "no_rows.design", str(data))
    tally = open_tally(data, path)
    found = _of_survey(tally.survey, tally.tallies, confidence, exact)
    if by is not None:
        rows = [
            row
            for label, tallies in tally.by(by).items()
            for row in estimate_table(tally.survey, tallies, confidence, exact, label)
        ]
        found |= {"by": by, "groups": rows}
    return tally.survey, found


def _of_survey(
    survey: Survey, tallies: Mapping[str, Tally], confidence: float, exact: bool
) -> dict[str, Any]:
    n = sum(tally.n for tally in tallies.values()) // survey.asked
    return {
        "survey": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "n": n,
        "method": method_name(exact),
        "confidence": confidence,
        "estimates": estimate_table(survey, tallies, confidence, exact),
        "leaders": leader_table(survey, tallies, confidence),
        "forging": forging_table(survey, tallies, n),
        "draws": draw_table(survey, tallies, n),
        "cross_tables": {
            question.id: cross_question(question, tallies[question.id], confidence)
            for question in survey.questions
            if is_table(question) and tallies[question.id].n > 1
        },
    }


def only_about(result: dict[str, Any], question: str) -> dict[str, Any]:
    """Leave out all other questions."""
    known = list(dict.fromkeys(row["question"] for row in result["estimates"]))
    require(question in known, "unknown_column.randomized", question, known=known)
    lists = {
        name: [row for row in rows if row["question"] == question]
        for name, rows in result.items()
        if isinstance(rows, list)
    }
    tables = {id: table for id, table in result.get("cross_tables", {}).items() if id == question}
    return result | lists | ({"cross_tables": tables} if "cross_tables" in result else {})
