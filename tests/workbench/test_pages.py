"""The workbench's pages: surveys, people, steps of a survey's life."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from server.app import create_app
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.researchers import access
from server.surveys.researchers import Role
from server.surveys.states import State
from server.workbench.rendering import TABS
from tests.support.live import Answer, Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft
from tests.support.researcher import Browser, hire, logged_in

HABITS = "/workbench/surveys/habits"
HOSTILE = "<script>alert(1)</script>\"'&"


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as running:
        hire(running, "ana", Role.OWNER)
        yield running


@pytest.fixture
def ana(live: Live) -> Browser:
    return logged_in(live, "ana")


def words(answer: Answer) -> str:
    """What a reader sees, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.body.decode())).split())


def test_the_first_page_shows_how_my_surveys_stand(live: Live, ana: Browser) -> None:
    live.post(live.report())
    publish_draft(live.services, {**_weak(), "slug": "other"}, confirm_weak=True)
    shown = words(ana.get("/workbench"))
    assert (
        "Habits open Public results start at 50 reports. See the results "
        "Reports 1 Total epsilon 1.5 good Deletion 2999-12-31 Your role owner" in shown
    )
    assert "Weak" not in shown
    live.services.database.write(access.give_role, "other", "ana", Role.VIEWER)
    assert "Weak open Nobody has answered yet. Next: send its link" in words(ana.get("/workbench"))


def test_a_survey_that_is_gone_does_not_hide_the_others(live: Live, ana: Browser) -> None:
    publish_draft(live.services, {**_weak(), "slug": "other"}, confirm_weak=True)
    live.services.database.write(access.give_role, "other", "ana", Role.OWNER)
    ending.wipe(live.services.database, "habits")
    shown = words(ana.get("/workbench"))
    assert "Weak" in shown
    assert "Habits" not in shown


def test_a_newcomer_reads_how_surveys_get_here(live: Live) -> None:
    hire(live, "bea")
    assert "No surveys yet" in words(logged_in(live, "bea").get("/workbench"))


def test_texts_of_a_survey_are_text(live: Live, ana: Browser) -> None:
    draft = {**_weak(), "slug": "hostile", "title": HOSTILE}
    publish_draft(live.services, draft, confirm_weak=True)
    live.services.database.write(access.give_role, "hostile", "ana", Role.OWNER)
    for path in ("/workbench", "/workbench/surveys/hostile", "/workbench/surveys/hostile/log"):
        body = ana.get(path).body
        assert b"<script>" not in body
        assert b"&lt;script&gt;" in body


def test_the_page_of_a_survey_has_links_and_questions(live: Live, ana: Browser) -> None:
    shown = words(ana.get(HABITS))
    assert f"{live.url}/s/habits#{live.survey.fingerprint}" in shown
    assert "Do you smoke? Randomized response: The true answer, or by chance" in shown
    assert "Close for ever" in shown


def test_every_tab_has_a_view_and_is_marked_when_it_is_shown(live: Live, ana: Browser) -> None:
    views = create_app(live.services).view_functions
    assert all(tab.endpoint in views for tab in TABS)
    for path in (HABITS, f"{HABITS}/people", f"{HABITS}/log"):
        (current,) = re.findall(rb'href="([^"]+)" aria-current="page"', ana.get(path).body)
        assert current.decode() == path


def test_a_viewer_is_offered_nothing_that_viewers_may_not_do(live: Live) -> None:
    hire(live, "bea", Role.VIEWER)
    bea = logged_in(live, "bea")
    assert "Close for ever" not in words(bea.get(HABITS))
    assert "Give a role" not in words(bea.get(f"{HABITS}/people"))
    assert b"/remove" not in bea.get(f"{HABITS}/people").body


def test_owners_give_and_take_roles(live: Live, ana: Browser) -> None:
    hire(live, "bea")
    bea = logged_in(live, "bea")
    assert bea.get(HABITS).status == 404
    assert ana.post(f"{HABITS}/people", name=" Bea ", role="viewer").status == 303
    assert "bea now has the role viewer." in words(ana.get(f"{HABITS}/people"))
    assert bea.get(HABITS).status == 200
    assert ana.post(f"{HABITS}/people/bea/remove").status == 303
    assert bea.get(HABITS).status == 404
    entries = [
        (e.actor, e.action, e.details)
        for e in audit_log.entries_since_removal(live.services.database.reader, "habits")[:2]
    ]
    assert entries == [
        ("ana", "take_role", {"researcher": "bea", "role": "viewer"}),
        ("ana", "give_role", {"researcher": "bea", "role": "viewer"}),
    ]


@pytest.mark.parametrize(
    ("name", "role", "said"),
    [
        ("nobody", "viewer", "There is no researcher 'nobody'."),
        ("", "viewer", "Please enter a name."),
        ("ana", "king", "Not a valid choice."),
        ("ana", "viewer", "needs an owner"),
        (HOSTILE, "viewer", "There is no researcher"),
    ],
)
def test_a_role_that_cannot_be_given_is_explained_on_the_page(
    live: Live, ana: Browser, name: str, role: str, said: str
) -> None:
    answer = ana.post(f"{HABITS}/people", name=name, role=role)
    assert answer.status == 400
    assert said in words(answer)
    assert b"<script>" not in answer.body
    assert [person.role for person in access.people(live.services.database.reader, "habits")] == [
        Role.OWNER
    ]


def test_the_last_owner_cannot_leave(live: Live, ana: Browser) -> None:
    answer = ana.post(f"{HABITS}/people/ana/remove")
    assert answer.status == 409
    # On the page where somebody else can be made owner.
    assert "Not removed The survey 'habits' needs an owner; make somebody else" in words(answer)
    assert "Who works on this survey" in words(answer)
    page = answer.body.decode()
    assert f'<a href="{HABITS}/people" aria-current="page">' in page
    assert f'<form method="post" action="{HABITS}/people" class="entries">' in page
    assert "Not removed" not in words(ana.get(f"{HABITS}/people"))
    hire(live, "bea", Role.OWNER)
    assert ana.post(f"{HABITS}/people/ana/remove").headers["Location"] == "/workbench"
    assert ana.get(HABITS).status == 404


def test_closing_and_archiving_are_asked_about_and_on_record(live: Live, ana: Browser) -> None:
    database = live.services.database
    assert "Takes reports until" in words(ana.get(HABITS))
    assert "This cannot be undone." in words(ana.get(f"{HABITS}/steps/close"))
    assert reading.newest(database.reader, "habits").state is State.OPEN
    assert ana.post(f"{HABITS}/steps/close").status == 303
    assert reading.newest(database.reader, "habits").state is State.CLOSED
    page = words(ana.get(HABITS))
    assert "The survey is closed for ever." in page
    assert "takes no more reports" in page
    for promise in ("Close for ever", "Close this survey", "Takes reports until"):
        assert promise not in page
    assert ana.post(f"{HABITS}/steps/archive").status == 303
    assert reading.newest(database.reader, "habits").state is State.ARCHIVED
    assert [
        (entry.actor, entry.action)
        for entry in audit_log.entries_since_removal(database.reader, "habits")[:2]
    ] == [
        ("ana", "archive"),
        ("ana", "close"),
    ]
    assert "ana archived version 1" in words(ana.get(f"{HABITS}/log"))


def test_a_step_that_the_state_does_not_allow_is_refused(live: Live, ana: Browser) -> None:
    answer = ana.post(f"{HABITS}/steps/archive")
    assert answer.status == 409
    assert "it cannot be archived" in words(answer)
    assert ana.get(f"{HABITS}/steps/nothing").status == 404


def test_the_style_is_served_under_its_hash_to_everybody(live: Live) -> None:
    page = live.get("/workbench/login")
    found = re.search(rb'rel="stylesheet" href="([^"]+)"', page.body)
    assert found is not None
    style = live.get(found[1].decode())
    assert style.status == 200
    assert style.headers["Content-Type"].startswith("text/css")
    assert "immutable" in style.headers["Cache-Control"]
    assert "Set-Cookie" not in style.headers
    assert live.get("/workbench/static/workbench.css").status == 404


def test_a_form_of_a_session_that_is_over_is_explained(live: Live, ana: Browser) -> None:
    answer = ana.post("/workbench/account/keys", token="old", label="x", scope="read")
    assert answer.status == 400
    assert "Nothing was changed." in words(answer)


def test_the_workbench_speaks_english_to_everybody(live: Live) -> None:
    answer = live.send("GET", "/workbench/nothing", headers={"Accept-Language": "de"})
    assert answer.status == 404
    assert b'<html lang="en">' in answer.body


def _weak() -> dict[str, Any]:
    return {
        "slug": "weak",
        "title": "Weak",
        "delete_on": "2999-12-31",
        "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "5"}],
    }
