"""From the editor to respondents: preview, test, the page that publishes, the next version."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.browser.bundle import survey_page
from client.browser.headers import HEADERS
from client.core.document import read_document
from estimators.planning.survey_plan import Target, plan_survey
from server.data_folder import DataFolder
from server.store import audit_log, reading
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from server.surveys.states import State
from tests.server.web.test_headers import assert_strict
from tests.support.live import JSON, Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft, try_as
from tests.support.researcher import Browser, hire, logged_in
from tests.support.tickets import Device
from tests.workbench.editor.writing import kept, manuscript, plain, save, write
from tests.workbench.test_pages import words

LAST_DAY = "2999-12-31"


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as running:
        hire(running, "ana", Role.OWNER)
        hire(running, "bea", Role.EDITOR)
        yield running


@pytest.fixture
def ana(live: Live) -> Browser:
    return logged_in(live, "ana")


def publish(ana: Browser, address: str, **fields: str) -> Any:
    page = ana.get(f"{address}/publish")
    assert page.status == 200
    found = page.body.partition(b'name="revision" value="')[2].partition(b'"')[0].decode()
    return ana.post(f"{address}/publish", **{"revision": found, **fields})


def test_the_preview_is_the_page_of_respondents_marked_as_a_test(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    answer = ana.get(f"{address}/t/plain")
    assert answer.body == survey_page("en", test=True)
    policy = answer.headers["Content-Security-Policy"]
    # As strict as for respondents, but for the frame of the editor.
    own = HEADERS["Content-Security-Policy"]
    assert policy == own.replace("frame-ancestors 'none'", "frame-ancestors 'self'") != own
    document = ana.get(f"{address}/t/plain/document.json")
    assert document.body == build_survey(plain(), test=True).document


def test_only_the_preview_can_be_framed(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    publish_draft(live.services, {**plain(), "delete_on": LAST_DAY})
    for path in ("/s/plain", "/s/plain/document.json", "/s/plain/results"):
        assert_strict(live.get(path))
    for path in ("", "/publish", "/test", "/t/plain/document.json", "/file/yaml"):
        policy = ana.get(address + path).headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, path


def test_nothing_is_handed_in_from_a_preview(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    before = live.stored()
    api = f"{address}/api/drafts/plain"
    # Without a cookie, as the page of respondents asks.
    ticket = live.send("POST", f"{api}/tickets", b"{}", JSON).json["ticket"]
    survey = build_survey(plain(), test=True)
    body = json.dumps({"fingerprint": survey.fingerprint, "randomized": {"q1": 0}}).encode()
    headers = {**JSON, "Candor-Ticket": ticket}
    answer = live.send("POST", f"{api}/reports", body, headers)
    assert (answer.status, answer.code) == (403, "only_a_preview")
    assert live.stored() == before
    # Nor is such a ticket good for anything elsewhere.
    refused = live.post(live.report(), ticket)
    assert (refused.status, refused.code) == (403, "ticket_forged")


def test_the_preview_of_an_invited_draft_gives_a_ticket_that_nothing_else_takes(
    live: Live, ana: Browser
) -> None:
    address = write(live, {**plain(), "access": "invited"})
    survey = read_document(ana.get(f"{address}/t/plain/document.json").body)
    device = Device(survey)
    answer = live.send("POST", f"{address}/api/drafts/plain/tickets", device.body, JSON)
    assert device.ticket(answer.json["signed"])
    keys = (live.services.database.keys, live.services.drafts.keys)
    assert not any(each.has(device.key) for each in keys)


def test_a_test_is_put_up_after_saving(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    answer = save(ana, address, "test", **{"title@en": "Tried"})
    assert answer.headers["Location"] == f"{address}/test"
    assert live.get("/t/plain").status == 404
    assert "Start a test?" in words(ana.get(f"{address}/test"))
    assert ana.post(f"{address}/test").status == 303
    assert b"Tried" in live.get("/t/plain/document.json").body


def test_the_page_of_a_test_that_is_up_leads_to_it_and_to_its_results(
    live: Live, ana: Browser
) -> None:
    address = write(live, plain())
    ana.post(f"{address}/test")
    page = ana.get(f"{address}/test")
    link = f"{live.url}/t/plain"
    assert f'<a href="{link}" data-copy>{link}</a>' in page.body.decode()
    assert f'<a href="{link}/results">' in page.body.decode()
    assert live.get("/t/plain/results").status == 200
    assert "The test is running" in words(page)
    for past in ("Start the test", "The test now has the current text"):
        assert past not in words(page)
    save(ana, address, **{"title@en": "Mended"})
    assert "Restart with the current text" in words(page)
    ana.post(f"{address}/test")
    assert "The test now has the current text." in words(ana.get(f"{address}/test"))
    assert b"Mended" in live.get("/t/plain/document.json").body


def test_a_test_of_somebody_else_is_neither_shown_as_ones_own_nor_replaced(
    live: Live, ana: Browser
) -> None:
    address = write(live, plain(title="Hers"))
    hire(live, "zoe")
    try_as(
        live.services, accounts.named(live.services.database.reader, "zoe"), plain(title="Zoe's")
    )
    assert "The test is running" not in words(ana.get(f"{address}/test"))
    answer = ana.post(f"{address}/test")
    assert answer.status == 409
    said = "Name in links: somebody else is testing a survey as 'plain'; choose another name."
    assert said in words(answer)
    assert "zoe" not in words(answer)
    assert reading.newest(live.services.drafts.reader, "plain").survey.title == "Zoe's"


def test_faults_are_mended_before_anything_is_tried_or_published(live: Live, ana: Browser) -> None:
    address = write(live, plain(slug=""))
    for do in ("test", "publish"):
        answer = save(ana, address, do)
        leads = ana.get(answer.headers["Location"])
        assert leads.headers["Location"] == f"{address}#problems"
        assert "something is still missing" in words(ana.get(address))
    assert ana.post(f"{address}/publish", revision="3").status == 400


def test_publishing_shows_the_whole_promise_and_asks(live: Live, ana: Browser) -> None:
    address = write(live, plain(delete_on=LAST_DAY))
    answer = save(ana, address, "publish")
    assert answer.headers["Location"] == f"{address}/publish"
    page = words(ana.get(f"{address}/publish"))
    for promise in (
        "Who can see a true answer",
        "Total epsilon per person 2 good",
        f"Reports are deleted on {LAST_DAY}",
        "of 100",
        "freezes the questions",
        "1 of 1",
    ):
        assert promise in page
    assert "confirm weak" not in page
    assert "the current version" not in page
    assert reading.next_version(live.services.database.reader, "plain") == 1
    assert publish(ana, address).headers["Location"] == "/workbench/surveys/plain"
    published = reading.newest(live.services.database.reader, "plain")
    assert published.survey.document == build_survey(plain(delete_on=LAST_DAY)).document
    assert access.people(live.services.database.reader, "plain")[0].role is Role.OWNER
    history = audit_log.entries_since_removal(live.services.database.reader, "plain")
    assert {(entry.actor, entry.action) for entry in history} == {
        ("ana", "publish"),
        ("ana", "give_role"),
    }
    assert manuscript(live, address).slug == "plain"
    # What is published does not wait for anybody to finish it.
    home = words(ana.get("/workbench"))
    assert "Drafts of next versions" in home
    assert "Next: finish" not in home


def test_days_and_numbers_are_taken_and_refused_at_their_field(live: Live, ana: Browser) -> None:
    address = write(live, plain(delete_on=LAST_DAY))
    for field, text, title in (
        ("closes", "2020-01-01", "Last day"),
        ("closes_at", "many", "Take no more than this many reports"),
        ("per_hour", "0", "Tickets per hour"),
        ("opens", "soon", "First day"),
    ):
        answer = publish(ana, address, **{field: text})
        assert answer.status == 400
        assert f"{title}: must" in words(answer)
        # At the top, too: the field is out of sight.
        assert f'href="#{field}"' in answer.body.decode()
    publish(ana, address, opens="2990-01-01", closes="2990-02-01", closes_at="500", per_hour="50")
    schedule = reading.newest(live.services.database.reader, "plain").schedule
    assert (schedule.first_day, schedule.closes_at, schedule.per_hour) == ("2990-01-01", 500, 50)
    assert schedule.last_minute == "2990-02-01 23:59 UTC"


def test_without_a_day_of_deletion_nothing_is_published(live: Live, ana: Browser) -> None:
    address = write(live, plain())
    for do in (None, "publish"):
        answer = save(ana, address, do) if do else ana.get(f"{address}/publish")
        page = answer if do is None else ana.get(answer.headers["Location"])
        assert page.headers["Location"] == f"{address}#problems"
    # Nor by whoever leaves the page out.
    answer = ana.post(f"{address}/publish", revision=str(manuscript(live, address).revision))
    assert answer.status == 400
    assert "Deletion day: please choose a day" in words(answer)
    assert reading.next_version(live.services.database.reader, "plain") == 1


def test_a_weak_budget_is_confirmed_by_typing_the_slug(live: Live, ana: Browser) -> None:
    address = write(live, plain(delete_on=LAST_DAY, total_epsilon="5"))
    assert "Type plain to confirm weak protection" in words(ana.get(f"{address}/publish"))
    for typed in ({}, {"weak": ""}, {"weak": "yes"}, {"weak": "PLAIN"}):
        answer = publish(ana, address, **typed)
        assert answer.status == 400
        assert "Protection is weak" in words(answer)
    assert reading.next_version(live.services.database.reader, "plain") == 1
    assert publish(ana, address, weak="plain").status == 303


def test_what_was_changed_since_it_was_shown_is_not_published(live: Live, ana: Browser) -> None:
    address = write(live, plain(delete_on=LAST_DAY))
    save(ana, address, **{"title@en": "Another"})
    answer = ana.post(f"{address}/publish", revision="1")
    assert answer.status == 400
    assert "changed since this page was shown" in words(answer)


def test_the_slug_of_somebody_else_is_refused(live: Live, ana: Browser) -> None:
    publish_draft(live.services, {**plain(), "delete_on": LAST_DAY})
    answer = publish(ana, write(live, plain(title="Mine", delete_on=LAST_DAY)))
    assert answer.status == 400
    assert "choose another name" in words(answer)


def test_the_next_version_begins_with_the_one_that_is_published(live: Live, ana: Browser) -> None:
    begun = ana.post("/workbench/surveys/habits/versions")
    address = begun.headers["Location"]
    assert build_survey(kept(live, address)).document == live.survey.document
    # Whoever works on the survey writes on the same one.
    bea = logged_in(live, "bea")
    assert bea.post("/workbench/surveys/habits/versions").headers["Location"] == address
    assert save(bea, address, **{"title@en": "Habits again"}).status == 303
    assert "If the current version is still open, it will be closed for ever" in words(
        ana.get(f"{address}/publish")
    )
    for refused in (bea.get(f"{address}/publish"), bea.post(f"{address}/publish", revision="2")):
        assert "needs the role owner" in words(refused)
    assert reading.newest(live.services.database.reader, "habits").survey.version == 1
    assert publish(ana, address).status == 303
    latest = reading.newest(live.services.database.reader, "habits")
    assert (latest.survey.version, latest.survey.title) == (2, "Habits again")
    assert reading.versions(live.services.database.reader, "habits")[1].state is State.CLOSED


def test_the_next_version_says_what_all_versions_add_up_to(live: Live, ana: Browser) -> None:
    new = words(ana.get(f"{write(live, plain(delete_on=LAST_DAY))}/publish"))
    assert "epsilons add up" not in new
    address = ana.post("/workbench/surveys/habits/versions").headers["Location"]
    for earlier, total in ((1, "3"), (2, "4.5")):
        assert reading.newest(live.services.database.reader, "habits").survey.version == earlier
        assert save(ana, address, **{"title@en": f"After {earlier}"}).status == 303
        page = words(ana.get(f"{address}/publish"))
        assert f"has a total of {total}, not 1.5." in page
        assert publish(ana, address).status == 303


def test_a_copy_of_a_survey_that_was_written_here_keeps_its_weights(
    live: Live, ana: Browser
) -> None:
    questions = [{"id": id, "prompt": "?", "weight": w} for id, w in (("a", "1"), ("b", "8"))]
    draft = plain(total_epsilon="3", questions=questions, delete_on=LAST_DAY)
    publish(ana, write(live, draft))
    begun = ana.post("/workbench/new/copy", source="s:plain")
    assert kept(live, begun.headers["Location"]) == {**draft, "slug": "plain-copy"}


def test_the_page_that_publishes_says_that_too_few_people_are_planned(
    live: Live, ana: Browser
) -> None:
    asked = [{"id": f"q{number}", "prompt": f"Ask {number}?"} for number in range(8)]
    draft = plain(questions=asked, total_epsilon="1", delete_on="2999-12-31")
    address = write(live, draft)
    save(ana, address, respondents="1000")
    said = words(ana.get(f"{address}/publish"))
    assert "1,000 people are too few in 8 of 8 questions" in said
    rows = plan_survey(build_survey(draft), Target(margin=0.1))
    needed = max(row["respondents"] for row in rows)
    assert f"What helps: {needed:,} respondents a total epsilon of" in said
    save(ana, address, respondents=str(needed))
    assert "too few" not in words(ana.get(f"{address}/publish"))
