"""XLSForm workbooks: the cells of the standard, forms by others, and every fault with its cell."""

from datetime import datetime
from typing import Any

import pytest

from client.authoring.imports.blocks import PASSED_OVER
from client.authoring.xlsform.types import REFUSED
from client.authoring.xlsform.workbook import write_workbook
from client.core.conditions import Condition, ShowIf
from client.core.primitives.refusal import Refusal
from tests.client.authoring.test_workbook_round_trip import POLYGLOT
from tests.support.workbooks import SETTINGS, YES_NO, Rows, cells, faults, read

# Rows that ask nothing, or that stand around questions.
READ_PAST = PASSED_OVER | {"begin_group", "end_group", "begin_repeat", "end_repeat", "note"}


def test_the_cells_are_those_that_the_standard_has() -> None:
    written = cells(write_workbook(POLYGLOT))
    headings, first, second, third, fourth, fifth = written["survey"]
    label = headings.index("label::German (de)")
    assert [row[0] for row in (first, second, fourth)] == [
        *("select_one yes_no", "select_one b_rows", "range")
    ]
    assert (first[label], first[headings.index("label::English (en)")]) == ("Welche?", "Which?")
    relevant = headings.index("relevant")
    assert second[relevant] == "${a} = 'yes' or ${a} = 'decline'"
    assert third[relevant] == "${b} = 'ix/ja'"
    assert fifth[relevant] == "${d} = '-2' or ${d} = '2'"
    assert fifth[headings.index("constraint")] == "count-selected(.) <= 1"
    assert ("c", "option_1", "No", "No") in written["choices"]
    assert written["settings"][0][2:4] == ("form_id", "default_language")


def test_a_form_made_elsewhere_is_read() -> None:
    file = read(
        [
            ["type", "name", "label::English (en)", "label::German", "relevant", "appearance"],
            ["select one yn", "Smokes", "Do you smoke?", "Rauchen Sie?", None, "minimal"],
            ["select_multiple what", "what", "What?", "Was?", "selected(${Smokes}, 'yes')"],
            ["range", "mood", "Mood?", "Laune?"],
        ],
        [
            ["list name", "name", "label::English (en)", "label::German"],
            ["yn", "yes", "Yes", "Ja"],
            ["yn", "no", "No", "Nein"],
            ["what", "c", "Cigars", "Zigarren"],
            ["what", "p", "Pipe", "Pfeife"],
        ],
        [
            ["form_title::English (en)", "form_title::German", "form_id", "version", "epsilon"],
            ["Habits", "Laster", "my_habits", 20270101, 0.5],
        ],
        notes=[["whatever"]],
    )
    assert faults(file) == []
    smokes, what, mood = file.build().questions
    assert (smokes.id, smokes.kind.name, smokes.options) == ("smokes", "yes_no", ("No", "Yes"))
    assert what.show_if is not None
    assert what.show_if == ShowIf((Condition("smokes", (1,)),))
    assert mood.options == tuple(map(str, range(1, 11)))
    assert file.build().slug == "my-habits"
    assert [note.message for note in file.notes] == [
        "sheet notes: this sheet is not read",
        "settings, row 2, column version: has no effect: publishing counts the versions",
        "survey, row 2, column appearance: has no effect: "
        "every kind of question has one appearance",
    ]


def test_numbers_days_and_switches_may_be_cells_of_their_kind() -> None:
    file = read(
        [
            ["type", "name", "label", "constraint", "parameters", "epsilon", "decline"],
            ["integer", "age", "Age?", ". > 17 and . <= 99", None, 0.3],
            ["decimal", "hours", "Hours?", "(. >= 0.5) and (. <= 24)", "step=0.5", 1.0],
            ["select_one yn", "well", "Well?", None, None, 1, True],
        ],
        settings=[["form_title", "form_id", "delete_on"], ["T", "t", datetime(2027, 6, 30)]],
    )
    age, hours, well = file.build().questions
    assert (age.kind.as_json()["lo"], str(age.epsilon)) == ("18", "0.3")
    assert hours.kind.as_json()["step"] == "0.5"
    assert well.options[-1] == "Prefer not to say"
    assert file.build().delete_on == "2027-06-30"


@pytest.mark.parametrize("type", sorted(REFUSED.keys() - READ_PAST))
def test_what_cannot_be_randomized_is_left_out_with_the_reason(type: str) -> None:
    file = read([["type", "name", "label"], [type, "q", "Q?"], ["select_one yn", "r", "R?"]])
    (reason,) = file.left_out
    assert reason.message == f"survey, row 2, column type: {REFUSED[type](type).sentence()}"
    assert [question.id for question in file.build_rest().questions] == ["r"]
    with pytest.raises(Refusal, match="1 question can be asked; 1 row was left out"):
        file.build()


@pytest.mark.parametrize(
    ("heading", "cell", "message"),
    [
        ("guidance_hint", "Think!", "column guidance_hint: there are no interviewers"),
        ("media::image", "a.png", "column image: pages cannot show pictures"),
        ("choice_filter", "a=${b}", "column choice_filter: the options must be the same"),
        ("calculation", "1+1", "column calculation: nothing is calculated"),
        ("colour", "red", "column colour: this column is not known, so it is not read"),
        ("label::Klingonese", "nuq", "not read: 'Klingonese'"),
        ("relevant", "${a} > 3", "column relevant: no earlier question is called 'a'; without"),
        ("relevant", "not(${a})", "column relevant: can only test options or numbers of"),
        ("relevant", "${nobody} = 'yes'", "column relevant: no earlier question is called"),
        ("relevant", "${q} = 'yes'", "column relevant: no earlier question is called 'q'"),
        ("constraint", ". != 3", "column constraint: must be empty for this type; without"),
        ("epsilon", "much", "column epsilon: q: epsilon must be a plain decimal"),
        ("epsilon", 1e-9, "column epsilon: q: epsilon must be a plain decimal"),
        ("unit", "years", "column unit: q has the unknown field 'unit'"),
        ("mechanism", "magic", "column mechanism: q: mechanism must be rr, got 'magic'"),
        ("max_bits", 0, "column max_bits: q: max_bits must be from 1"),
        ("weight", 1, "column weight: q: weight has no effect"),
    ],
)
def test_a_fault_is_named_with_its_sheet_row_and_column(
    heading: str, cell: object, message: str
) -> None:
    survey: Rows = [["type", "name", "label", heading], ["select_one yn", "q", "Q?", cell]]
    found = faults(read(survey))
    assert len(found) == 1
    assert found[0].startswith("survey, row ")
    assert message in found[0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            ["select_one nothing", "q", "Q?"],
            "row 2, column type: no row of the sheet choices has the list",
        ),
        (["select_one", "q", "Q?"], "column type: select_one must name 1 lists of choices, got 0"),
        (["essay", "q", "Q?"], "column type: the type 'essay' is not known"),
        ([None, "q", "Q?"], "row 2, column type: has no type"),
    ],
)
def test_a_row_that_says_too_little_or_too_much_is_left_out(row: list[Any], message: str) -> None:
    _, found = faults(read([["type", "name", "label"], row]))
    assert message in found


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (["select_one yn or_other", "q", "Q?"], "column type: Other becomes one of the choices"),
        (["integer", "q", "Q?"], "column constraint: a number needs its smallest and largest"),
        (["select_one yn", None, "Q?"], "survey, row 2, column name: has no name; row_2 is used"),
        (["select_one yn", "q"], "survey, row 2, column label: has no label; the name 'q' is"),
    ],
)
def test_what_a_row_does_not_say_is_assumed_and_named(row: list[Any], message: str) -> None:
    file = read([["type", "name", "label"], row])
    (found,) = faults(file)
    assert message in found
    assert len(file.build_rest().questions) == 1


def test_all_losses_of_a_workbook_are_named_at_once() -> None:
    survey: Rows = [
        ["type", "name", "label", "guidance_hint", "relevant"],
        ["text", "a", "A?", "Hm"],
        ["select_one yn", "b", "B?", None, "${a} = 'yes'"],
        ["geopoint", "c", "C?"],
    ]
    choices = [*YES_NO, ["yn", "no", "Again"], ["yn", "maybe"], ["spare", "one", "One"]]
    file = read(survey, choices)
    assert [message.partition(": ")[0] for message in faults(file)] == [
        "survey, row 2, column type",
        "survey, row 4, column type",
        "choices, row 4, column name",
        "survey, row 3, column relevant",
        "choices, row 5, column label",
    ]
    assert [note.message.partition(": ")[0] for note in file.notes] == ["choices, row 6"]
    assert file.loss_summary() == (
        "1 question can be asked; 3 rows were left out; 2 things were changed"
    )


def test_a_list_none_of_whose_choices_is_sound_leaves_its_question_out() -> None:
    survey: Rows = [["type", "name", "label"], ["select_one yn", "q", "Q?"]]
    assert faults(read(survey, [["list_name", "name", "label"], ["yn", None, "No"]])) == [
        "form.xlsx has no question that can be asked; 2 rows would be left out",
        "survey, row 2, column type: no row of the sheet choices has the list_name 'yn'",
        "choices, row 2, column name: a choice needs a list_name, a name and a label",
    ]


def test_a_missing_translation_is_named_with_its_cell() -> None:
    survey: Rows = [
        ["type", "name", "label::English (en)", "label::German (de)"],
        ["select_one yn", "q", "Q?", "F?"],
        ["select_one yn", "r", "R?", None],
    ]
    choices = [["list_name", "name", "label::English (en)", "label::German (de)"]]
    choices += [["yn", "no", "No", "Nein"], ["yn", "yes", "Yes", "Ja"]]
    titles: Rows = [["form_title::de", "form_title::en", "form_id", "epsilon"], ["A", "B", "s", 1]]
    (found,) = faults(read(survey, choices, titles))
    assert found.startswith(
        "survey, row 3, column label::German (de): a text is missing in this language"
    )


def test_a_workbook_without_its_sheets_is_refused() -> None:
    empty = read([], [], [])
    assert faults(empty)
    bare = read(
        [["type", "name", "label"], ["select_one yn", "q", "Q?"]], settings=[["epsilon"], [1]]
    )
    assert (bare.build_rest().slug, bare.build_rest().title) == ("form", "form")


def test_headings_are_read_as_people_write_them() -> None:
    file = read(
        [["Type ", "NAME", "Label :: English (en)"], ["select_one yn", "q", "Q?"]],
        [["List Name", "name", "label::en"], ["yn", "y", "Yes"], ["yn", "n", "No"]],
        [["title", "id", "epsilon", "default_language"], ["T", "t", "1", "English (en)"]],
    )
    assert faults(file) == []
    assert file.build().questions[0].options == ("No", "Yes")
    assert file.build().title == "T"


def test_settings_have_one_row() -> None:
    more: Rows = [*SETTINGS, ["Other", "other", 2]]
    survey: Rows = [["type", "name", "label"], ["select_one yn", "q", "Q?"]]
    assert faults(read(survey, settings=more)) == [
        "settings, row 3: only the first row below the headings is read"
    ]
