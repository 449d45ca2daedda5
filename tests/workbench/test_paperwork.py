"""The Paperwork tab: the pack of the published survey, as the command writes it."""

import re
from html import unescape
from itertools import pairwise

from estimators.paperwork.pack import Paperwork
from estimators.paperwork.plan import StudyPlan
from server.lifecycle.ending import close_survey
from server.surveys.researchers import Role
from tests.support.live import Live
from tests.support.publishing import publish_draft
from tests.support.researcher import Browser, hire, logged_in

TAB = "/workbench/surveys/habits/paperwork"
HOSTILE = "<script>alert(1)</script> [x](https://a.example)"


def reader(live: Live) -> Browser:
    hire(live, "vera", Role.VIEWER)
    return logged_in(live, "vera")


def test_a_viewer_reads_the_pack_and_downloads_both_formats(live: Live) -> None:
    browser = reader(live)
    pack = Paperwork(live.survey, StudyPlan(400, 0.2, 0.9), is_published=True)
    page = browser.get(f"{TAB}?respondents=400&difference=20&power=90").body.decode()
    assert "We plan for 400 respondents." in page
    assert f"{len(pack.blanks)} things are left to fill in." in page
    for format, content in (("md", pack.markdown), ("html", pack.html)):
        (address,) = re.findall(rf'href="({TAB}\.{format}\?[^"]*)" download', page)
        answer = browser.get(unescape(address))
        assert answer.body.decode() == content
        name = f"habits-v1-paperwork.{format}"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    consent = browser.get("/workbench/surveys/habits/consent.md")
    assert consent.body.decode() == pack.consent


def test_without_a_plan_the_figures_are_an_example(live: Live) -> None:
    page = reader(live).get(TAB).body.decode()
    assert "The figures below are for 1,000, as an example." in page
    assert live.survey.fingerprint in page


def test_a_plan_that_cannot_be_is_explained_at_its_field(live: Live) -> None:
    browser = reader(live)
    for query in (
        "respondents=1",
        "respondents=x",
        "difference=0",
        "power=nan",
        "power=sNaN",
        "power=100",
    ):
        for path in (TAB, f"{TAB}.md"):
            answer = browser.get(f"{path}?{query}")
            assert answer.status == 400
            assert b'class="wrong"' in answer.body
            assert b"Preview" not in answer.body
    assert browser.get(f"{TAB}?slug=x&format=y&version=z").status == 200


def test_the_number_of_reports_is_given_once_it_is_final(live: Live) -> None:
    browser = reader(live)
    assert live.post(live.report(smokes=1)).status == 201
    assert "The number of reports was <mark>" in browser.get(TAB).body.decode()
    close_survey(live.services, "habits", None, actor="vera")
    page = browser.get(TAB).body.decode()
    assert "The number of reports was 1." in page
    assert "A preregistration has to be registered before the first one comes." in page


def test_texts_of_a_survey_are_text_in_the_preview(live: Live, draft: dict[str, object]) -> None:
    publish_draft(live.services, {**draft, "title": HOSTILE}, new_version=True)
    body = reader(live).get(TAB).body.decode()
    assert "<script>alert" not in body
    assert 'href="https://a.example"' not in body


def test_headings_of_the_preview_follow_those_of_the_page(live: Live) -> None:
    body = reader(live).get(TAB).body.decode()
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", body)]
    assert levels[:4] == [1, 2, 2, 3]
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_a_draft_has_its_paperwork_before_it_is_published(live: Live) -> None:
    hire(live, "ana")
    browser = logged_in(live, "ana")
    file = b"slug: new\ntitle: New\nquestions:\n  - {id: a, prompt: 'A?', epsilon: '1'}\n"
    begun = browser.upload("/workbench/new/file", "new.yaml", file)
    id = begun.headers["Location"].rpartition("/")[2]
    page = browser.get(f"/workbench/manuscripts/{id}").body.decode()
    assert f'href="/workbench/manuscripts/{id}/paperwork.md" download' in page
    answer = browser.get(f"/workbench/manuscripts/{id}/paperwork.md")
    assert answer.status == 200
    assert b"[fill in: the fingerprint of the published survey]" in answer.body
    assert "new-draft-paperwork.md" in answer.headers["Content-Disposition"]
    hire(live, "bea")
    assert logged_in(live, "bea").get(f"/workbench/manuscripts/{id}/paperwork.md").status == 404
