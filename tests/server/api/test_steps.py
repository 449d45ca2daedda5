"""Every parameter of a request has its effect: days, versions, groups, grace, links."""

import io
import zipfile
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from server.store import audit_log, reading
from server.surveys.researchers import Role
from tests.server.api.test_surveys import Caller, linked
from tests.support.groups import with_groups
from tests.support.inviting import ask_for_ticket
from tests.support.live import Live
from tests.support.researcher import hire, key_of

Draft = dict[str, Any]


@pytest.fixture
def ana(live: Live) -> Caller:
    """Who owns the survey `habits`."""
    hire(live, "ana", Role.OWNER)
    return Caller(live, key_of(live, "ana"))


def test_days_and_a_number_are_published_as_they_were_asked_for(ana: Caller, draft: Draft) -> None:
    query = "opens=2990-01-01&closes=2990-02-01&closes_at=500"
    made = ana("POST", f"/surveys?{query}", {**draft, "slug": "mine"})
    assert made.status == 201
    assert (made.json["opens"], made.json["last_minute"], made.json["closes_at"]) == (
        *("2990-01-01", "2990-02-01 23:59 UTC"),
        500,
    )
    assert made.json["state"] == "not_yet_open"
    assert ana("POST", "/surveys?closes_at=many", {**draft, "slug": "other"}).status == 400


def test_the_same_again_is_no_new_survey_and_a_new_version_has_to_be_wished_for(
    ana: Caller, draft: Draft
) -> None:
    again = ana("POST", "/surveys", draft)
    assert (again.status, again.json["created"], again.json["version"]) == (200, False, 1)
    vices = {**draft, "title": "Vices"}
    refused = ana("POST", "/surveys", vices)
    assert (refused.status, refused.code) == (409, "slug_taken")
    made = ana("POST", "/surveys?new_version=true", vices)
    assert (made.status, made.json["version"]) == (201, 2)


@pytest.mark.parametrize("path", ["/surveys", "/drafts"])
def test_a_weak_survey_needs_a_word(ana: Caller, draft: Draft, path: str) -> None:
    weak = {**draft, "slug": "weak", "questions": [{**draft["questions"][0], "epsilon": "5"}]}
    refused = ana("POST", path, weak)
    assert (refused.status, refused.code) == (400, "weak_not_confirmed")
    assert ana("POST", f"{path}?confirm_weak=true", weak).status == 201


def test_a_survey_is_closed_with_a_grace_and_goes_to_the_trash_and_back(
    ana: Caller, live: Live
) -> None:
    assert ana("POST", "/surveys/habits/close?grace=2").json["state"] == "closing"
    assert ask_for_ticket(live, {}).status == 410
    assert ana("POST", "/surveys/habits/close").json["state"] == "closed"
    assert ana("POST", "/surveys/habits/trash").json["state"] == "trashed"
    assert live.get("/s/habits").status == 410
    assert ana("POST", "/surveys/habits/restore").json["state"] == "closed"
    did = [
        (entry.actor, entry.action)
        for entry in audit_log.entries_since_removal(live.services.database.reader, "habits")
    ]
    assert did[:4] == [("ana", step) for step in ("restore", "trash", "close", "begin_closing")]


def test_estimates_and_exports_are_of_the_version_and_the_group_that_were_asked_for(
    ana: Caller, live: Live, draft: Draft
) -> None:
    grouped = with_groups(draft)
    ana("POST", "/surveys?new_version=true", grouped)
    second = reading.newest(live.services.database.reader, "habits").survey
    made = ana("POST", "/surveys/habits/open-link?group=arm%3Darm-a").json
    assert (made["group"], len(made["invitations"])) == ("arm-a", 1)
    Live(live.url, live.folder, live.services, second).fill(30, "arm-a", smokes=1)
    Live(live.url, live.folder, live.services, second).fill(40, "arm-b")
    ana("POST", "/surveys?new_version=true", {**draft, "title": "Vices"})

    def counted(query: str) -> tuple[int, str | None]:
        body = ana("GET", f"/surveys/habits/estimates?{query}").json
        return body["n"], body["group"]

    assert counted("") == (0, None)
    assert counted("version=2") == (70, None)
    assert counted("version=2&group=arm-a") == (30, "arm-a")
    table = ana("GET", "/surveys/habits/estimates.csv?version=2&group=arm=arm-a").body.decode()
    assert "30" in table.splitlines()[1].split(",")
    assert ana("GET", "/surveys/habits/estimates?group=nobody").code == "unknown_group"
    for version, title in ((1, "Habits"), (3, "Vices")):
        answer = ana("GET", f"/surveys/habits/export?version={version}")
        with zipfile.ZipFile(io.BytesIO(answer.body)) as packed:
            (name,) = (name for name in packed.namelist() if name.endswith("survey.json"))
            expected = build_survey({**draft, "title": title}, version)
            assert packed.read(name) == expected.document


def test_links_are_made_as_many_as_were_asked_for_and_counted(ana: Caller, draft: Draft) -> None:
    places = with_groups(draft, "north", "south", id="site")
    ana("POST", "/surveys", {**places, "slug": "staff", "access": "invited"})
    made = ana("POST", "/surveys/staff/invitations?count=25&group=site%3Dnorth")
    assert made.status == 201
    assert len(set(made.json["invitations"])) == 25
    ana("POST", "/surveys/staff/invitations?count=30&group=south")
    counts = {
        item["group"]: item for item in ana("GET", "/surveys/staff/invitations").json["groups"]
    }
    assert {name: item["issued"] for name, item in counts.items()} == {"north": 25, "south": 30}
    newest = ana("GET", "/surveys/staff/log?per_page=1")
    assert [(item["actor"], item["action"], item["details"]["count"]) for item in newest.json] == [
        ("ana", "invite", 30)
    ]
    (before,) = ana("GET", linked(newest)["next"]).json
    assert before["details"]["count"] == 25
