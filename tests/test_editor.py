"""The editor without any script: ways to begin, a form that loses nothing, refused saves."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from client.draft import build_survey
from client.survey_file import read_survey_file
from client.survey_writing import write_survey_file
from server.data import DataFolder
from server.life.manuscripts import content_of, draft_of
from server.life.publishing import publish_draft
from server.store import Manuscript, Role
from server.workbench.editor.beginning import templates
from tests.every_kind import EVERYBODY, SAMPLED
from tests.html_form import fields_of
from tests.live import Answer, Live
from tests.live import live as run_live
from tests.researcher import Browser, hire, logged_in
from tests.test_redraft import DRAFTS, POLYGLOT
from tests.test_workbench import words

Draft = dict[str, Any]
CANARY = "<script>canary=1</script>\"'&"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    draft: Draft = {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}],
    }
    with run_live(DataFolder(tmp_path_factory.mktemp("editor")), draft) as running:
        hire(running, "ana", Role.OWNER)
        hire(running, "bea", Role.EDITOR)
        hire(running, "stranger")
        yield running


@pytest.fixture(scope="module")
def ana(live: Live) -> Browser:
    return logged_in(live, "ana")


def write(live: Live, draft: Draft, slug: str | None = None) -> str:
    """A manuscript of ana's; its address."""
    office = live.services.office
    manuscript = office.begin_manuscript(office.researcher("ana"), content_of(draft), slug)
    return f"/workbench/manuscripts/{manuscript.id}"


def manuscript(live: Live, address: str) -> Manuscript:
    office = live.services.office
    return office.manuscript(office.researcher("ana"), address.rpartition("/")[2])


def kept(live: Live, address: str) -> Draft:
    return draft_of(manuscript(live, address))


def save(ana: Browser, address: str, do: str = "save", **changed: str) -> Answer:
    """Open the page, change some controls and press a button."""
    fields = fields_of(ana.get(address).body)
    assert changed.keys() <= fields.keys(), changed.keys() - fields.keys()
    return ana.post(address, **{**fields, **changed, "do": do})


def begin(ana: Browser, way: str, **fields: str) -> Answer:
    return ana.post(f"/workbench/new/{way}", **fields)


def plain(**changed: Any) -> Draft:
    question = {"id": "q1", "prompt": "One?", "decline": "true"}
    return {"slug": "plain", "title": "Plain", "total_epsilon": "2", "questions": [question]} | (
        changed
    )


def test_a_blank_page_becomes_a_survey_by_filling_in_the_form(live: Live, ana: Browser) -> None:
    begun = begin(ana, "blank", title="Ärger & Freude at work")
    assert begun.status == 303
    address = begun.headers["Location"]
    assert "Fault: q1 needs the field 'prompt'" in words(ana.get(address))
    assert save(ana, address, **{"slug": "joy", "questions[0].prompt@en": "Happy?"}).status == 303
    draft = kept(live, address)
    assert draft["questions"] == [
        {"id": "q1", "kind": "yes_no", "decline": "true", "prompt": "Happy?"}
    ]
    assert build_survey(draft).total_epsilon == 2
    assert "Ärger & Freude at work" in words(ana.get("/workbench"))


@pytest.mark.parametrize("name", templates())
def test_every_template_is_a_sound_survey(live: Live, ana: Browser, name: str) -> None:
    begun = begin(ana, "template", template=name)
    draft = kept(live, begun.headers["Location"])
    assert "delete_on" not in draft
    assert build_survey(draft).slug == name


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
        ("options@en", "never\r\n\r\n ever ", "options", ["never", "ever"]),
        ("decline", "", "decline", None),
        ("decline@en", "ignored unless chosen", "decline", "true"),
        ("not_applicable", "usual", "not_applicable", "true"),
        ("weight", "8", "weight", "8"),
        ("mechanism", "rr", "mechanism", "rr"),
        ("max_bits", "99", "max_bits", "99"),
        ("id", "other", "id", "other"),
        ("show_if.question", "q0", "show_if", {"question": "q0", "is": []}),
        ("show_if.is", "a\r\nb", "show_if", {"question": "", "is": ["a", "b"]}),
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
    assert "changed elsewhere meanwhile" in words(answer)
    assert kept(live, address)["title"] == "From another window"
    # What was typed is still there, and still refused.
    again = fields_of(answer.body)
    assert again["title@en"] == "Stale"
    assert again["questions[0].prompt@en"] == "Mine?"
    assert ana.post(address, **again).status == 409


def test_faults_stand_at_their_field_and_in_the_list(live: Live, ana: Browser) -> None:
    address = write(live, plain(slug="No slug", total_epsilon="11"))
    page = ana.get(address).body.decode()
    for field in ("slug", "total_epsilon"):
        place = page.partition(f'id="{field}-said"')[2].partition("</div>")[0]
        assert f"{field} must be" in place
    assert "Figures appear when all faults are mended" in page
    assert "<iframe" not in page


def test_beside_each_question_stand_margin_mechanism_and_odds(live: Live, ana: Browser) -> None:
    address = write(live, plain(questions=[{"id": "q1", "prompt": "One?"}], total_epsilon="1"))
    save(ana, address, respondents="5000")
    page = words(ana.get(address))
    # The example of the planner: 4,997 respondents give 3 percentage points.
    assert "Margin at 5,000 ± 3.0 percentage points" in page
    assert "Randomized by rr" in page
    assert "73 of 100" in page
    assert "1 strong" in page
    answer = save(ana, address, respondents="many")
    assert answer.status == 400
    assert "respondents must be" in words(answer)


@pytest.mark.parametrize("format", ["yaml", "json", "xlsx"])
def test_a_download_reads_back_as_the_same_survey(live: Live, ana: Browser, format: str) -> None:
    address = write(live, EVERYBODY)
    answer = ana.get(f"{address}/file/{format}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="kinds.{format}"'
    begun = ana.upload("/workbench/new/file", f"kinds.{format}", answer.body)
    draft = kept(live, begun.headers["Location"])
    assert build_survey(draft).document == build_survey(EVERYBODY).document


def test_an_unsound_survey_is_not_downloaded(live: Live, ana: Browser) -> None:
    answer = ana.get(f"{write(live, plain(slug='No slug'))}/file/yaml")
    assert answer.status == 400
    assert "slug must be" in words(answer)


@pytest.mark.parametrize(
    ("way", "fields", "said"),
    [
        ("blank", {"title": " "}, "Please give it a title"),
        ("template", {"template": "../etc"}, "Please choose one of the templates."),
        ("copy", {"source": "s:nowhere"}, "no survey"),
        ("copy", {"source": "m:nowhere"}, "no manuscript"),
        ("copy", {}, "Please choose a survey."),
        ("file", {}, "Please choose a file."),
    ],
)
def test_what_cannot_begin_is_explained(
    live: Live, ana: Browser, way: str, fields: dict[str, str], said: str
) -> None:
    answer = begin(ana, way, **fields)
    assert answer.status == 400
    assert said in words(answer)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("survey.yaml", b"- a list"),
        ("survey.yaml", b"\xff\xfe\x00"),
        ("survey.xlsx", b"PK\x03\x04 no zip"),
        ("document.json", b'{"candor": 2}'),
        ("questions.yaml", b"questions: 5"),
        ("half-a-surrogate.yaml", b'title: "\\ud800"'),
        ("deep.yaml", b"title: [[[[[[[]]]]]]]"),
        (CANARY, b"["),
    ],
)
def test_a_file_that_is_no_survey_is_explained(
    live: Live, ana: Browser, name: str, data: bytes
) -> None:
    answer = ana.upload("/workbench/new/file", name, data)
    assert answer.status == 400
    assert b'role="alert"' in answer.body
    assert b"<script>" not in answer.body
    assert ana.is_in()


def test_a_published_document_can_be_a_file(live: Live, ana: Browser) -> None:
    document = build_survey(SAMPLED, version=2).document
    begun = ana.upload("/workbench/new/file", "document.json", document)
    assert build_survey(kept(live, begun.headers["Location"]), 2).document == document


@pytest.mark.parametrize("name", DRAFTS)
def test_a_copy_keeps_every_setting(live: Live, ana: Browser, name: str) -> None:
    draft = {**DRAFTS[name], "slug": f"of-{name.replace(' ', '-')[:20]}", "delete_on": "2999-12-31"}
    slug = publish_draft(live.services, draft, confirm_weak=True).published.survey.slug
    live.services.office.give_role(slug, "ana", Role.VIEWER)
    begun = begin(ana, "copy", source=f"s:{slug}")
    copy = kept(live, begun.headers["Location"])
    assert copy["slug"] == f"{slug}-copy"
    assert build_survey({**copy, "slug": slug}).document == build_survey(draft).document


def test_the_survey_of_others_can_neither_be_copied_nor_read(live: Live, ana: Browser) -> None:
    stranger = logged_in(live, "stranger")
    assert begin(stranger, "copy", source="s:habits").status == 400
    address = write(live, plain())
    for path in ("", "/test", "/publish", "/file/yaml", "/t/plain", "/t/plain/document.json"):
        assert stranger.get(address + path).status == 404
    for path in ("", "/test", "/publish", "/discard"):
        assert stranger.post(address + path).status == 404
    assert begin(stranger, "copy", source=f"m:{address.rpartition('/')[2]}").status == 400
    assert kept(live, address) == plain()


def test_what_is_thrown_away_is_gone(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    assert ana.post(f"{address}/discard").status == 303
    assert ana.get(address).status == 404


def test_texts_are_text_wherever_they_are_shown(live: Live, ana: Browser) -> None:
    question = {"id": "q1", "kind": "one_of", "prompt": CANARY, "options": [CANARY, "b"]}
    address = write(live, plain(title=CANARY, intro=CANARY, questions=[question]))
    broken = write(live, plain(slug=CANARY, questions=[{"id": CANARY, CANARY: CANARY}]))
    pages = (address, f"{address}/publish", f"{address}/test", broken, "/workbench/new")
    for page in (*pages, "/workbench"):
        answer = ana.get(page)
        assert answer.status == 200, page
        assert b"<script>canary" not in answer.body
        assert b"&lt;script&gt;canary" in answer.body, page


def test_a_manuscript_that_no_form_can_show_is_refused(live: Live, ana: Browser) -> None:
    """And it spoils no list for those who work on the survey."""
    answer = ana.get(write(live, {"title": "Odd", "questions": "none"}))
    assert answer.status == 400
    assert "questions must be a list" in words(answer)
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


def test_the_file_of_a_published_survey(live: Live, ana: Browser) -> None:
    data = ana.get("/workbench/surveys/habits/file/yaml").body
    assert build_survey(read_survey_file(data)).document == live.survey.document
    assert data == write_survey_file(read_survey_file(data), "habits.yaml")
