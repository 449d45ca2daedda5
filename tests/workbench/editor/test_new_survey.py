"""Ways to begin a survey and to take it away: blank, templates, files, copies."""

import re
from html import unescape

import pytest

from client.authoring.draft.survey import build_survey
from client.authoring.files import read_survey_file, write_survey_file
from server.store.researchers import access
from server.surveys.researchers import Role
from server.workbench.editor.new_survey import templates
from tests.client.authoring.test_from_survey import DRAFTS
from tests.support.every_kind import EVERYBODY, SAMPLED
from tests.support.live import Live
from tests.support.publishing import publish_draft
from tests.support.researcher import Browser, logged_in
from tests.support.workbooks import workbook
from tests.workbench.editor.writing import begin, kept, plain, remarks, save, write
from tests.workbench.test_pages import words

NO_DAY = "Deletion day: please choose a day; respondents are told it before they answer."
CANARY = "<script>canary=1</script>\"'&"


def test_a_blank_page_becomes_a_survey_by_filling_in_the_form(live: Live, ana: Browser) -> None:
    begun = begin(ana, "blank", title="Ärger & Freude at work")
    assert begun.status == 303
    address = begun.headers["Location"]
    # Nobody chooses the day for its author, and nobody is told of it late.
    assert remarks(ana, address) == [NO_DAY, "Question 1: Question text: please fill this in."]
    assert "delete_on" not in kept(live, address)
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
    assert remarks(ana, begun.headers["Location"])[0] == NO_DAY
    assert build_survey(draft).slug == name


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
    assert "Slug must be" in words(answer)


@pytest.mark.parametrize(
    ("way", "fields", "status", "said"),
    [
        ("blank", {"title": " "}, 400, "Please give it a title"),
        ("template", {"template": "../etc"}, 400, "Please choose one of the templates."),
        ("copy", {"source": "s:nowhere"}, 404, "no survey"),
        ("copy", {"source": "m:nowhere"}, 404, "no manuscript"),
        ("copy", {}, 400, "Please choose a survey."),
        ("file", {}, 400, "Please choose a file."),
    ],
)
def test_what_cannot_begin_is_explained(
    live: Live, ana: Browser, way: str, fields: dict[str, str], status: int, said: str
) -> None:
    answer = begin(ana, way, **fields)
    assert answer.status == status
    assert said in words(answer)
    # The page opens there, not at its top.
    (focused,) = re.findall(
        r"<(?:input|select)[^>]* name=\"(\w+)\"[^>]* autofocus>", answer.body.decode()
    )
    assert focused == {"blank": "title", "copy": "source"}.get(way, way)


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


@pytest.mark.parametrize("data", [b"type,name,label\nselect_one yn,q1,Do you smoke?\n", b""])
def test_of_what_is_no_survey_file_it_is_said_which_files_can_be_read(
    live: Live, ana: Browser, data: bytes
) -> None:
    said = words(ana.upload("/workbench/new/file", "form.csv", data))
    assert "form.csv holds no survey; a survey file is YAML or JSON with fields such as" in said
    assert "or an XLSForm workbook (.xlsx)." in said


@pytest.mark.parametrize(("wrong", "told", "more"), [(2, 2, 0), (19, 19, 0), (23, 19, 4)])
def test_all_that_is_wrong_in_a_workbook_is_said_at_once(
    live: Live, ana: Browser, wrong: int, told: int, more: int
) -> None:
    rows = [["type", "name", "label"], *(["magic", f"q{at}", CANARY] for at in range(wrong))]
    answer = ana.upload("/workbench/new/file", "form.xlsx", workbook(rows))
    assert answer.status == 400
    said = words(answer)
    assert f"Please correct these {wrong + 1} things in the file and upload it again:" in said
    assert "form.xlsx has no question that can be asked" in said
    assert [f"survey, row {row}, column type:" in said for row in range(2, told + 3)] == [
        *([True] * told),
        False,
    ]
    assert (f"And {more} more." in said) is (more > 0)
    assert b"<script>" not in answer.body


def test_whoever_ticks_what_is_left_out_goes_on_with_the_rest(live: Live, ana: Browser) -> None:
    rows = [["type", "name", "label"], ["text", "why", CANARY], ["select_one yn", "q", CANARY]]
    answer = ana.upload("/workbench/new/file", "form.xlsx", workbook(rows))
    assert answer.status == 400
    said = words(answer)
    assert "1 question can be asked; 1 row was left out." in said
    assert "survey, row 2, column type: text: free text cannot be randomized" in said
    assert b"<script>" not in answer.body
    found = re.search(rb'name="draft" value="([^"]*)"', answer.body)
    assert found
    draft = unescape(found[1].decode())
    assert "tick that you go on" in words(begin(ana, "rest", draft=draft))
    begun = begin(ana, "rest", draft=draft, agreed="yes")
    assert [one["prompt"] for one in kept(live, begun.headers["Location"])["questions"]] == [CANARY]


def test_a_file_without_any_epsilon_begins_with_the_total_of_a_blank_page(
    live: Live, ana: Browser
) -> None:
    files = {
        b"slug: s\ntitle: T\nquestions: [{id: q1, prompt: Ask}]": "2",
        b"slug: s\ntitle: T\nepsilon: 1\nquestions: [{id: q1, prompt: Ask}]": None,
        b"slug: s\ntitle: T\nquestions: [{id: q1, prompt: Ask, epsilon: 1}, {id: q2}]": None,
        b"slug: s\ntitle: T\ntotal_epsilon: 1\nquestions: [{id: q1, prompt: Ask}]": "1",
    }
    for data, total in files.items():
        begun = ana.upload("/workbench/new/file", "survey.yaml", data)
        draft = kept(live, begun.headers["Location"])
        assert draft.get("total_epsilon") == total, data


def test_a_published_document_can_be_a_file(live: Live, ana: Browser) -> None:
    document = build_survey(SAMPLED, version=2).document
    begun = ana.upload("/workbench/new/file", "document.json", document)
    assert build_survey(kept(live, begun.headers["Location"]), 2).document == document


@pytest.mark.parametrize("name", DRAFTS)
def test_a_copy_keeps_every_setting(live: Live, ana: Browser, name: str) -> None:
    draft = {**DRAFTS[name], "slug": f"of-{name.replace(' ', '-')[:20]}", "delete_on": "2999-12-31"}
    slug = publish_draft(live.services, draft, confirm_weak=True).published.survey.slug
    live.services.database.write(access.give_role, slug, "ana", Role.VIEWER)
    begun = begin(ana, "copy", source=f"s:{slug}")
    copy = kept(live, begun.headers["Location"])
    assert copy["slug"] == f"{slug}-copy"
    assert build_survey({**copy, "slug": slug}).document == build_survey(draft).document


def test_the_survey_of_others_can_neither_be_copied_nor_read(live: Live, ana: Browser) -> None:
    stranger = logged_in(live, "stranger")
    assert begin(stranger, "copy", source="s:habits").status == 404
    address = write(live, plain())
    for path in (
        "",
        "/test",
        "/publish",
        "/discard",
        "/file/yaml",
        "/t/plain",
        "/t/plain/document.json",
    ):
        assert stranger.get(address + path).status == 404
    for path in ("", "/test", "/publish", "/discard"):
        assert stranger.post(address + path).status == 404
    assert begin(stranger, "copy", source=f"m:{address.rpartition('/')[2]}").status == 404
    assert kept(live, address) == plain()


def test_the_file_of_a_published_survey(live: Live, ana: Browser) -> None:
    data = ana.get("/workbench/surveys/habits/file/yaml").body
    assert build_survey(read_survey_file(data)).document == live.survey.document
    assert data == write_survey_file(read_survey_file(data), "habits.yaml")
