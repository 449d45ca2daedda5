"""Surveys with every mechanism, with and without groups, and files of reports to them."""

from pathlib import Path
from typing import Any

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from estimators.counting.tally import Counting
from estimators.simulation.kernels.source import stream
from estimators.simulation.reports import Columns, simulate_columns, write_reports
from estimators.tallies.survey_tally import Part, SurveyTally, reports_in
from tests.support.every_kind import EVERYBODY, SAMPLED, lopsided

FACTORS: list[dict[str, Any]] = [
    {"id": "arm", "prompt": "Arm?", "levels": ["Control", 'It\'s "new" \\ =1+1']},
    {"id": "site", "prompt": "Site?", "levels": ["North, far", "South", "East"]},
]
PLAIN, ASKED_THREE, BY_LINK, BY_CHOICE = "plain", "asked three", "groups by link", "own groups"


def survey_with(shape: str) -> Survey:
    """Return a survey with every kind and mechanism in one of these shapes."""
    draft = SAMPLED if shape == ASKED_THREE else EVERYBODY
    if shape in (BY_LINK, BY_CHOICE):
        by = "link" if shape == BY_LINK else "choice"
        draft = {**draft, "groups": {"by": by, "factors": FACTORS}}
    return build_survey(draft)


SHAPES = (PLAIN, ASKED_THREE, BY_LINK, BY_CHOICE)


def columns(survey: Survey, reports: int, seed: int = 1) -> list[Columns]:
    return list(simulate_columns(lopsided(survey), reports, stream(seed)))


def report_file(path: Path, survey: Survey, reports: int, seed: int = 1) -> Path:
    """Write a file of so many reports; another seed gives other ones."""
    write_reports(columns(survey, reports, seed), path, survey)
    return path


def document_file(folder: Path, survey: Survey) -> Path:
    path = folder / "survey.json"
    path.write_bytes(survey.document)
    return path


def tally_of(counting: Counting, number: int) -> SurveyTally:
    """Return what was counted as the tally of the part with this number."""
    survey = counting.survey
    part = Part(f"{number:064x}", reports_in(counting.tallies(), survey))
    return SurveyTally.of(counting, [part])
