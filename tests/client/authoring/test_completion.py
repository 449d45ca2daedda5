"""A panel's code and link in survey files: nested in YAML and JSON, columns in a workbook."""

from typing import Any

import pytest

from client.authoring.draft.completion import group_lines, read_group_lines
from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey, read_draft
from client.authoring.files import read_survey_file, write_survey_file
from client.authoring.lint import lint_bytes
from client.authoring.xlsform.writing import Writing
from client.core.completion import Completion
from client.core.document import read_document
from tests.support.survey_schema import says_yes

LINK = "https://panel.example/done?cc=AB12"
WANTED = {"code": "AB12", "redirect": LINK, "pass_on": ["PROLIFIC_PID", "SESSION_ID"]}
PLAIN: dict[str, Any] = {
    "slug": "s",
    "title": "S",
    "delete_on": "2999-12-31",
    "epsilon": "1",
    "questions": [{"id": "q", "prompt": "?", "decline": "true"}],
}
DRAFT = {**PLAIN, "completion": WANTED}
BY_GROUP = {"Drug, South": {"code": "B1", "redirect": f"{LINK}=1"}, "Drug, North": {"code": "B0"}}
GROUPED: dict[str, Any] = {
    **PLAIN,
    "groups": {
        "by": "link",
        "factors": [
            {"id": "arm", "prompt": "Arm", "levels": ["Control", "Drug"]},
            {"id": "site", "prompt": "Site", "levels": ["North", "South"]},
        ],
    },
    "completion": {**WANTED, "by_group": BY_GROUP},
}


def faults(value: Any) -> list[tuple[str, str]]:
    found = read_draft({**PLAIN, "completion": value}).faults
    return [(fault.code, ".".join(map(str, fault.path))) for fault in found]


def test_the_survey_and_its_document_have_the_code_and_the_link() -> None:
    survey = build_survey(DRAFT)
    assert survey.completion == Completion("AB12", LINK, ("PROLIFIC_PID", "SESSION_ID"))
    assert read_document(survey.document) == survey
    assert redraft(survey)["completion"] == WANTED


@pytest.mark.parametrize("part", WANTED)
def test_the_fingerprint_covers_every_part(part: str) -> None:
    other = {"code": "AB13", "redirect": f"{LINK}3", "pass_on": ["PROLIFIC_PID"]}
    changed = build_survey({**PLAIN, "completion": {**WANTED, part: other[part]}})
    assert changed.fingerprint != build_survey(DRAFT).fingerprint


def test_a_survey_without_a_panel_keeps_its_fingerprint() -> None:
    assert b"completion" not in build_survey(PLAIN).document


@pytest.mark.parametrize("suffix", ["yaml", "json", "xlsx"])
def test_every_file_format_gives_the_same_survey(suffix: str) -> None:
    again = read_survey_file(write_survey_file(DRAFT, f"s.{suffix}"), f"s.{suffix}")
    assert again["completion"] == WANTED
    assert build_survey(again).fingerprint == build_survey(DRAFT).fingerprint


def test_a_workbook_has_a_column_for_each_part() -> None:
    (settings,) = Writing(DRAFT).sheets()["settings"]
    assert settings["completion_code"] == "AB12"
    assert settings["completion_redirect"] == LINK
    assert settings["completion_pass_on"] == "PROLIFIC_PID SESSION_ID"
    assert "completion_code" not in Writing(PLAIN).sheets()["settings"][0]


BAD = {
    "no mapping": ("AB12", ("not_a_mapping", "completion")),
    "nothing in it": ({}, ("bad_completion", "completion.code")),
    "a misspelt part": ({"Code": "A"}, ("unknown_field", "completion.Code")),
    "no https": ({"redirect": "http://panel.example"}, ("bad_completion", "completion.redirect")),
    "a code of blanks": ({"code": "A B"}, ("bad_completion", "completion.code")),
    "names without a link": (
        {"code": "A", "pass_on": ["x"]},
        ("bad_completion", "completion.pass_on"),
    ),
    "names as text": ({"redirect": LINK, "pass_on": "x"}, ("bad_completion", "completion.pass_on")),
    "a bad name": (
        {"redirect": LINK, "pass_on": ["x=1"]},
        ("bad_completion", "completion.pass_on"),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is_found_at_its_part(name: str) -> None:
    value, fault = BAD[name]
    assert faults(value) == [fault]


def test_the_schema_accepts_what_the_reader_accepts_and_refuses_no_more_than_it() -> None:
    assert says_yes(DRAFT)
    assert says_yes({**PLAIN, "completion": {"code": "A"}})
    for name, (value, _) in BAD.items():
        # That names need a link is a rule about two fields, which is left to the reader.
        assert says_yes({**PLAIN, "completion": value}) == (name == "names without a link"), name


def test_lint_says_what_a_panel_learns() -> None:
    (warning,) = lint_bytes(write_survey_file(DRAFT, "s.yaml"), "s.yaml").problems
    assert (warning.severity, warning.code, warning.field) == (
        *("warning", "panel_knows_who"),
        "completion",
    )
    assert "who took part" in warning.message
    assert lint_bytes(write_survey_file(PLAIN, "s.yaml"), "s.yaml").problems == ()


def test_groups_are_named_by_their_labels_in_files_and_by_their_codes_in_documents() -> None:
    survey = build_survey(GROUPED)
    assert [code for code, _ in survey.completion.by_group] == ["1-0", "1-1"]
    assert survey.completion.of_group("1-1").code == "B1"
    assert survey.completion.of_group("0-1").code == "AB12"
    assert read_document(survey.document) == survey
    assert redraft(survey)["completion"]["by_group"] == BY_GROUP


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_files_have_the_codes_of_groups_and_workbooks_have_them_in_one_cell(suffix: str) -> None:
    (settings,) = Writing(GROUPED).sheets()["settings"]
    assert read_group_lines(settings["completion_by_group"]) == BY_GROUP
    again = read_survey_file(write_survey_file(GROUPED, f"s.{suffix}"), f"s.{suffix}")
    assert again["completion"]["by_group"] == BY_GROUP


def test_a_group_that_does_not_exist_is_a_fault_and_one_that_does_is_told_to_the_panel() -> None:
    assert faults({"by_group": {"Drug": {"code": "B"}}}) == [
        ("bad_completion", "completion.by_group")
    ]
    problems = lint_bytes(write_survey_file(GROUPED, "s.yaml"), "s.yaml").problems
    assert "panel_knows_group" in [problem.code for problem in problems]


@pytest.mark.parametrize(
    ("line", "group", "part"),
    [
        ("Drug = A1", "Drug", {"code": "A1"}),
        ("a=b, c = A1 https://x.y/?z=1", "a=b, c", {"code": "A1", "redirect": "https://x.y/?z=1"}),
        ("Drug=https://x.y", "Drug", {"redirect": "https://x.y"}),
        ("Drug", "Drug", {}),
    ],
)
def test_a_line_of_a_group_is_read_as_it_is_meant(
    line: str, group: str, part: dict[str, str]
) -> None:
    assert read_group_lines(f"\n {line} \n") == {group: part}
    if part:
        assert read_group_lines(group_lines({group: part})) == {group: part}
