"""Files of reports: which formats there are, and what each of them holds.

- `.jsonl`: one report per line, canonical JSON, just as it is handed in.
- `.csv`: a heading of question ids, then one report per row, each cell as in the report's JSON.
- `.parquet`: a column of numbers or lists per question; the file's metadata names the survey.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey

# Where the file says which survey its reports belong to: no row can then belong to another one,
# and no question's name can be in the way.
FINGERPRINT = b"candor.fingerprint"
JSON_LINES, CSV, PARQUET = SUFFIXES = (".jsonl", ".csv", ".parquet")
# A column that exported reports have besides; no question can: an id begins with a letter.
GROUP = "_group"


def suffix_of(path: Path) -> str:
    """How the name ends decides the format."""
    require(
        path.suffix in SUFFIXES,
        "unknown_file_type.reports",
        str(path),
        suffixes=SUFFIXES[:-1],
        last=SUFFIXES[-1],
    )
    return path.suffix


def columns_of(survey: Survey) -> list[str]:
    """The heading of a table of reports."""
    return [question.id for question in survey.questions]


def check_heading(heading: Sequence[str], survey: Survey, name: str) -> None:
    """A table has just the columns of its survey, in any order."""
    wanted = columns_of(survey)
    require(
        sorted(heading) == sorted(wanted),
        "wrong_heading",
        name,
        wanted=",".join(wanted),
        heading=",".join(heading),
    )


def load_pyarrow() -> Any:
    """The package, imported only when a Parquet file is at hand."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refusal("no_pyarrow") from None
    return pyarrow


def schema_of(survey: Survey) -> Any:
    """A column per question: integers, lists of them, or lists of pairs, as on the wire.

    Only where not everybody is asked every question can an entry be null.
    """
    arrow = load_pyarrow()
    nullable = bool(survey.ask_each_person)
    fields = [
        arrow.field(question.id, _type_of(arrow, question.mechanism.longest), nullable=nullable)
        for question in survey.questions
    ]
    return arrow.schema(fields, metadata={FINGERPRINT: survey.fingerprint})


def _type_of(arrow: Any, example: Any) -> Any:
    """Randomized answers of a question are all nested alike, so that one of them tells."""
    if not isinstance(example, list):
        return arrow.int32()
    return arrow.list_(arrow.field("element", _type_of(arrow, example[0]), nullable=False))
