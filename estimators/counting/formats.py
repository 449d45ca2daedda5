"""The file formats for reports, and what each of them holds.

- `.jsonl`: one report per line, canonical JSON, just as it is handed in.
- `.csv`: a heading of question ids, then one report per row, each cell as in the report's JSON.
- `.parquet`: a column of numbers or lists per question; the file's metadata names the survey.

In a table, a survey with groups has further columns for them (`group_columns`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from estimators.counting.group_columns import group_columns

# The metadata key that names the survey. It covers all rows and cannot clash with a question's id.
FINGERPRINT = b"candor.fingerprint"
JSON_LINES, CSV, PARQUET = SUFFIXES = (".jsonl", ".csv", ".parquet")


def suffix_of(path: Path) -> str:
    """Return the suffix of a file name, which decides the format; raise if it is unknown."""
    require(
        path.suffix in SUFFIXES,
        "unknown_file_type.reports",
        str(path),
        suffixes=SUFFIXES[:-1],
        last=SUFFIXES[-1],
    )
    return path.suffix


def columns_of(survey: Survey) -> list[str]:
    """Return the heading of a table of reports."""
    return [question.id for question in survey.questions]


def check_heading(heading: Sequence[str], survey: Survey, name: str) -> None:
    """Raise unless a table has exactly the columns of its survey, in any order."""
    wanted = columns_of(survey)
    require(
        sorted(heading) == sorted(wanted),
        "wrong_heading",
        name,
        wanted=",".join(wanted),
        heading=",".join(heading),
    )


def load_pyarrow() -> Any:
    """Import pyarrow, which only Parquet files need; raise if it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refusal("no_pyarrow") from None
    return pyarrow


def schema_of(survey: Survey) -> Any:
    """Return the Parquet schema: a column per question, with integers or nested lists of them.

    Entries can be null only if not everybody is asked every question.
    """
    arrow = load_pyarrow()
    nullable = bool(survey.ask_each_person)
    fields = [
        arrow.field(question.id, _type_of(arrow, question.mechanism.longest), nullable=nullable)
        for question in survey.questions
    ]
    # Labels of groups, as in a table of text; null where no group is told.
    fields += [arrow.field(name, arrow.string()) for name in group_columns(survey)]
    return arrow.schema(fields, metadata={FINGERPRINT: survey.fingerprint})


def _type_of(arrow: Any, example: Any) -> Any:
    """Return the type of a question's entries, which are all nested like this example."""
    if not isinstance(example, list):
        return arrow.int32()
    return arrow.list_(arrow.field("element", _type_of(arrow, example[0]), nullable=False))
