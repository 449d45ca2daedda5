"""Skip logic in the editor without any script: a question is chosen, then options are ticked."""

from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from tests.support.html_form import fields_of
from tests.support.live import Live
from tests.support.researcher import Browser
from tests.workbench.editor.writing import Draft, kept, plain, remarks, save, write

RULE = "questions[1].show_if"
FIRST: Draft = {
    "id": "q1",
    "kind": "one_of",
    "prompt": "Which?",
    "options": ["None", "Some", "Many"],
    "decline": "true",
}
THEN: Draft = {"id": "q2", "prompt": "Daily?", "decline": "true"}


def ruled(rule: Any, *more: Draft, first: Draft = FIRST) -> Draft:
    return plain(questions=[first, {**THEN, "show_if": rule}, *more])


def rule_of(live: Live, address: str, index: int = 1) -> Any:
    return kept(live, address)["questions"][index].get("show_if")


def boxes(ana: Browser, address: str) -> dict[str, str]:
    """The boxes of the rule by their label: ticked or not."""
    page = ana.get(address).body.decode()
    found = {}
    for part in page.split("<input")[1:]:
        control = part.partition(">")[0]
        if f'name="{RULE}.is.' in control:
            label = control.partition('value="')[2].partition('"')[0]
            found[label] = "ticked" if " checked" in control else "empty"
    return found


def test_a_question_is_chosen_then_its_options_are_ticked(live: Live, ana: Browser) -> None:
    address = write(live, plain(questions=[FIRST, THEN]))
    assert boxes(ana, address) == {}
    save(ana, address, **{f"{RULE}.question": "q1"})
    assert rule_of(live, address) == {"question": "q1", "is": []}
    assert remarks(ana, address)[1:] == [
        "Question 2, “Daily?”: Condition: tick at least one of its options."
    ]
    assert boxes(ana, address) == dict.fromkeys(
        ["None", "Some", "Many", "Prefer not to say"], "empty"
    )
    fields = fields_of(ana.get(address).body)
    ana.post(address, **fields, **{f"{RULE}.is.1": "Some", f"{RULE}.is.2": "Many"})
    assert rule_of(live, address) == {"question": "q1", "is": ["Some", "Many"]}
    assert build_survey(kept(live, address)).questions[1].show_if is not None
    assert boxes(ana, address)["Many"] == "ticked"
    # One is unticked: a browser does not send it.
    fields = fields_of(ana.get(address).body)
    del fields[f"{RULE}.is.1"]
    ana.post(address, **fields)
    assert rule_of(live, address) == {"question": "q1", "is": ["Many"]}
    save(ana, address, **{f"{RULE}.question": ""})
    assert rule_of(live, address) is None


def test_only_earlier_questions_can_be_chosen(live: Live, ana: Browser) -> None:
    address = write(live, plain(questions=[FIRST, THEN, {**THEN, "id": "q3"}]))
    page = ana.get(address).body.decode()
    choice = page.partition(f'name="{RULE}.question"')[2].partition("</select>")[0]
    assert "Question 1, “Which?”" in choice
    assert "Question 2" not in choice
    assert "Question 3" not in choice
    assert 'name="questions[0].show_if.question"' not in page


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ({"question": "q1", "is": ["Gone", "Some"]}, ["not one of its options"]),
        ({"question": "q1", "is": "Some"}, []),
        ({"question": "nobody", "is": ["x"]}, ["“nobody”, which does not exist"]),
        ({"question": "q3", "is": ["Yes"]}, ["Question 3, “Daily?”, which comes later"]),
        ({"question": "q1", "is": ["Some"], "why": "unknown"}, []),
        ("always", []),
    ],
)
def test_a_rule_that_cannot_be_kept_is_shown_and_stays(
    live: Live, ana: Browser, rule: Any, shown: list[str]
) -> None:
    draft = ruled(rule, {**THEN, "id": "q3"})
    address = write(live, draft)
    page = ana.get(address).body.decode()
    for words in shown:
        assert words in page
    save(ana, address, **{"title@en": "Other"})
    assert kept(live, address) == {**draft, "title": "Other"}


def test_another_question_takes_along_only_the_options_that_it_has(
    live: Live, ana: Browser
) -> None:
    other = {**FIRST, "id": "q0", "prompt": "Other?", "options": ["Many", "Few"]}
    rule = {"question": "q1", "is": ["Some", "Many"]}
    address = write(live, plain(questions=[other, FIRST, {**THEN, "show_if": rule}]))
    save(ana, address, **{"questions[2].show_if.question": "q0"})
    assert rule_of(live, address, 2) == {"question": "q0", "is": ["Many"]}


def test_options_are_those_of_the_first_language(live: Live, ana: Browser) -> None:
    told = [{"en": "None", "de": "Keine"}, {"en": "Some", "de": ""}]
    address = write(
        live, ruled({"question": "q1", "is": ["Some"]}, first={**FIRST, "options": told})
    )
    assert boxes(ana, address) == {"None": "empty", "Some": "ticked", "Prefer not to say": "empty"}


@pytest.mark.parametrize(
    ("changed", "rule"),
    [
        ({"id": "usage"}, {"question": "usage", "is": ["Some", "Many"]}),
        ({"options@en": "None\r\nA few\r\nMany"}, {"question": "q1", "is": ["A few", "Many"]}),
        # Only moved, or one more: nobody knows which of them is meant.
        ({"options@en": "Some\r\nNone\r\nMany"}, {"question": "q1", "is": ["Some", "Many"]}),
        (
            {"options@en": "None\r\nA few\r\nMany\r\nAll"},
            {"question": "q1", "is": ["Some", "Many"]},
        ),
    ],
)
def test_a_rule_follows_the_new_names_of_what_it_is_about(
    live: Live, ana: Browser, changed: dict[str, str], rule: Draft
) -> None:
    address = write(live, ruled({"question": "q1", "is": ["Some", "Many"]}))
    save(ana, address, **{f"questions[0].{name}": text for name, text in changed.items()})
    assert rule_of(live, address) == rule


def test_the_rule_of_a_long_list_is_written_line_by_line(live: Live, ana: Browser) -> None:
    options = [f"Town {number}" for number in range(60)]
    rule = {"question": "q1", "is": ["Town 1"]}
    address = write(live, ruled(rule, first={**FIRST, "options": options}))
    assert boxes(ana, address) == {}
    save(ana, address, **{f"{RULE}.is": "Town 7\r\nTown 9"})
    assert rule_of(live, address) == {"question": "q1", "is": ["Town 7", "Town 9"]}


def test_a_number_keeps_its_silence_and_its_rule(live: Live, ana: Browser) -> None:
    """An author who changes the kind loses nothing that every kind has."""
    address = write(live, ruled({"question": "q1", "is": ["Some"]}))
    save(ana, address, **{"questions[1].kind": "number"})
    fields = fields_of(ana.get(address).body)
    for part in (RULE, "questions[1].decline"):
        assert any(name.startswith(part) for name in fields)
    save(ana, address, **{"questions[1].lo": "0", "questions[1].hi": "9"})
    number = build_survey(kept(live, address)).questions[1]
    assert (number.kind.name, number.options) == ("number", ("Prefer not to say", "Does not apply"))
    assert number.show_if is not None


def test_numbers_decide_and_conditions_are_added_without_a_script(live: Live, ana: Browser) -> None:
    cups = {"id": "cups", "kind": "number", "prompt": "Cups?", "lo": "0", "hi": "9", "step": "1"}
    address = write(live, plain(questions=[FIRST, cups, THEN]))
    rule = "questions[2].show_if"
    save(ana, address, **{f"{rule}.question": "cups"})
    save(ana, address, **{f"{rule}.from": "3", f"{rule}.1.question": "q1"})
    fields = fields_of(ana.get(address).body)
    ana.post(address, **fields, **{f"{rule}.1.is.1": "Some"})
    first, second = {"question": "cups", "from": "3"}, {"question": "q1", "is": ["Some"]}
    assert rule_of(live, address, 2) == {"all": [first, second]}
    save(ana, address, **{f"{rule}.joined": "any"})
    assert rule_of(live, address, 2) == {"any": [first, second]}
    assert build_survey(kept(live, address)).questions[2].show_if is not None
    # The first condition goes, the second one stays.
    save(ana, address, **{f"{rule}.question": ""})
    assert rule_of(live, address, 2) == second
