"""The editor without any script: a form that loses nothing, and refused saves."""

import json
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file
from tests.client.authoring.test_from_survey import DRAFTS, POLYGLOT
from tests.support.html_form import fields_of
from tests.support.live import Live
from tests.support.researcher import Browser
from tests.workbench.editor.writing import kept, manuscript, plain, save, write
from tests.workbench.test_pages import words

CANARY = "<script>canary=1</script>\"'&"


@pytest.mark.parametrize("name", DRAFTS)
def test_saving_what_nobody_touched_changes_nothing(live: Live, ana: Browser, name: str) -> None:
    draft = read_survey_file(json.dumps(DRAFTS[name]).encode())
    address = write(live, draft)
    assert save(ana, address).status == 303
    assert kept(live, address) == draft
    assert manuscript(live, address).revision == 2


def test_what_the_form_cannot_show_is_kept(live: Live, ana: Browser) -> None:
    odd = plain(questions=[{"id": "q1", "prompt": 5, "options": ["a\nb", 7], "wrong": {"x": [1]}}])
    address = write(live, odd)
    save(ana, address, **{"title@en": "Other"})
    assert kept(live, address) == {**odd, "title": "Other"}


@pytest.mark.parametrize(
    ("control", "text", "field", "value"),
    [
        ("prompt@en", "Two?", "prompt", "Two?"),
        ("hint@en", "Only\r\ntoday", "hint", "Only\ntoday"),
        ("heading@en", "At work", "heading", "At work"),
        ("options@en", "never\r\n\r\n ever ", "options", ["never", "ever"]),
        ("decline", "", "decline", None),
        ("decline@en", "ignored unless chosen", "decline", "true"),
        ("not_applicable", "usual", "not_applicable", "true"),
        ("weight", "8", "weight", "8"),
        ("mechanism", "rr", "mechanism", "rr"),
        ("max_bits", "99", "max_bits", "99"),
        ("id", "other", "id", "other"),
    ],
)
def test_each_control_of_a_question_changes_its_field(
    live: Live, ana: Browser, control: str, text: str, field: str, value: Any
) -> None:
    address = write(live, plain())
    assert save(ana, address, **{f"questions[0].{control}": text}).status == 303
    (question,) = kept(live, address)["questions"]
    assert question.get(field) == value
    unchanged = {"id": "q1", "prompt": "One?", "decline": "true"}.items()
    assert {item for item in unchanged if item[0] != field} <= question.items()


@pytest.mark.parametrize("field", ["consent", "closing", "contact", "ethics_reference"])
def test_the_pages_of_a_study_are_written_in_the_form(live: Live, ana: Browser, field: str) -> None:
    address = write(live, plain())
    page = ana.get(address).body.decode()
    assert '<details class="card" id="ethics">' in page
    text = "# Before\n\n- [more](https://example.org)"
    assert save(ana, address, **{f"{field}@en": text.replace("\n", "\r\n")}).status == 303
    assert kept(live, address) == {**plain(), field: text}
    # What has been written is not hidden.
    assert '<details class="card" id="ethics" open>' in ana.get(address).body.decode()
    save(ana, address, **{f"{field}@en": ""})
    assert kept(live, address) == plain()


def test_the_order_of_options_is_set_and_anchors_follow_their_labels(
    live: Live, ana: Browser
) -> None:
    question = {"id": "q1", "kind": "one_of", "prompt": "?", "options": ["a", "b", "Other"]}
    address = write(live, plain(questions=[question]))
    changes = {"questions[0].shuffle": "true", "questions[0].anchored": "Other\r\n"}
    save(ana, address, **changes, shuffle="true")
    draft = kept(live, address)
    assert draft["shuffle"] == draft["questions"][0]["shuffle"] == "true"
    assert draft["questions"][0]["anchored"] == ["Other"]
    save(ana, address, **{"questions[0].options@en": "a\r\nb\r\nSomething else"})
    assert kept(live, address)["questions"][0]["anchored"] == ["Something else"]
    save(ana, address, **{"questions[0].shuffle": "", "questions[0].anchored": ""})
    assert kept(live, address)["questions"][0] == {
        **question,
        "options": ["a", "b", "Something else"],
    }


def test_a_label_of_its_own_for_silence(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    own = {"questions[0].decline": "own", "questions[0].decline@en": "None of your business"}
    save(ana, address, **own)
    assert kept(live, address)["questions"][0]["decline"] == "None of your business"


def test_another_kind_has_other_fields(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    save(ana, address, **{"questions[0].kind": "number", "questions[0].decline": ""})
    fields = {"questions[0].lo": "0", "questions[0].hi": "60", "questions[0].unit@en": "drinks"}
    save(ana, address, **fields)
    assert kept(live, address)["questions"] == [
        {"id": "q1", "prompt": "One?", "kind": "number", "lo": "0", "hi": "60", "unit": "drinks"}
    ]
    save(ana, address, **{"questions[0].kind": "yes_no"})
    assert kept(live, address)["questions"] == [{"id": "q1", "prompt": "One?", "kind": "yes_no"}]


def test_questions_are_added_moved_and_removed(live: Live, ana: Browser) -> None:
    address = write(live, plain())

    def ids() -> list[str]:
        return [question["id"] for question in kept(live, address)["questions"]]

    assert save(ana, address, "add").headers["Location"] == f"{address}#question-2"
    save(ana, address, "add", **{"questions[1].prompt@en": "Saved too?"})
    assert ids() == ["q1", "q2", "q3"]
    save(ana, address, "down-0")
    assert ids() == ["q2", "q1", "q3"]
    save(ana, address, "up-2")
    assert ids() == ["q2", "q3", "q1"]
    save(ana, address, "remove-1")
    assert ids() == ["q2", "q1"]
    save(ana, address, "remove-7")
    save(ana, address, "up-0")
    assert ids() == ["q2", "q1"]
    save(ana, address, "add")
    assert ids() == ["q2", "q1", "q3"]
    assert kept(live, address)["questions"][0]["prompt"] == "Saved too?"


def test_a_budget_is_written_the_other_way_without_changing_it(live: Live, ana: Browser) -> None:
    questions = [{"id": id, "prompt": "?", "weight": w} for id, w in (("a", "1"), ("b", "8"))]
    address = write(live, plain(total_epsilon="3", questions=questions))
    before = build_survey(kept(live, address))
    save(ana, address, budget="each")
    draft = kept(live, address)
    assert [question["epsilon"] for question in draft["questions"]] == ["1", "2"]
    assert "total_epsilon" not in draft
    assert build_survey(draft).document == before.document
    save(ana, address, budget="total")
    assert kept(live, address)["total_epsilon"] == "3"


def test_a_language_is_added_to_every_text_and_dropped_again(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    save(ana, address, languages="en, de")
    draft = kept(live, address)
    assert draft["title"] == {"en": "Plain", "de": ""}
    assert draft["questions"][0]["prompt"] == {"en": "One?", "de": ""}
    save(ana, address, **{"title@de": "Schlicht", "questions[0].prompt@de": "Eins?"})
    assert build_survey(kept(live, address)).languages == ("en", "de")
    save(ana, address, languages="en")
    assert kept(live, address) == plain()


def test_plain_texts_may_turn_out_to_be_in_another_language(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    save(ana, address, language="de")
    assert kept(live, address) == {**plain(), "language": "de"}


def test_labels_of_several_languages_stay_beside_each_other(live: Live, ana: Browser) -> None:
    address = write(live, POLYGLOT)
    changed = {
        "questions[1].options@de": "Eins\r\nZwei\r\nDrei",
        "questions[1].options@en": "One\r\nTwo\r\nThree",
    }
    save(ana, address, **changed)
    options = kept(live, address)["questions"][1]["options"]
    assert options[2] == {"de": "Drei", "en": "Three"}
    assert options[:2] == POLYGLOT["questions"][1]["options"]


def test_a_save_on_old_ground_is_refused_and_loses_nothing(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    old = fields_of(ana.get(address).body)
    save(ana, address, **{"title@en": "From another window"})
    answer = ana.post(address, **{**old, "title@en": "Stale", "questions[0].prompt@en": "Mine?"})
    assert answer.status == 409
    assert "changed elsewhere in the meantime" in words(answer)
    assert kept(live, address)["title"] == "From another window"
    # What was typed is still there, and still refused.
    again = fields_of(answer.body)
    assert again["title@en"] == "Stale"
    assert again["questions[0].prompt@en"] == "Mine?"
    assert ana.post(address, **again).status == 409


def test_what_is_thrown_away_is_gone(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    assert f'href="{address}/discard"' in ana.get(address).body.decode()
    # Looking at the question throws nothing away.
    assert "gone for good" in words(ana.get(f"{address}/discard"))
    assert kept(live, address) == plain()
    assert ana.post(f"{address}/discard").status == 303
    assert ana.get(address).status == 404


def test_texts_are_text_wherever_they_are_shown(live: Live, ana: Browser) -> None:
    question = {"id": "q1", "kind": "one_of", "prompt": CANARY, "options": [CANARY, "b"]}
    address = write(live, plain(title=CANARY, intro=CANARY, questions=[question]))
    broken = write(live, plain(slug=CANARY, questions=[{"id": CANARY, CANARY: CANARY}]))
    ready = write(live, {**kept(live, address), "delete_on": "2999-12-31"})
    pages = (address, f"{ready}/publish", f"{address}/test", f"{address}/discard", broken)
    for page in (*pages, "/workbench/new", "/workbench"):
        answer = ana.get(page)
        assert answer.status == 200, page
        assert b"<script>canary" not in answer.body
        assert b"&lt;script&gt;canary" in answer.body, page


def test_a_manuscript_that_no_form_can_show_is_refused(live: Live, ana: Browser) -> None:
    """And it spoils no list for those who work on the survey."""
    answer = ana.get(write(live, {"title": "Odd", "questions": "none"}))
    assert answer.status == 400
    assert "The editor can only show questions that are a list" in words(answer)
    assert "Odd" in words(ana.get("/workbench"))
    assert ana.get("/workbench/new").status == 200


def test_a_manuscript_without_questions_can_be_written_on(live: Live, ana: Browser) -> None:
    address = write(live, {"title": "Begun by a program"})
    assert save(ana, address, "add").status == 303
    assert len(kept(live, address)["questions"]) == 1


def test_long_lists_fit_into_the_form(live: Live, ana: Browser) -> None:
    options = [f"A rather long label, number {i}, of a very long list" for i in range(12_000)]
    question = {"id": "q1", "kind": "one_of", "prompt": "Which?", "options": options}
    address = write(live, plain(questions=[question]))
    assert save(ana, address, **{"title@en": "Long"}).status == 303
    assert kept(live, address)["questions"] == [question]
