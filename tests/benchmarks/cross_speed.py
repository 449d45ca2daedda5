"""How long a cross-table of many reports takes, beside pandas' count of the same columns."""

from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from client.authoring.draft.survey import build_survey
from estimators.columns.frame import Frame
from estimators.columns.randomized import Randomized
from estimators.cross.crossing import cross
from estimators.mechanisms import analysis_of

pandas: Any = import_module("pandas")

SURVEY = build_survey(
    {
        "slug": "speed",
        "title": "Speed",
        "questions": [
            {"id": "smokes", "prompt": "Smokes?", "epsilon": "1"},
            {
                **{"id": "diet", "prompt": "Diet?", "epsilon": "1", "kind": "one_of"},
                "options": ["a", "b", "c", "d", "e", "f"],
            },
        ],
    }
)


def frame_of(n: int) -> Frame:
    """Return n rows with any of the possible reports."""
    draw = np.random.default_rng(1)
    columns = {}
    for question in SURVEY.questions:
        analysis = analysis_of(question.mechanism)
        reports = analysis.reports()
        codes = draw.integers(0, len(reports), n)
        columns[question.id] = Randomized(
            question.id, question.options, reports, codes, analysis, None, question
        )
    return Frame(n, columns, {}, SURVEY)


def measure(n: int, rounds: int) -> float:
    """Return the time of `cross` divided by that of `pandas.crosstab`, medians of one run."""
    frame = frame_of(n)
    table = pandas.DataFrame({name: column.codes for name, column in frame.randomized.items()})
    ours, theirs = [], []
    for _ in range(rounds):
        start = perf_counter()
        cross(frame, "smokes", "diet")
        middle = perf_counter()
        pandas.crosstab(table["smokes"], table["diet"])
        ours.append(middle - start)
        theirs.append(perf_counter() - middle)
    return median(ours) / median(theirs)
