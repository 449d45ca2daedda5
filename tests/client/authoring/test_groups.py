"""Groups in survey files: read, written, checked against the schema, and refused with a place."""

from typing import Any

import pytest

from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey, read_draft
from client.authoring.files import read_survey_file, write_survey_file
from client.authoring.lint import lint_bytes
from client.authoring.xlsform.writing import Writing
from client.core.document import read_document
from client.core.groups import BY_CHOICE, BY_LINK
from tests.support.survey_schema import says_yes
from tests.support.workbooks import Rows, read
from tests.support.workbooks import faults as faults_of


def in_two(en: str, de: str) -> dict[str, str]:
    return {"en": en, "de": de}


AGE: dict[str, Any] = {
    "id": "age",
    "prompt": in_two("How old?", "Wie alt?"),
    "levels": [in_two("Young", "Jung"), in_two("Old", "Alt")],
}
DRAFT: dict[str, Any] = {
    "slug": "study",
    "title": in_two("Study", "Studie"),
    "epsilon": "1",
    "groups": {"by": BY_CHOICE, "factors": [AGE]},
    "questions": [{"id": "a", "prompt": in_two("Ill?", "Krank?")}],
}


def having(**fields: Any) -> dict[str, Any]:
    return {**DRAFT, "groups": {**DRAFT["groups"], **fields}}


def faults(draft: dict[str, Any]) -> list[tuple[str, str]]:
    return [(fault.key, ".".join(map(str, fault.path))) for fault in read_draft(draft).faults]


def test_whoever_is_asked_can_decline_in_every_language() -> None:
    survey = build_survey(DRAFT)
    said = [survey.in_language(language).groups for language in ("en", "de")]
    assert [groups and groups.factors[0].labels[-1] for groups in said] == [
        "Prefer not to say",
        "Möchte ich nicht sagen",
    ]
    own = build_survey(having(factors=[{**AGE, "decline": in_two("Pass", "Weiter")}]))
    assert own.groups
    assert own.groups.factors[0].decline == "Pass"


def test_nobody_declines_a_link() -> None:
    survey = build_survey(having(by=BY_LINK))
    assert survey.groups
    assert survey.groups.factors[0].labels == ("Young", "Old")


@pytest.mark.parametrize("by", [BY_CHOICE, BY_LINK])
@pytest.mark.parametrize("name", ["a.yaml", "a.json", "a.xlsx"])
def test_groups_come_back_from_a_file_and_from_the_published_document(by: str, name: str) -> None:
    survey = build_survey(having(by=by))
    again = redraft(read_document(survey.document))
    data = write_survey_file(again, name)
    assert build_survey(read_survey_file(data, name)).fingerprint == survey.fingerprint
    assert says_yes(read_survey_file(data, name))


def test_a_workbook_has_a_row_per_factor_and_says_where_something_is_wrong() -> None:
    sheets = Writing(DRAFT).sheets()
    assert sheets["groups"] == [
        {
            "list_name": "age",
            "name": "age",
            "label::English (en)": "How old?",
            "label::German (de)": "Wie alt?",
            "decline::English (en)": "Prefer not to say",
            "decline::German (de)": "Möchte ich nicht sagen",
        }
    ]
    assert sheets["settings"][0]["groups_by"] == "choice"


SURVEY_SHEET = [["type", "name", "label"], ["select_one yn", "smokes", "Smoke?"]]
CHOICES = [["list_name", "name", "label"], *(["yn", name, name] for name in ("yes", "no"))]
LEVELS = [["ages", "young", "Young"], ["ages", "old", "Old"]]
SETTINGS: Rows = [
    ["form_title", "form_id", "epsilon", "groups_by"],
    ["Habits", "habits", 1, "choice"],
]
FACTORS = [["name", "label", "list_name"], ["Age", "How old?", "ages"]]


def test_somebody_who_writes_a_workbook_gets_groups_with_a_way_to_decline() -> None:
    survey = read(SURVEY_SHEET, CHOICES + LEVELS, SETTINGS, groups=FACTORS).build()
    assert survey.groups
    assert survey.groups.factors[0].labels == ("Young", "Old", "Prefer not to say")
    assert survey.groups.factors[0].id == "age"


def test_a_workbook_says_where_something_is_wrong_with_its_groups() -> None:
    file = read(SURVEY_SHEET, CHOICES, SETTINGS, groups=FACTORS)
    missing = "no row of the sheet choices has the list_name 'ages'"
    assert faults_of(file) == [f"groups, row 2, column list_name: {missing}"]
    me: Rows = [SETTINGS[0], ["Habits", "habits", 1, "me"]]
    file = read(SURVEY_SHEET, CHOICES + LEVELS, me, groups=FACTORS)
    (fault,) = faults_of(file)
    assert fault.startswith("settings, row 2, column groups_by: groups: by must be link or choice")


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ("age", [("not_a_mapping", "groups")]),
        ({"by": "choice"}, [("missing_field", "groups.factors")]),
        ({"factors": [AGE]}, [("missing_field", "groups.by")]),
        ({"by": "choice", "factors": []}, [("bad_groups.count", "groups.factors")]),
        ({"by": "choice", "factors": "age"}, [("bad_groups.list", "groups.factors")]),
        ({"by": "choice", "factors": ["age"]}, [("not_a_mapping", "groups.factors.0")]),
        ({"by": "me", "factors": [AGE]}, [("bad_groups.by", "groups.by")]),
        (
            {"by": "choice", "factors": [AGE, {**AGE, "id": "a"}], "least": 5},
            [
                ("unknown_field", "groups.least"),
                ("bad_groups.question", "groups.factors.1.id"),
            ],
        ),
        (
            {"by": "choice", "factors": [{**AGE, "levels": ["x"], "id": "Age"}]},
            [
                ("missing_language", "groups.factors.0.levels.de"),
                ("bad_id", "groups.factors.0.id"),
            ],
        ),
        (
            {"by": "link", "factors": [{**AGE, "decline": "true"}]},
            [("bad_groups.no_decline", "groups.factors.0.decline")],
        ),
    ],
)
def test_a_fault_in_groups_is_told_with_its_place(
    groups: Any, expected: list[tuple[str, str]]
) -> None:
    assert sorted(faults({**DRAFT, "groups": groups})) == sorted(expected)


def test_a_fault_in_groups_names_its_line() -> None:
    text = (
        b"slug: s\ntitle: T\nepsilon: 1\ndelete_on: 2031-01-01\n"
        b"groups:\n  by: choice\n  factors:\n    - id: age\n      prompt: Age\n"
        b"      levels: [Young]\nquestions:\n  - {id: q, prompt: Q, decline: true}\n"
    )
    (problem,) = lint_bytes(text, "a.yaml").problems
    assert str(problem) == (
        "groups.factors[0].levels (line 10): age: levels must be a list of 2 to 9 labels, got 1"
    )
