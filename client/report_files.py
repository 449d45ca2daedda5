"""Files of reports: which formats there are, and what each of them holds.

- `.jsonl`: one report per line, canonical JSON, just as it is handed in.
- `.csv`: a heading of question ids, then one report per row, each cell as in the report's JSON.
- `.parquet`: a column of numbers or lists per question; the file's metadata names the survey.
"""

from collections.abc import Sequence
from pathlib import Path

from client.refusal import require
from client.survey import Survey

JSON_LINES, CSV, PARQUET = SUFFIXES = (".jsonl", ".csv", ".parquet")
# A column that exported reports have besides; no question can: an id begins with a letter.
GROUP = "_group"


def suffix_of(path: Path) -> str:
    """How the name ends decides the format."""
    require(
        path.suffix in SUFFIXES,
        "unknown_file_type",
        f"{path} must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} to hold reports",
        str(path),
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
        f"{name} must have the columns {','.join(wanted)}, got {','.join(heading)[:200]!r}",
        name,
    )
