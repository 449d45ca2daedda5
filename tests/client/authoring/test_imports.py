"""Forms made elsewhere: what can be asked is asked, and every other row is named."""

import io
import json
import random
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest

from client.authoring.draft.places import SurveyFile
from client.authoring.files import load_survey, parse_survey_file
from client.core.primitives.refusal import Refusal
from server.cli import main
from tests.support.figures import run
from tests.support.workbooks import Rows, read, workbook

HEADINGS = ["type", "name", "label", "hint", "relevant", "constraint"]
CHOICES: Rows = [
    *(["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]),
    *(["crop", "m", "Maize"], ["crop", "r", "Rice"], ["spare", "x", "X"]),
]
# As such forms are made in the field: with a household roster, notes and a device's data.
FORM: Rows = [
    HEADINGS,
    ["start", "start"],
    ["note", "hello", "Thank you for taking part."],
    ["begin group", "farm", "Your farm"],
    ["text", "farmer", "What is your name?"],
    ["select_one yn", "farms", "Do you farm?", "This year"],
    ["note", "n1", "Think of the last harvest."],
    ["select_multiple crop or_other", "crops", "Which crops?", None, "${farms} = 'yes'"],
    ["integer", "plots", "How many plots?", None, None, ". > 0"],
    ["decimal", "area", "How large?", None, "${plots} > 1"],
    ["end group"],
    ["begin repeat", "member", "Household member"],
    ["select_one yn", "adult", "Is this person an adult?"],
    ["end repeat"],
    ["geopoint", "where", "Where is it?"],
    ["begin group", "g2", "Nothing to ask here"],
    ["calculate", "twice"],
    ["end group"],
    ["select_one yn", "again", "May we return?", None, "${farmer} != ''"],
    ["note", "bye", "Good-bye, ${farmer}!"],
    ["note", "thanks", "Thank you."],
]
SETTINGS: Rows = [["form_title"], ["Household survey"]]


@pytest.fixture(scope="module")
def form() -> SurveyFile:
    return read(FORM, CHOICES, SETTINGS)


def test_a_form_from_the_field_is_asked_as_far_as_it_can_be(form: SurveyFile) -> None:
    survey = form.build_rest()
    asked = [(question.id, question.heading, question.hint) for question in survey.questions]
    assert asked == [
        ("farms", "Your farm", "This year"),
        ("crops", "", "Think of the last harvest."),
        ("plots", "", ""),
        ("area", "", ""),
        ("adult", "Household member", ""),
        ("again", "", ""),
    ]
    assert survey.intro == "Thank you for taking part."
    assert survey.closing == "Thank you."
    assert survey.questions[1].options[:3] == ("Maize", "Rice", "Other")
    assert (form.draft["total_epsilon"], survey.slug) == ("2", "household-survey")
    assert survey.questions[-1].options[-1] == "Does not apply"


def test_what_is_left_out_or_changed_is_named_with_its_row(form: SurveyFile) -> None:
    def places(reasons: tuple[Refusal, ...]) -> list[str]:
        return [reason.message.partition(": ")[0] for reason in reasons]

    assert places(form.left_out) == [
        "survey, row 5, column type",
        "survey, row 15, column type",
        "survey, row 16",
        "survey, row 20",
    ]
    assert places(form.changed) == [
        "settings, row 2, column form_id",
        "settings, row 2, column total_epsilon",
        "survey, row 8, column type",
        "survey, row 9, column constraint",
        "survey, row 10, column constraint",
        "survey, row 10, column parameters",
        "survey, row 12",
        "survey, row 19, column relevant",
    ]
    assert places(form.notes) == [
        *("survey, row 2, column type", "survey, row 17, column type", "choices, row 6"),
    ]


def test_a_survey_of_which_a_part_is_left_out_is_published_by_nobody_unawares(
    tmp_path: Path,
) -> None:
    path = tmp_path / "form.xlsx"
    path.write_bytes(workbook(FORM, CHOICES, SETTINGS))
    with pytest.raises(Refusal, match=r"6 questions can be asked; 4 rows were left out; 8 things"):
        load_survey(path)
    linted = run("lint", path, group=main)
    assert linted.exit_code == 2
    assert "6 questions can be asked; 4 rows were left out; 8 things were changed:" in linted.output
    assert "left out survey, row 5, column type: text: free text" in linted.output
    counted = json.loads(run("lint", path, "--json", group=main).output)
    assert [counted[name] for name in ("errors", "left_out", "changed")] == [0, 4, 8]
    written = run("convert", path, tmp_path / "survey.yaml", group=main)
    assert written.exit_code == 0, written.output
    assert "survey, row 5, column type: text: free text" in written.output
    assert f"what can be asked of {path}" in written.output
    assert len(load_survey(tmp_path / "survey.yaml").questions) == 6


def test_the_condition_of_a_group_holds_for_each_of_its_questions() -> None:
    form = read(
        [
            HEADINGS,
            ["select_one yn", "a", "A?"],
            ["select_one yn", "b", "B?"],
            ["begin group", "g", "G", None, "${a} = 'yes'"],
            ["select_one yn", "c", "C?"],
            ["select_one yn", "d", "D?", None, "${b} = 'no'"],
            ["end group"],
            ["select_one yn", "e", "E?"],
        ]
    )
    rules = {question.id: question.show_if for question in form.build().questions}
    assert rules["c"] is not None
    assert [one.question for one in rules["c"].conditions] == ["a"]
    assert rules["d"] is not None
    assert (rules["d"].joined, [one.question for one in rules["d"].conditions]) == (
        "all",
        ["a", "b"],
    )
    assert rules["e"] is None


def test_a_formula_counts_as_the_value_that_was_saved_with_it() -> None:
    data = workbook([HEADINGS, ["select_one yn", "q", '=CONCATENATE("How"," so?")']])
    saved = _with_saved_value(data, "How so?")
    file = parse_survey_file(saved, "form.xlsx")
    assert file.is_whole
    assert file.build().questions[0].prompt == "How so?"


def _with_saved_value(data: bytes, value: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as parts, zipfile.ZipFile(packed, "w") as archive:
        for part in parts.infolist():
            content = parts.read(part)
            if b"<f>" in content:
                saved = f"</f><v>{value}</v>".encode()
                content = re.sub(rb"</f><v\s*/>|</f><v></v>", saved, content)
                content = re.sub(rb'(<c r="C2")', rb'\1 t="str"', content)
            archive.writestr(part.filename, content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("type", "constraint", "bounds"),
    [
        ("integer", ". > 17", ("18", "118")),
        ("integer", ". < 6", ("-95", "5")),
        ("integer", ". <= 120", ("0", "120")),
        ("integer", "", ("0", "100")),
        ("integer", "regex(., '^[0-9]+$')", ("0", "100")),
        ("integer", ". >= 1 and . <= 12 and ${a} > 2", ("1", "12")),
        ("decimal", ". > 0.5", ("0.5", "100.5")),
    ],
)
def test_numbers_without_bounds_get_usual_ones_which_are_named(
    type: str, constraint: str, bounds: tuple[str, str]
) -> None:
    form = read([HEADINGS, [type, "q", "How many?", None, None, constraint or None]])
    kind = form.build_rest().questions[0].kind.as_json()
    assert (kind["lo"], kind["hi"]) == bounds
    assert f"; {bounds[0]} to {bounds[1]} are assumed" in form.changed[0].message


def test_a_language_that_lacks_a_text_shows_the_first_and_unknown_languages_are_named() -> None:
    form = read(
        [
            ["type", "name", "label::English", "label::Deutsch (de)", "hint::Elvish"],
            ["select_one yn", "a", "A?", None, "x"],
            ["select_one yn", "b", "B?", "B auf Deutsch?"],
        ],
        [
            ["list_name", "name", "label::English", "label::de"],
            *(["yn", "yes", "Yes", "Ja"], ["yn", "no", "No"]),
        ],
        [["form_title", "epsilon", "form_id"], ["T", 1, "t"]],
    )
    survey = form.build_rest()
    assert survey.languages == ("en", "de")
    assert survey.in_language("de").questions[0].prompt == "A?"
    assert survey.in_language("de").questions[0].options == ("No", "Ja")
    assert [one.message.partition(": ")[0] for one in form.changed] == [
        "settings, row 2, column form_title::German (de)",
        "survey, row 2, column hint::Elvish",
        "survey, row 2, column label::German (de)",
        "choices, row 3, column label::German (de)",
    ]


@pytest.mark.parametrize(
    "type",
    [
        "select one from yn",
        "add select one prompt using yn",
        "select1 yn",
        "Select_One yn",
        "select all that apply from yn",
    ],
)
def test_other_ways_to_write_a_type_are_read(type: str) -> None:
    old = read(
        [["command", "tag", "caption:English", "bind:relevant"], [type, "Q-1", "Q?"]],
        [["list name", "value", "label:English"], ["yn", "yes", "Yes"], ["yn", "no", "No"]],
    )
    assert [reason.message for reason in (*old.left_out, *old.changed)] == []
    assert old.build().questions[0].id == "q_1"


_TYPES = [
    *("select_one yn", "select_multiple crop", "integer", "decimal", "range", "text", "note"),
    *("begin group", "end group", "begin repeat", "end repeat", "geopoint", "calculate", "start"),
    *("select_one nowhere", "rank crop", "select_one yn or_other", "acknowledge", "magic", None),
]
_CELLS = {
    "relevant": ["${q2} = 'yes'", "${q3} > 4", "selected(${q5}, 'm')", "today() > 3", "true()"],
    "constraint": [". > 3", ". < 9 and . > 1", "count-selected(.) < 2", ". != 2"],
    "disabled": ["yes", "no"],
    "hint": ["A hint", "Said ${q1}"],
    "calculation": ["1 + 1"],
    "colour": ["red"],
}


@pytest.mark.parametrize("seed", range(40))
def test_no_row_is_lost_silently(seed: int) -> None:
    """Each row's own word is in the survey, or its place is named with a reason."""
    drawn = random.Random(seed)
    columns = ["type", "name", "label", *_CELLS]
    rows = [
        [
            drawn.choice(_TYPES),
            f"q{number}" if drawn.random() < 0.95 else None,
            f"word{number}" if drawn.random() < 0.95 else None,
            *(drawn.choice(cells) if drawn.random() < 0.2 else None for cells in _CELLS.values()),
        ]
        for number in range(2, drawn.randrange(4, 30))
    ]
    file = read([columns, *rows], CHOICES, [["form_title"], ["T"]])
    reasons = [one.message for one in (*file.faults, *file.left_out, *file.changed, *file.notes)]
    named = {
        int(number)
        for place in (message.partition(":")[0] for message in reasons)
        if place.startswith("survey, row")
        for number in re.findall(r"\d+", place)
    }
    if file.draft["questions"]:
        file.build_rest()
    told = json.dumps(file.draft)
    for number, row in enumerate(rows, 2):
        is_said = re.search(rf"\b(word|q){number}\b", told) is not None
        only_ends = str(row[0]).startswith(("begin", "end")) and row[2] is None
        ends = str(row[0]).startswith("end")
        is_empty = not any(row)
        assert is_said or number in named or only_ends or ends or is_empty, (number, row, reasons)


@pytest.mark.parametrize(
    ("name", "data", "program"),
    [
        ("a.lss", b'<?xml version="1.0"?><document><LimeSurveyDocType>Survey', "LimeSurvey"),
        ("a.lsq", b"<document>\n <LimeSurveyDocType>Question</LimeSurveyDocType>", "LimeSurvey"),
        (
            "a.txt",
            b'\xef\xbb\xbf"class"\t"type/scale"\t"name"\t"relevance"\t"text"\n',
            "LimeSurvey",
        ),
        ("a.txt", b"id\trelated_id\tclass\ttype/scale\tname\trelevance\n", "LimeSurvey"),
        ("a.qsf", b'{"SurveyEntry": {"SurveyID": "SV_1"}, "SurveyElements": []}', "Qualtrics"),
        ("a.json", b'{"pages": [{"elements": [{"type": "text", "name": "q"}]}]}', "SurveyJS"),
        ("a.json", b'{"elements": [{"type": "rating", "name": "q"}]}', "SurveyJS"),
        ("a.xml", b'<h:html xmlns="http://www.w3.org/2002/xforms">', "XForm"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old format"),
    ],
)
def test_files_of_other_programs_are_recognized_by_what_they_are(
    name: str, data: bytes, program: str
) -> None:
    with pytest.raises(Refusal) as caught:
        parse_survey_file(data, name)
    assert program in caught.value.message
    assert ".xlsx" in caught.value.message


def test_the_sheets_of_a_form_may_be_empty() -> None:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "survey"
    saved = io.BytesIO()
    book.save(saved)
    file = parse_survey_file(saved.getvalue(), "form.xlsx")
    with pytest.raises(Refusal, match="has no question that can be asked"):
        file.build_rest()
