"""Surveys to export: one question of every kind and mechanism, with synthetic reports."""

import csv
import io
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from client.authoring.draft.survey import build_survey
from client.core.primitives import canonical
from client.core.survey import Survey
from estimators.export.archive import write_export
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import shares_by_question
from estimators.simulation.reports import simulate_reports
from server.lifecycle.export import export_file
from server.store.database import Database
from tests.support.every_kind import BOXES, QUESTIONS
from tests.support.groups import code

MORE: list[dict[str, Any]] = [
    {"id": "fruit", "kind": "one_of", "prompt": "Fruit?", "options": ["=x()", "b", "c"]},
    {
        **{"id": "rating", "kind": "scale", "prompt": "-Rating?", "lo": "0", "hi": "10"},
        "decline": "true",
    },
    {"id": "mood", "kind": "scale", "prompt": "Mood?", "lo": "-2", "hi": "2"},
    {"id": "many", "kind": "any_of", "prompt": "Many?", "options": BOXES, "epsilon": "4"},
    {
        **{"id": "hours", "kind": "number", "prompt": "Hours?", "lo": "-1", "hi": "4"},
        **{"step": "0.5", "unit": "@h", "goal": "distribution"},
    },
    {
        **{"id": "score", "kind": "number", "prompt": "Score?", "lo": "0", "hi": "10"},
        "mechanism": "isw",
    },
]
# Just too long for the matrix to be written out.
LONG_LIST = {"options": [f"n{i}" for i in range(80)]}
ALL = [
    *(question | (LONG_LIST if question["id"] == "name" else {}) for question in QUESTIONS[:-1]),
    *MORE,
]
SITES = ["east", "north", "psychiatric-ward", "south", "surgical-ward"]
DRAFT: dict[str, Any] = {
    "slug": "kinds",
    "title": "Every kind",
    "questions": [{"epsilon": "0.4", **question} for question in ALL],
    "groups": {
        "by": "link",
        "factors": [{"id": "site", "prompt": "Where?", "levels": SITES}],
    },
}
# Labels; reports without one are of groups that are too small to be shown.
GROUPS = ("", "north")


def survey_to_export(sampled: bool) -> Survey:
    """Return the survey; everybody is asked everything, or each person three questions."""
    return build_survey({**DRAFT, "ask_each_person": "3"} if sampled else DRAFT)


def reports_of(survey: Survey, n: int, groups: tuple[str, ...] = ("",)) -> list[tuple[str, str]]:
    """Return reports of these groups in turn, in the order in which the store hands them out."""
    people = Population(survey, shares_by_question(survey, []))
    drawn = simulate_reports(people, n, stream(11))
    contents = (canonical.canonical(report.randomized).decode() for report in drawn)
    codes = [code(survey, label) for label in groups]
    return sorted((codes[i % len(codes)], content) for i, content in enumerate(contents))


def exported(survey: Survey, reports: list[tuple[str, str]]) -> bytes:
    file = io.BytesIO()
    write_export(file, survey, reports)
    return file.getvalue()


def unpack(content: bytes, folder: Path) -> Path:
    folder.mkdir()
    with ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def run_in(folder: Path, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a script of the zip in its folder, with none of our code on its path."""
    # The interpreter's own libraries, one thread each: the matrices are small.
    surroundings = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
    return subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True)


def output_of(folder: Path, command: Sequence[str]) -> str:
    run = run_in(folder, command)
    assert run.returncode == 0, run.stderr
    return run.stdout


def table(path: Path) -> list[dict[str, str]]:
    return rows_of(path.read_bytes().decode())


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def by_key(rows: list[dict[str, str]], key: tuple[str, ...]) -> Mapping[tuple[str, ...], Any]:
    found = {tuple(row[part] for part in key): row for row in rows}
    assert len(found) == len(rows)
    return found


def export_zip(database: Database, slug: str, version: int | None = None) -> tuple[str, bytes]:
    """Return the name and the content of a survey's zip."""
    name, file = export_file(database, slug, version)
    with file:
        return name, file.read()
