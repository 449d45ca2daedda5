"""Mutated imports: each gives a survey or counts that an oracle finds sound, or one refusal."""

import csv
import io
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet

from client.authoring.draft.from_survey import redraft
from client.authoring.files import is_document, parse_survey_file
from client.core.document import read_document
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.counting.formats import CSV, JSON_LINES, SUFFIXES
from estimators.counting.reports_file import tally_file
from server.surveys.manuscripts import content_of
from server.workbench.editor.draft_changes import with_budget
from server.workbench.editor.form import editable
from tests.torture.bad_input import import_files
from tests.torture.bad_input.attempts import Trial, attempt
from tests.torture.bad_input.documents import Documents
from tests.torture.bad_input.oracles.document import check_document, strict
from tests.torture.bad_input.oracles.report import check_answers
from tests.torture.bad_input.verdicts import ACCEPTED, check_refusal, counted, outcome
from tests.torture.durability.disk.place import in_memory
from tests.torture.row import Outcome, Progress, Row

# Of 200 imports. A workbook takes twenty times as long to read as a file of reports.
_SHARES = {"survey.yaml": 50, "survey.json": 10, "document.json": 64, "survey.xlsx": 2} | dict(
    zip((f"reports{suffix}" for suffix in SUFFIXES), (34, 34, 6), strict=True)
)


class Import(NamedTuple):
    """A file, and the number of the survey that its reports are for."""

    name: str
    data: bytes
    survey: int = 0


class Imports:
    """Draws changed files and imports them as the commands and the workbench do."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._documents = folder, Documents()
        self._surveys = import_files.surveys()
        self._read = [json.loads(survey.document) for survey in self._surveys]
        self._sound = {
            (number, suffix): import_files.report_file(folder, number, suffix)
            for number in range(len(self._surveys))
            for suffix in SUFFIXES
        }

    def draw(self, dice: random.Random) -> Import:
        (name,) = dice.choices(list(_SHARES), list(_SHARES.values()))
        stem, _, end = name.partition(".")
        if stem == "reports":
            number, suffix = dice.randrange(len(self._surveys)), f".{end}"
            data = import_files.spoil_reports(self._sound[number, suffix], suffix, dice)
            return Import(name, data, number)
        if stem == "document":
            return Import(name, self._documents.draw(dice))
        spoil = {
            "yaml": import_files.spoil_yaml,
            "json": import_files.spoil_draft,
            "xlsx": import_files.spoil_workbook,
        }
        return Import(name, spoil[end](dice))

    def judge(self, given: Import) -> str:
        try:
            if given.name.startswith("reports"):
                self._count(given)
            else:
                check_document(_imported(given).document)
        except Refusal as refusal:
            check_refusal(refusal)
            return refusal.code
        return ACCEPTED

    def _count(self, given: Import) -> None:
        """Count a file of reports; what is counted must be sound."""
        survey, path = self._surveys[given.survey], self._folder / given.name
        path.write_bytes(given.data)
        tallies = tally_file(path, survey)
        rows = _rows(path, survey)
        for randomized in rows:
            check_answers(self._read[given.survey], randomized)
        for question in survey.questions:
            told = sum(randomized[question.id] is not None for randomized in rows)
            assert tallies[question.id].n == told


def _imported(given: Import) -> Survey:
    """Return the survey in a file, as publishing it and as opening it in the editor reads it."""
    if is_document(given.data):
        survey = read_document(given.data)
        redraft(survey)
        return survey
    file = parse_survey_file(given.data, given.name)
    for fault in (*file.faults, *file.notes):
        check_refusal(fault)
    if not file.faults:
        content_of(editable(with_budget(file.draft)))
    return file.build()


def _rows(path: Path, survey: Survey) -> list[dict[str, Any]]:
    """Read the randomized answers of all reports with other parsers than the product's."""
    data, ids = path.read_bytes(), [question.id for question in survey.questions]
    if path.suffix == JSON_LINES:
        return [strict(line)["randomized"] for line in data.removesuffix(b"\n").split(b"\n")]
    if path.suffix == CSV:
        table = csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
        return [{id: strict(row[id].encode()) for id in ids} for row in table]
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return rows


@contextmanager
def imports() -> Iterator[Trial]:
    with in_memory() as folder:
        yield Imports(folder)


def run(amount: int, seed: int, progress: Progress) -> Outcome:
    """Import this many files."""
    tally = attempt(imports, amount, seed, progress)
    return outcome(tally, counted(tally, "imports"))


ROW = Row(
    "imports",
    "survey files in YAML and JSON, documents, XLSForm workbooks (1 in 100) and files of reports "
    "in JSON Lines, CSV and Parquet, after changes of bytes, lines, values and cells",
    "each gives a survey or counts that an oracle finds sound, or one sentence that refuses it; no "
    "other error, none over 1 s",
    1_000_000,
    "imports",
    run,
)
