"""columns.csv: what every column of every table stands for, in words and as a formula."""

from collections.abc import Iterator
from typing import Any

from client.report_files import GROUP
from client.survey import Survey
from estimators.export.column_meanings import CODEBOOK, COVARIANCE, ESTIMATES
from estimators.export.rules import rule_of

COLUMNS = ("file", "column", "meaning", "formula")

_TABLES = {
    "estimates.csv": ESTIMATES,
    "covariance.csv": COVARIANCE,
    "codebook.csv": CODEBOOK,
}


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    for file, columns in _TABLES.items():
        for column, (meaning, formula) in columns.items():
            yield {"file": file, "column": column, "meaning": meaning, "formula": formula}
    for question in survey.questions:
        meaning = f"randomized report, not the answer. {question.mechanism.sends}"
        yield _of_reports(question.id, meaning, rule_of(question.mechanism))
    yield _of_reports(
        GROUP, "public group of the link; empty: none, or one too small to be told apart", ""
    )


def _of_reports(column: str, meaning: str, formula: str) -> dict[str, Any]:
    return {"file": "reports.csv", "column": column, "meaning": meaning, "formula": formula}
