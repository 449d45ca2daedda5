"""A workbook is the survey: export, import, export is identical, whatever can be published."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey, read_survey_file, write_survey_file
from client.authoring.xlsform.workbook import write_workbook
from client.core.primitives.refusal import Refusal
from tests.support.every_kind import EVERYBODY, SAMPLED
from tests.support.process import ROOT
from tests.support.surveys import EVERY_KIND

EXAMPLES = ROOT / "examples"
TOLD = {"en": "Which?", "de": "Welche?"}
POLYGLOT: dict[str, Any] = {
    "slug": "polyglot",
    "title": {"en": "Many", "de": "Viele"},
    "intro": {"en": "Hello", "de": "Hallo"},
    "language": "de",
    "delete_on": "2999-12-31",
    "total_epsilon": "2",
    "questions": [
        {"id": "a", "prompt": TOLD, "weight": "8", "decline": "true"},
        {
            **{"id": "b", "kind": "cross", "prompt": TOLD, "row_prompt": TOLD},
            **{"column_prompt": TOLD, "rows": [{"en": "x", "de": "ix"}, TOLD]},
            "show_if": {"question": "a", "is": ["Ja", "Möchte ich nicht sagen"]},
        },
        {
            **{"id": "c", "kind": "one_of", "prompt": TOLD},
            "options": [{"en": "No", "de": "No"}, {"en": "Yes", "de": "Yes"}],
            "show_if": {"question": "b", "is": ["ix / Ja"]},
        },
        {"id": "d", "kind": "scale", "prompt": TOLD, "lo": "-2", "hi": "2", "goal": "shares"},
        {
            **{"id": "e", "kind": "any_of", "prompt": TOLD, "options": [TOLD], "at_most": "1"},
            "show_if": {"question": "d", "is": ["-2", "2"]},
        },
    ],
}


def assert_round_trip(draft: dict[str, Any]) -> None:
    first = write_workbook(draft)
    again = read_survey_file(first, "again.xlsx")
    assert build_survey(again).fingerprint == build_survey(draft).fingerprint
    assert write_workbook(again) == first


@pytest.mark.parametrize(
    "draft", [EVERYBODY, SAMPLED, EVERY_KIND, POLYGLOT], ids=["all", "some", "kinds", "languages"]
)
def test_export_import_export_is_identical(draft: dict[str, Any]) -> None:
    assert_round_trip(draft)


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: str(path.parent)
)
def test_every_example_survives_every_form(path: Path, tmp_path: Path) -> None:
    draft = read_survey_file(path)
    assert_round_trip(draft)
    for name in ("a.yaml", "a.json", "a.xlsx"):
        (tmp_path / name).write_bytes(write_survey_file(draft, name))
        assert load_survey(tmp_path / name).fingerprint == load_survey(path).fingerprint


LETTERS = st.characters(exclude_categories=["Cc", "Cs", "Cf"], include_characters="\n")
TEXT = st.text(LETTERS, min_size=1, max_size=30).map(str.strip).filter(bool) | st.sampled_from(
    [
        "=1+1",
        "#N/A",
        "_x000D_",
        "true",
        "0.10",
        "<b>&amp;",
        "'quoted",
        "{en: x}",
        "- a",
        "2027-01-01",
    ]
)
LABELS = st.lists(TEXT, min_size=2, max_size=5, unique_by=lambda text: text.casefold())


@st.composite
def questions(draw: st.DrawFn, number: int) -> dict[str, Any]:
    common = {"id": f"q{number}", "prompt": draw(TEXT), "epsilon": draw(st.sampled_from("123"))}
    kind = draw(st.sampled_from(["yes_no", "one_of", "any_of", "scale", "number", "cross"]))
    own: dict[str, Any] = {"kind": kind}
    if kind in ("one_of", "any_of"):
        own["options"] = draw(LABELS)
    if kind == "yes_no" and draw(st.booleans()):
        own["options"] = draw(LABELS)[:2]
    if kind in ("scale", "number"):
        own |= {"lo": str(draw(st.integers(-9, 9))), "hi": "20"}
    if kind == "number":
        own |= {"step": draw(st.sampled_from(["1", "0.5", "0.250"])), "unit": draw(TEXT)}
    if kind == "cross":
        own |= {"row_prompt": draw(TEXT), "column_prompt": draw(TEXT), "rows": draw(LABELS)}
    if kind != "number" and draw(st.booleans()):
        own["decline"] = draw(TEXT)
    return {**common, **own}


@st.composite
def drafts(draw: st.DrawFn) -> dict[str, Any]:
    asked = [draw(questions(number)) for number in range(draw(st.integers(1, 3)))]
    return {"slug": "s", "title": draw(TEXT), "intro": draw(TEXT), "questions": asked}


@settings(max_examples=150, deadline=None)
@given(drafts())
def test_whatever_can_be_published_survives_both_ways(draft: dict[str, Any]) -> None:
    try:
        build_survey(draft)
    except Refusal:
        return
    assert_round_trip(draft)
    for name in ("a.yaml", "a.json"):
        assert read_survey_file(write_survey_file(draft, name), name) == draft
