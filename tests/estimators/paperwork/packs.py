"""Surveys to write paperwork for: every example, every starter, every kind, and hard cases."""

from pathlib import Path
from typing import Any

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey
from client.core.survey import Survey
from estimators.paperwork.pack import Paperwork
from estimators.paperwork.plan import StudyPlan
from tests.support.every_kind import every_kind
from tests.support.process import ROOT

DEMO = ROOT / "examples" / "demo.yaml"
INVITED: dict[str, Any] = {
    "slug": "ward",
    "title": "Errors on the ward",
    "organizer": "St. Mary's",
    "access": "invited",
    "ask_each_person": "2",
    "epsilon": "0.8",
    "questions": [
        {"id": "error", "prompt": "Did you make an error?", "decline": "true"},
        {"id": "which", "kind": "any_of", "prompt": "Which?", "options": list("abcde")},
        {
            "id": "hours",
            "kind": "number",
            "prompt": "Hours?",
            "lo": "0",
            "hi": "12",
            "unit": "hours",
        },
    ],
}
WEAK: dict[str, Any] = {
    "slug": "weak",
    "title": "Weak",
    "questions": [{"id": "a", "prompt": "A?", "epsilon": "6"}],
}
NUMBERS: dict[str, Any] = {
    "slug": "numbers",
    "title": "Numbers",
    "questions": [
        {"id": "a", "kind": "number", "prompt": "A?", "lo": "0", "hi": "9", "epsilon": "1"},
        {
            "id": "b",
            "kind": "scale",
            "prompt": "B?",
            "lo": "0",
            "hi": "9",
            "goal": "mean",
            "epsilon": "1",
        },
    ],
}


def every_survey() -> dict[str, Survey]:
    files = sorted((ROOT / "examples").rglob("*.yaml"))
    return {
        **{f"{path.parent.name}/{path.stem}": load_survey(path) for path in files},
        "every kind": every_kind(sampled=False),
        "sampled": every_kind(sampled=True),
        "invited": build_survey(INVITED),
        "weak": build_survey(WEAK),
        "numbers": build_survey(NUMBERS),
    }


def pack(survey: Survey | Path | dict[str, Any], **plan: Any) -> Paperwork:
    if isinstance(survey, Path):
        survey = load_survey(survey)
    return Paperwork(
        build_survey(survey) if isinstance(survey, dict) else survey, StudyPlan(**plan)
    )
