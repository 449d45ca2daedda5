"""Random order in survey files: read, written back, in workbooks, and what lint says of it."""

from typing import Any

import pytest

from client.authoring.draft.from_survey import redraft
from client.authoring.draft.survey import build_survey
from client.authoring.files import write_survey_file
from client.authoring.imports.workbook import read_workbook
from client.authoring.lint import lint_bytes
from client.authoring.xlsform.workbook import write_workbook
from client.core.primitives.refusal import Refusal

DRAFT: dict[str, Any] = {
    "slug": "s",
    "title": {"en": "Order", "de": "Reihenfolge"},
    "delete_on": "2999-12-31",
    "shuffle": "true",
    "epsilon": "1",
    "questions": [
        {
            "id": "mode",
            "kind": "one_of",
            "prompt": {"en": "How?", "de": "Wie?"},
            "options": [
                {"en": "Bus", "de": "Bus"},
                {"en": "Car", "de": "Auto"},
                {"en": "Other", "de": "Anderes"},
            ],
            "shuffle": "true",
            "anchored": ["Other"],
            "decline": "true",
        },
        {
            "id": "boxes",
            "kind": "any_of",
            "prompt": {"en": "Which?", "de": "Welche?"},
            "options": [{"en": label, "de": label} for label in "abc"],
            "shuffle": "true",
        },
        {"id": "yes", "prompt": {"en": "Yes?", "de": "Ja?"}, "shuffle": "true"},
        {
            "id": "both",
            "kind": "cross",
            "prompt": {"en": "Both?", "de": "Beides?"},
            "row_prompt": {"en": "One?", "de": "Eins?"},
            "column_prompt": {"en": "Two?", "de": "Zwei?"},
            "shuffle": "true",
        },
        {
            "id": "content",
            "kind": "scale",
            "prompt": {"en": "Content?", "de": "Zufrieden?"},
            "lo": "0",
            "hi": "4",
            "reverse": "true",
        },
    ],
}


def alone(**fields: Any) -> dict[str, Any]:
    """Return a draft with one list of options."""
    options = {"kind": "one_of", "options": ["Bus", "Car", "Bike", "Other"]}
    question = {"id": "q", "prompt": "?", "epsilon": "1", **options, **fields}
    return {"slug": "s", "title": "t", "delete_on": "2999-12-31", "questions": [question]}


def test_files_name_anchored_options_by_their_labels() -> None:
    survey = build_survey(DRAFT)
    assert survey.shuffle
    assert [question.shuffle for question in survey.questions] == [True, True, True, True, False]
    assert survey.questions[0].anchored == (2,)
    assert survey.questions[4].reverse
    assert survey.in_language("de").questions[0].anchored == (2,)
    assert build_survey(alone(shuffle="true", anchored="Other")).questions[0].anchored == (3,)


def test_a_published_survey_becomes_the_same_draft_again() -> None:
    again = redraft(build_survey(DRAFT))
    assert build_survey(again).fingerprint == build_survey(DRAFT).fingerprint
    assert again["shuffle"] == again["questions"][0]["shuffle"] == "true"
    assert again["questions"][0]["anchored"] == ["Other"]


def test_a_workbook_says_it_in_the_way_of_xlsform() -> None:
    data = write_workbook(DRAFT)
    file = read_workbook(data, "s.xlsx")
    assert (file.faults, file.notes) == ((), ())
    assert file.build().fingerprint == build_survey(DRAFT).fingerprint
    assert write_workbook(file.draft) == data
    assert file.draft["questions"][0]["anchored"] == ["Other"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"shuffle": "maybe"}, "bad_flag"),
        ({"shuffle": "true", "anchored": ["Tram"]}, "bad_anchored"),
        ({"shuffle": "true", "anchored": [["Bus"]]}, "bad_anchored"),
        ({"shuffle": "true", "anchored": {"Bus": 1}}, "bad_anchored"),
        ({"anchored": ["Other"]}, "bad_anchored"),
        ({"shuffle": "true", "anchored": ["Bus", "Car", "Bike"]}, "bad_anchored"),
        ({"reverse": "true"}, "unknown_field"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusal) as caught:
        build_survey(alone(**fields))
    assert caught.value.code == code


def warnings(**fields: Any) -> list[str]:
    draft = alone(decline="true", **fields)
    result = lint_bytes(write_survey_file(draft, "s.yaml"), "s.yaml")
    return [problem.message for problem in result.problems]


def test_lint_suggests_to_anchor_what_belongs_at_the_end() -> None:
    told = (
        "q.anchored: 'Other' would stand anywhere in the list: name it in anchored, so that it "
        "stays last"
    )
    assert [text.partition(": ")[2] for text in warnings(shuffle="true")] == [
        told.partition(": ")[2]
    ]
    assert warnings(shuffle="true", anchored=["Other"]) == []
    assert warnings() == []
    for label in ("Sonstiges", "Otro", "أخرى"):
        options = ["Bus", "Car", "Bike", label]
        assert label in warnings(shuffle="true", options=options)[0]
