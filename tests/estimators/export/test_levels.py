"""The export's scripts derive shares and quantiles of levels again, also in their special cases."""

from pathlib import Path
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from estimators.tables.level_rows import QUANTILES
from tests.estimators.export.test_archive import INTERPRETERS, KEY, Interpreter, assert_same, derive
from tests.support.exported import by_key, exported, reports_of, table, unpack

# More levels than bins; an epsilon above 2.5, where two intervals are joined; many thresholds.
DRAFT: dict[str, Any] = {
    "slug": "levels",
    "title": "Levels",
    "questions": [
        {
            **{"id": "fine", "kind": "number", "prompt": "Fine?", "lo": "0", "hi": "150"},
            **{"epsilon": "1", "goal": "distribution", "mechanism": "isw"},
        },
        {
            **{"id": "sharp", "kind": "number", "prompt": "Sharp?", "lo": "0", "hi": "30"},
            **{"step": "1.5", "epsilon": "4", "goal": "distribution", "mechanism": "isw"},
        },
        {
            **{"id": "rough", "kind": "number", "prompt": "Rough?", "lo": "-40", "hi": "0"},
            **{"epsilon": "0.5", "mechanism": "rt"},
        },
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    survey = build_survey(DRAFT)
    content = exported(survey, reports_of(survey, 400))
    return unpack(content, tmp_path_factory.mktemp("zips") / "unpacked")


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=lambda one: one.name)
def test_a_script_derives_shares_and_quantiles_of_levels(
    interpreter: Interpreter, folder: Path
) -> None:
    copy = folder.parent / interpreter.name
    derive(interpreter, folder, copy)
    wanted = by_key(table(copy / "estimates.csv"), KEY)
    found = by_key(table(copy / "rederived_estimates.csv"), KEY)
    assert found.keys() == wanted.keys()
    quantities = {(row["question"], row["quantity"]) for row in wanted.values()}
    ids = [question["id"] for question in DRAFT["questions"]]
    methods = {row["method"] for row in wanted.values() if row["question"] == "fine"}
    assert methods == {"normal", "profile_of_bins", "em"}
    assert {(id, name) for id in ids for name in (*QUANTILES, "at_most")} <= quantities
    for key, row in wanted.items():
        for column in ("value", "low", "high"):
            if interpreter.derives(row, column):
                assert_same(found[key].get(column, ""), row[column], (key, column))
